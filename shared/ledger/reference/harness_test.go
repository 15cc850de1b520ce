package reference_test

import (
	"testing"
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

// tb is what the helpers need of testing.TB; rapid.T has it too.
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

// at reads a moment; one without a zone is in UTC.
func at(t tb, s string) board.Moment {
	t.Helper()
	if len(s) == len("2026-11-02T10:00") {
		s += ":00Z"
	}
	m, err := board.ParseMoment(s)
	if err != nil {
		t.Fatalf("ParseMoment: %v", err)
	}
	return m
}

func date(t tb, s string) board.Date {
	t.Helper()
	d, err := board.ParseDate(s)
	if err != nil {
		t.Fatalf("ParseDate: %v", err)
	}
	return d
}

func period(t tb, w board.Window, s string) board.Period {
	t.Helper()
	p, err := board.ParsePeriod(w, s)
	if err != nil {
		t.Fatalf("ParsePeriod: %v", err)
	}
	return p
}

// A did is an activity of ann, when nobody else is named.
type did struct {
	at, action, target, ref string
	value                   int64
	user                    string
}

func (d did) activity(t tb) activity.Activity {
	t.Helper()
	a := activity.Activity{User: "ann", Action: d.action, Target: d.target, Ref: d.ref, At: at(t, d.at)}
	if d.user != "" {
		a.User = d.user
	}
	if d.action == "steps" {
		a.Value = new(d.value)
	}
	return a
}

// ledgerOf enters the activities.
func ledgerOf(t *testing.T, rules *activity.Rules, zone string, all ...did) *reference.Ledger {
	t.Helper()
	l := reference.New(rules, calendarOf(t, zone))
	for _, d := range all {
		l.Add(d.activity(t))
	}
	return l
}
