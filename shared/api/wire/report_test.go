package wire_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/api/auth"
	"laurel/shared/api/wire"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

var noon = board.MomentOf(time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC))

var (
	rules    = activity.Default()
	calendar = board.NewCalendar(time.UTC)
)

func decoderOf(s auth.Caller) wire.ReportDecoder {
	return wire.ReportDecoder{Rules: rules, Calendar: calendar, Sender: s, Moment: noon}
}

var (
	ann     = auth.Caller{User: "ann"}
	service = auth.Caller{Service: true}
)

// lines are violations, a line for each.
func lines(v *wire.Violations) []string {
	var all []string
	for _, f := range v.All() {
		all = append(all, f.Location+" "+f.Message)
	}
	return all
}

// said are activities as "ann like a1 +1", with the milliseconds after noon.
func said(acts []activity.Activity) string {
	var all []string
	for _, a := range acts {
		text := fmt.Sprintf("%s %s %s +%d", a.User, a.Action, a.Target, a.At-noon)
		if a.ByUser {
			text += " by the user"
		}
		if a.Other != "" {
			text += " with " + a.Other
		}
		if a.Restores {
			text += " restores"
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

// A message of the queue is one activity or a report, in any order of its fields. Activities without a moment of
// one user on one target are a millisecond apart, so that the last one decides; those with a moment keep it.
func TestMessages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sender        auth.Caller
		message, want string
	}{
		{ann, `{"action":"like","target":"a1"}`, "ann like a1 +0 by the user"},
		{
			ann, `{"activities":[{"action":"like","target":"a1"},{"target":"a1","action":"like"}]}`,
			"ann like a1 +0 by the user, ann like a1 +1 by the user",
		},
		{service, ` {"user":"ann","action":"like","target":"a1"}`, "ann like a1 +0"},
		{service, `{"user":"ann","action":"like","target":"a1","restores":true}`, "ann like a1 +0 restores"},
		{service, `{"user":"ann","action":"like","target":"a1","restores":false}`, "ann like a1 +0"},
		{service, `{"user":"ann","action":"like","target":"a1","other":"bob"}`, "ann like a1 +0 with bob"},
		{service, `{"user":"ann","action":"like","target":"a1","at":"2026-11-20T13:00:00.0019+01:00"}`, "ann like a1 +1"},
		{
			service, `{"activities":[
			{"user":"ann","action":"like","target":"a1"}, {"user":"ann","action":"unlike","target":"a1"},
			{"user":"ann","action":"like","target":"a1","at":"2026-11-20T12:00:00Z"},
			{"user":"ann","action":"bookmark","target":"a1"}, {"user":"ann","action":"like","target":"a2"},
			{"user":"bob","action":"unlike","target":"a1"}, {"user":"ann","action":"like","target":"a1"}]}`,
			"ann like a1 +0, ann unlike a1 +1, ann like a1 +0, ann bookmark a1 +0, ann like a2 +0, bob unlike a1 +0, " +
				"ann like a1 +2",
		},
		{ // by a ref alone: after all with the ref, and all with the ref after it
			service, `{"activities":[
			{"user":"ann","action":"comment","target":"a1","ref":"c"}, {"user":"ann","action":"comment","target":"a2","ref":"c"},
			{"user":"ann","action":"comment","target":"a2","ref":"d"}, {"user":"ann","action":"uncomment","ref":"c"},
			{"user":"ann","action":"uncomment","ref":"d"}, {"user":"ann","action":"comment","target":"a1","ref":"c"},
			{"user":"ann","action":"uncomment","ref":"c"}, {"user":"ann","action":"comment","target":"a3","ref":"d"}]}`,
			"ann comment a1 +0, ann comment a2 +0, ann comment a2 +1, ann uncomment  +1, ann uncomment  +2, " +
				"ann comment a1 +2, ann uncomment  +3, ann comment a3 +3",
		},
	} {
		m, found := decoderOf(c.sender).Message([]byte(c.message))
		if got := said(m.Activities); found.Count() > 0 || found.Forbidden() || got != c.want {
			t.Errorf("%s: %s, want %s; %q", c.message, got, c.want, lines(found))
		}
	}
}

// The violations of a message that is one activity have its own places, those of a report the places in its list.
func TestViolationsOfOneActivity(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		`[]`: "body must be an object",
		`{}`: "body.action missing required field",
		`{"action":"like","activities":[{"action":"like","target":"a1"}]}`: "body.action unknown field",
		`{"action":"like","target":"a1","user":"bob"}`:                     "body.user only the service may set this field",
		`{"action":"publish","target":"a1"}`:                               "body.action the user may not report this action",
		`{"activities":[{"action":7,"target":"a1"}]}`:                      "body.activities[0].action must be a string",
		`{"erase":"bob"}`: "body.erase only the service may erase a user",
		``:                "body must not be empty",
		`{"action"`:       "body invalid JSON: unexpected EOF, at byte 9",
	} {
		_, found := decoderOf(ann).Message([]byte(message))
		if diff := cmp.Diff([]string{want}, lines(found)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", message, diff)
		}
	}
}

// Any message without violations can be recorded, and its activities are the sender's.
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
