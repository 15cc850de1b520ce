package httpapi_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
)

// A metric is one rule: reading_minutes is named in this rules file and nowhere
// else.
const readingRules = `{
  "boards": {"activity": {"windows": ["day"]}, "reading": {"windows": ["day", "week", "all"]}},
  "versions": [{
    "actions": {"visit": {"board": "activity", "points": 1, "entry": "day", "by": ["user"]}},
    "metrics": {"reading_minutes": {"board": "reading", "min": 0, "max": 1440, "by": ["service"]}}
  }]
}`

func TestAMetricIsOneRule(t *testing.T) {
	t.Parallel()
	rules, err := activity.ParseRules([]byte(readingRules))
	if err != nil {
		t.Fatal(err)
	}
	f := openWith(t, harness.Setup{Ledger: ledger.New(rules, board.NewCalendar(time.UTC))})
	report := func(user, value, at string) string {
		return `{"activities":[{"action":"reading_minutes","user":"` + user + `","value":` + value + `,"at":"` + at + `"}]}`
	}
	for _, step := range []struct {
		user, value, at, status string
		points                  int64
	}{
		{"ann", "30", "2026-11-20T09:00:00Z", "counted", 30},
		{"ann", "20", "2026-11-20T10:00:00Z", "duplicate", 0}, // not above the day's largest
		{"ann", "30", "2026-11-20T08:00:00Z", "duplicate", 0}, // reached earlier, worth the same
		{"ann", "45", "2026-11-19T22:00:00Z", "counted", 45},
		{"bob", "75", "2026-11-20T10:00:00Z", "counted", 75},
		{"cid", "0", "2026-11-20T10:00:00Z", "duplicate", 0}, // a first 0 too
	} {
		answer := read[httpapi.Receipts](t, f.Post(f.Service(), report(step.user, step.value, step.at)))
		if r := answer.Receipts[0]; r.Status != step.status || r.Points != step.points || r.Board != "reading" {
			t.Errorf("%+v: receipt %+v", step, r)
		}
	}
	for window, want := range map[string]string{
		"day": "bob 75, ann 30", "week": "ann 75, bob 75",
		"all": "ann 75, bob 75",
	} {
		answer := read[httpapi.Board](t, f.Get("/v1/boards/reading/"+window, ""))
		if got := scores(answer); got != want {
			t.Errorf("%s: %s, want %s", window, got, want)
		}
	}
	days := read[httpapi.Activity](t, f.Get("/v1/users/ann/activity?days=2", f.User("ann")))
	if got := days.Totals["reading_minutes"]; got != (httpapi.Tally{Count: 2, Points: 75}) ||
		days.Days[0].Scores["reading"] != 30 {
		t.Errorf("activity %+v", days)
	}

	for value, location := range map[string]string{
		"1441": "body.activities[0].value", "-1": "body.activities[0].value",
		"1.5": "body.activities[0].value",
	} {
		p := f.Post(f.Service(), report("ann", value, "2026-11-20T09:00:00Z")).Problem(t)
		if p.Status != http.StatusUnprocessableEntity || p.Errors[0].Location != location {
			t.Errorf("value %s: %+v", value, p)
		}
	}
	p := f.Post(f.User("ann"), `{"activities":[{"action":"reading_minutes","value":5}]}`).Problem(t)
	if p.Status != http.StatusForbidden || !strings.Contains(p.Errors[0].Message, "the user may not report this action") {
		t.Errorf("a user reports it: %+v", p)
	}
	p = f.Post(f.Service(), `{"activities":[{"action":"steps","user":"ann","value":5}]}`).Problem(t)
	if !strings.Contains(p.Errors[0].Message, "the actions are reading_minutes, visit") {
		t.Errorf("steps are not in these rules: %+v", p)
	}
}

// scores lists who is on a board with what.
func scores(b httpapi.Board) string {
	entries := make([]string, len(b.Entries))
	for i, e := range b.Entries {
		entries[i] = string(e.User.ID) + " " + strconv.FormatInt(e.Score, 10)
	}
	return strings.Join(entries, ", ")
}

// A restore that changes nothing names the day of the entry that stands, not its own.
func TestARestoreThatChangesNothingNamesTheDayThatStands(t *testing.T) {
	t.Parallel()
	f := open(t)
	const comment = `{"user":"ann","action":"comment","target":"a1","ref":"c1"`
	f.Post(f.Service(), list(comment+`}`))
	f.Now = f.Now.AddDate(0, 0, 1)
	f.Says(f.Post(f.Service(), list(comment+`,"restores":true}`)), http.StatusOK, `{"receipts":[{"status":"duplicate",`+
		`"points":0,"board":"activity","day":"2026-11-20","scores":{"day":3,"month":3}}]}`)
}
