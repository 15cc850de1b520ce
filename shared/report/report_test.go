package report_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/report"
	"laurel/shared/strictjson"
)

var noon = board.MomentOf(time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC))

func judge(s report.Sender) report.Judge {
	return report.Judge{Ledger: ledger.New(activity.Default(), board.NewCalendar(time.UTC)), Sender: s, Moment: noon}
}

var (
	ann     = report.Sender{User: "ann"}
	service = report.Sender{Service: true}
)

// told is what a verdict says, a line for each fault.
func told(v *report.Verdict) []string {
	var lines []string
	for _, f := range v.Faults.All() {
		lines = append(lines, f.Location+" "+f.Message)
	}
	return lines
}

// A message of the queue is one activity or a report, whatever stands first in it.
func TestMessages(t *testing.T) {
	t.Parallel()
	like := activity.Activity{User: "ann", Action: "like", Target: "a1", At: noon}
	for name, c := range map[string]struct {
		sender  report.Sender
		message string
		want    []activity.Activity
	}{
		"one activity":           {ann, `{"action":"like","target":"a1"}`, []activity.Activity{like}},
		"a report":               {ann, `{"activities":[{"action":"like","target":"a1"},{"target":"a1","action":"like"}]}`, []activity.Activity{like, like}},
		"one of the service":     {service, ` {"user":"ann","action":"like","target":"a1"}`, []activity.Activity{like}},
		"one with its moment":    {service, `{"user":"ann","action":"like","target":"a1","at":"2026-11-20T13:00:00+01:00"}`, []activity.Activity{like}},
		"a report's own moments": {service, `{"activities":[{"user":"ann","action":"like","target":"a1","at":"2026-11-20T12:00:00.0009Z"}]}`, []activity.Activity{like}},
	} {
		v, err := judge(c.sender).Message([]byte(c.message))
		if err != nil || v.Faults.Count() > 0 || v.Forbidden {
			t.Errorf("%s: %+v, %v", name, v, err)
			continue
		}
		if diff := cmp.Diff(c.want, v.Activities); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Every fault is named by its place, in both forms.
func TestFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sender    report.Sender
		message   string
		want      []string
		forbidden bool
	}{
		"no object":  {ann, `[]`, []string{"body must be an object"}, false},
		"nothing":    {ann, `{}`, []string{"body.action is missing"}, false},
		"not theirs": {ann, `{"action":"like","target":"a1","user":"bob","at":"2026-11-20T12:00:00Z"}`, []string{"body.user is for the forum's service to give", "body.at is for the forum's service to give"}, false},
		"forbidden":  {ann, `{"action":"publish","target":"a1"}`, []string{"body.action is not for the user to report"}, true},
		"both forms": {ann, `{"action":"like","activities":[{"action":"like","target":"a1"}]}`, []string{"body.action is not a field of a report"}, false},
		"no user":    {service, `{"activities":[{"action":"like","target":"a1"}]}`, []string{"body.activities[0].user is missing"}, false},
		"none":       {service, `{"activities":[]}`, []string{"body.activities must have at least 1"}, false},
		"too many": {
			ann, `{"activities":[` + strings.Repeat(`{"action":"like","target":"a1"},`, report.MaxByUser) + `{}]}`,
			[]string{"body.activities must have at most 100"},
			false,
		},
	} {
		v, err := judge(c.sender).Message([]byte(c.message))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(c.want, told(v)); diff != "" || v.Forbidden != c.forbidden {
			t.Errorf("%s: forbidden %t (-want +got):\n%s", name, v.Forbidden, diff)
		}
	}
}

// As many as are allowed are; the service may report more.
func TestLimits(t *testing.T) {
	t.Parallel()
	for sender, n := range map[report.Sender]int{ann: report.MaxByUser, service: report.MaxByService} {
		one := `{"action":"like","target":"a1"}`
		if sender.Service {
			one = `{"action":"like","target":"a1","user":"ann"}`
		}
		v, err := judge(sender).Report([]byte(`{"activities":[` + strings.Repeat(one+",", n-1) + one + `]}`))
		if err != nil || v.Faults.Count() > 0 || len(v.Activities) != n {
			t.Errorf("%+v: %v, %v", sender, told(v), err)
		}
	}
}

// What is not JSON is an error, with its reason.
func TestNotJSON(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"":                               "is empty",
		"\n":                             "is empty",
		"like":                           "at byte 0",
		`{"action":"like"`:               "unexpected EOF",
		`{"action":"like"}{}`:            "something follows the JSON",
		`{"activities":[],"activities"}`: "at byte",
	} {
		_, err := judge(ann).Message([]byte(message))
		if err == nil || !strings.Contains(strictjson.Reason(err), want) {
			t.Errorf("%q: %v", message, err)
		}
	}
}

// Whatever is sent, what has no fault can be recorded, and is the sender's.
func FuzzMessage(f *testing.F) {
	for _, seed := range []string{`{"action":"like","target":"a1"}`, `{"activities":[{"action":"steps","value":1e3,"user":"bob","at":"2026-11-20T12:00:00Z"}]}`, `{"activities":{}}`, `[`, `{"a":{"activities":[]}}`} {
		f.Add([]byte(seed), true)
		f.Add([]byte(seed), false)
	}
	f.Fuzz(func(t *testing.T, message []byte, byService bool) {
		j := judge(report.Sender{User: "ann", Service: byService})
		v, err := j.Message(message)
		if err != nil {
			if strictjson.Reason(err) == "" {
				t.Errorf("%q: no reason", message)
			}
			return
		}
		if v.Faults.Count() > 0 {
			return
		}
		if len(v.Activities) == 0 {
			t.Errorf("%q: neither activities nor faults", message)
		}
		for _, a := range v.Activities {
			if faults := j.Ledger.Rules().On(j.Ledger.Calendar().Date(a.At)).Faults(a); len(faults) > 0 || !a.At.Valid() {
				t.Errorf("%q: %+v has %v", message, a, faults)
			}
			if !byService && (a.User != "ann" || a.At != noon) {
				t.Errorf("%q: %+v is not ann's", message, a)
			}
		}
	})
}
