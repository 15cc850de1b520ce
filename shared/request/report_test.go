package request_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/activity"
	"laurel/shared/auth"
	"laurel/shared/board"
	"laurel/shared/request"
)

var noon = board.MomentOf(time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC))

var (
	rules    = activity.Default()
	calendar = board.NewCalendar(time.UTC)
)

func decoderOf(s auth.Caller) request.ReportDecoder {
	return request.ReportDecoder{Rules: rules, Calendar: calendar, Sender: s, Moment: noon}
}

var (
	ann     = auth.Caller{User: "ann"}
	service = auth.Caller{Service: true}
)

// lines are violations, a line for each.
func lines(v *request.Violations) []string {
	var all []string
	for _, f := range v.All() {
		all = append(all, f.Location+" "+f.Message)
	}
	return all
}

// A message of the queue is one activity or a report, whatever stands first in it.
func TestMessages(t *testing.T) {
	t.Parallel()
	like := activity.Activity{User: "ann", Action: "like", Target: "a1", At: noon}
	restored := like
	restored.Restores = true
	own := like
	own.ByUser = true
	second := own
	second.At++
	for name, c := range map[string]struct {
		sender  auth.Caller
		message string
		want    []activity.Activity
	}{
		"one activity": {ann, `{"action":"like","target":"a1"}`, []activity.Activity{own}},
		"a report": {
			ann, `{"activities":[{"action":"like","target":"a1"},{"target":"a1","action":"like"}]}`,
			[]activity.Activity{own, second},
		},
		"one of the service": {service, ` {"user":"ann","action":"like","target":"a1"}`, []activity.Activity{like}},
		"a restore": {
			service, `{"user":"ann","action":"like","target":"a1","restores":true}`, []activity.Activity{restored},
		},
		"no restore": {
			service, `{"user":"ann","action":"like","target":"a1","restores":false}`, []activity.Activity{like},
		},
		"one with its moment": {
			service, `{"user":"ann","action":"like","target":"a1","at":"2026-11-20T13:00:00+01:00"}`,
			[]activity.Activity{like},
		},
		"a report's own moments": {
			service,
			`{"activities":[{"user":"ann","action":"like","target":"a1","at":"2026-11-20T12:00:00.0009Z"}]}`,
			[]activity.Activity{like},
		},
	} {
		m, found := decoderOf(c.sender).Message([]byte(c.message))
		if found.Count() > 0 || found.Forbidden() {
			t.Errorf("%s: %q", name, lines(found))
			continue
		}
		if diff := cmp.Diff(c.want, m.Activities); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Activities without a moment of one user on one target are a millisecond apart, so that
// the last one decides; those with a moment keep it.
func TestLastIntentOfReportIsLatest(t *testing.T) {
	t.Parallel()
	const report = `{"activities":[
		{"user":"ann","action":"like","target":"a1"}, {"user":"ann","action":"unlike","target":"a1"},
		{"user":"ann","action":"like","target":"a1","at":"2026-11-20T12:00:00Z"},
		{"user":"ann","action":"bookmark","target":"a1"}, {"user":"ann","action":"like","target":"a2"},
		{"user":"bob","action":"unlike","target":"a1"}, {"user":"ann","action":"like","target":"a1"}]}`
	acts, found := decoderOf(service).Report([]byte(report))
	var got []board.Moment
	for _, a := range acts {
		got = append(got, a.At-noon)
	}
	if diff := cmp.Diff([]board.Moment{0, 1, 0, 0, 0, 0, 2}, got); diff != "" || found.Count() > 0 {
		t.Errorf("%q, milliseconds after arrival (-want +got):\n%s", lines(found), diff)
	}
}

// Every violation is listed with its location, in both forms.
func TestViolationsOfReports(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sender    auth.Caller
		message   string
		want      []string
		forbidden bool
	}{
		"no object": {ann, `[]`, []string{"body must be an object"}, false},
		"nothing":   {ann, `{}`, []string{"body.action missing required field"}, false},
		"not theirs": {
			ann, `{"action":"like","target":"a1","user":"bob","at":"2026-11-20T12:00:00Z"}`,
			[]string{"body.user only the service may set this field", "body.at only the service may set this field"},
			false,
		},
		"a restore is not theirs": {
			ann, `{"action":"comment","target":"a1","restores":false}`,
			[]string{"body.restores only the service may set this field"},
			false,
		},
		"nothing to restore": {
			service, `{"activities":[{"action":"unlike","user":"ann","target":"a1","restores":true},
				{"action":"steps","user":"ann","value":1,"restores":true},
				{"action":"visit","user":"ann","target":"a1","restores":true}]}`,
			[]string{
				"body.activities[0].restores the action unlike has no undo that could be taken back",
				"body.activities[1].restores the action steps has no undo that could be taken back",
				"body.activities[2].restores the action visit has no undo that could be taken back",
			},
			false,
		},
		"forbidden": {
			ann, `{"action":"publish","target":"a1"}`,
			[]string{"body.action the user may not report this action"},
			true,
		},
		"both forms": {
			ann, `{"action":"like","activities":[{"action":"like","target":"a1"}]}`,
			[]string{"body.action unknown field"},
			false,
		},
		"no user": {
			service, `{"activities":[{"action":"like","target":"a1"}]}`,
			[]string{"body.activities[0].user missing required field"},
			false,
		},
		"none": {service, `{"activities":[]}`, []string{"body.activities must have at least 1 item"}, false},
		"too many": {
			ann, `{"activities":[` + strings.Repeat(`{"action":"like","target":"a1"},`, request.MaxByUser) + `{}]}`,
			[]string{"body.activities[100].action missing required field", "body.activities must have at most 100 items"},
			false,
		},
	} {
		_, found := decoderOf(c.sender).Message([]byte(c.message))
		if diff := cmp.Diff(c.want, lines(found)); diff != "" || found.Forbidden() != c.forbidden {
			t.Errorf("%s: forbidden %t (-want +got):\n%s", name, found.Forbidden(), diff)
		}
	}
}

// As many as are allowed are; the service may report more.
func TestLimits(t *testing.T) {
	t.Parallel()
	for sender, n := range map[auth.Caller]int{ann: request.MaxByUser, service: request.MaxByService} {
		one := `{"action":"like","target":"a1"}`
		if sender.Service {
			one = `{"action":"like","target":"a1","user":"ann"}`
		}
		acts, found := decoderOf(sender).Report([]byte(`{"activities":[` + strings.Repeat(one+",", n-1) + one + `]}`))
		if found.Count() > 0 || len(acts) != n {
			t.Errorf("%+v: %q", sender, lines(found))
		}
	}
}

// What is not JSON is one violation, with its reason.
func TestNotJSON(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"":                               "body must not be empty",
		"\n":                             "body must not be empty",
		"like":                           "body invalid JSON: invalid character 'l' at start of value, at byte 0",
		`{"action":"like"`:               "body invalid JSON: unexpected EOF, at byte 16",
		`{"action":"like"}{}`:            "body invalid JSON: trailing data after the JSON value",
		`{"action":5,"x":1,"y"`:          "body invalid JSON: unexpected EOF, at byte 21",
		`{"activities":[],"activities"}`: `body invalid JSON: duplicate object member name, at byte 17`,
	} {
		_, found := decoderOf(ann).Message([]byte(message))
		if diff := cmp.Diff([]string{want}, lines(found)); diff != "" || !found.Malformed() {
			t.Errorf("%q (-want +got):\n%s", message, diff)
		}
	}
}

// Whatever is sent, what has no violation can be recorded, and is the sender's.
func FuzzMessage(f *testing.F) {
	for _, seed := range []string{
		`{"action":"like","target":"a1"}`,
		`{"activities":[{"action":"steps","value":1e3,"user":"bob","at":"2026-11-20T12:00:00Z"}]}`, `{"activities":{}}`, `[`,
		`{"erase":"ann"}`, `{"a":{"activities":[]}}`,
	} {
		f.Add([]byte(seed), true)
		f.Add([]byte(seed), false)
	}
	f.Fuzz(func(t *testing.T, message []byte, byService bool) {
		d := decoderOf(auth.Caller{User: "ann", Service: byService})
		m, found := d.Message(message)
		if len(found.All()) > 0 {
			for _, v := range found.All() {
				if v.Message == "" || v.Code == "" || !strings.HasPrefix(v.Location, "body") {
					t.Errorf("%q: %+v", message, v)
				}
			}
			return
		}
		if (len(m.Activities) == 0) == (m.Erase == "") {
			t.Errorf("%q: neither activities nor violations", message)
		}
		if m.Erase != "" && (!byService || !activity.ValidUserID(m.Erase)) {
			t.Errorf("%q erases %q", message, m.Erase)
		}
		for _, a := range m.Activities {
			if found := d.Rules.On(d.Calendar.Date(a.At)).Violations(a); len(found) > 0 || !a.At.Valid() {
				t.Errorf("%q: %+v has %v", message, a, found)
			}
			if !byService && (a.User != "ann" || a.At != noon) {
				t.Errorf("%q: %+v is not ann's", message, a)
			}
		}
	})
}
