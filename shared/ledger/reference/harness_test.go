package reference_test

import (
	"strconv"
	"strings"
	_ "time/tzdata" // the zones are the same wherever the tests run

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger/reference"
)

// strictRules have caps that a few activities reach, every window, and another
// version in the middle of November 2026: a like becomes worth 5 and its cap 3,
// bookmarks are worth nothing, and visits are no longer known.
const strictRules = `{
  "boards": {
    "activity": {"windows": ["day", "week", "month", "year", "all"]},
    "steps": {"windows": ["day", "month"]}
  },
  "versions": [
    {
      "actions": {
        "visit": {"board": "activity", "points": 1, "entry": "day", "cap": 2, "by": ["user"]},
        "like": {"undo": "unlike", "board": "activity", "points": 2, "entry": "month", "cap": 2, "by": ["user"]},
        "bookmark": {"undo": "unbookmark", "board": "activity", "points": 4, "entry": "month", "by": ["user"]},
        "comment": {"undo": "uncomment", "board": "activity", "points": 3, "entry": "day",
          "entryWithRef": "month", "cap": 2, "by": ["user"]}
      },
      "metrics": {"steps": {"board": "steps", "min": 0, "max": 200000, "by": ["user"]}}
    },
    {
      "from": "2026-11-16",
      "actions": {
        "like": {"undo": "unlike", "board": "activity", "points": 5, "entry": "month", "cap": 3, "by": ["user"]},
        "bookmark": {"undo": "unbookmark", "board": "activity", "points": 0, "entry": "month", "by": ["user"]},
        "comment": {"undo": "uncomment", "board": "activity", "points": 3, "entry": "day",
          "entryWithRef": "month", "cap": 2, "by": ["user"]}
      },
      "metrics": {"steps": {"board": "steps", "min": 0, "max": 200000, "by": ["user"]}}
    }
  ]
}`

// tb is what the helpers need of testing.TB.
type tb interface {
	Helper()
	Fatalf(format string, args ...any)
}

func rulesOf(t tb, source string) *activity.Rules {
	t.Helper()
	rules, err := activity.ParseRules([]byte(source))
	if err != nil {
		t.Fatalf("ParseRules: %v", err)
	}
	return rules
}

func calendarOf(t tb, zone string) *board.Calendar {
	t.Helper()
	calendar, err := board.LoadCalendar(zone)
	if err != nil {
		t.Fatalf("LoadCalendar: %v", err)
	}
	return calendar
}

// at reads a moment such as 2026-11-02T10:00:00.000Z or 11-02T10:00, in 2026 and in UTC.
func at(t tb, s string) board.Moment {
	t.Helper()
	if len(s) == len("11-02T10:00") {
		s = "2026-" + s
	}
	if len(s) == len("2026-11-02T10:00") {
		s += ":00Z"
	}
	m, err := board.ParseMoment(s)
	if err != nil {
		t.Fatalf("ParseMoment: %v", err)
	}
	return m
}

// date reads a date such as 2026-11-02 or 11-02, in 2026.
func date(t tb, s string) board.Date {
	t.Helper()
	if len(s) == len("11-02") {
		s = "2026-" + s
	}
	d, err := board.ParseDate(s)
	if err != nil {
		t.Fatalf("ParseDate: %v", err)
	}
	return d
}

// did reads activities with commas between them: "11-02T10:00 like A", "11-02T10:00 comment
// A 1" with a ref, "11-02T10:00 steps 900" with a value and perhaps a target, "11-02T10:00
// restores like A". They are ann's when nobody is named before the moment.
func did(t tb, list string) (all []activity.Activity) {
	t.Helper()
	for text := range strings.SplitSeq(list, ", ") {
		words := strings.Fields(text)
		if !strings.Contains(words[0], "T") {
			words = append(words[1:], words[0])
		} else {
			words = append(words, "ann")
		}
		last := len(words) - 1
		a := activity.Activity{User: words[last], At: at(t, words[0]), Restores: words[1] == "restores"}
		if words = words[1:last]; a.Restores {
			words = words[1:]
		}
		a.Action, words = words[0], append(words[1:], "")
		if a.Action == "steps" {
			value, err := strconv.ParseInt(words[0], 10, 64)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			a.Value, words = &value, append(words[1:], "")
		}
		a.Target, a.Ref = words[0], strings.Join(words[1:], "")
		all = append(all, a)
	}
	return all
}

// ledgerOf returns a ledger with the activities of a list, in which "11-02T10:00 void A"
// makes a target void.
func ledgerOf(t tb, rules, zone, list string) *reference.Ledger {
	t.Helper()
	l := reference.New(rulesOf(t, rules), calendarOf(t, zone))
	for text := range strings.SplitSeq(list, ", ") {
		if words := strings.Fields(text); words[1] == "void" {
			l.Void(words[2], at(t, words[0]))
			continue
		}
		for _, a := range did(t, text) {
			l.Add(a)
		}
	}
	return l
}
