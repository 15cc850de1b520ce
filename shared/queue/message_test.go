package queue_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/queue"
	"laurel/shared/record"
	"laurel/shared/request"
)

// with sets an attribute of SQS.
func with(m events.SQSMessage, name, value string) events.SQSMessage {
	m.Attributes[name] = value
	return m
}

// attribute sets a message attribute.
func attribute(m events.SQSMessage, name, kind string, value *string) events.SQSMessage {
	if m.MessageAttributes == nil {
		m.MessageAttributes = map[string]events.SQSMessageAttribute{}
	}
	m.MessageAttributes[name] = events.SQSMessageAttribute{DataType: kind, StringValue: value}
	return m
}

// taken hands a message on at a moment, and says whose what is recorded of it is and of which day, or why it
// is not.
func taken(t *testing.T, m events.SQSMessage, now board.Moment) string {
	t.Helper()
	l := harness.UTC()
	store := &recorder{ledger: l}
	q := handling(&harness.Forum{TB: t, Out: &harness.Log{}}, queue.Options{
		Recorder: store, Ledger: l, Now: now.Time, Producers: []string{"AROAFORUM", "AROAGATEWAY"},
	})
	failed := q.deliver(m)
	reasons := strings.Join(q.reasons("m"), "; ")
	if (len(failed) > 0) != (reasons != "") {
		t.Errorf("failed %q, as %s", failed, reasons)
	}
	for _, a := range store.acts {
		reasons += a.User + " " + l.Calendar().Date(a.At).String()
		if strings.Contains(q.metrics.String(), a.User) {
			t.Errorf("measured:\n%s", q.metrics)
		}
	}
	if _, status, found := strings.Cut(q.metrics.String(), `"ActivitiesToo`); found && len(store.acts) == 0 {
		status, _, _ = strings.Cut(status, `"`)
		reasons += "Too" + status
	}
	return reasons
}

// Nobody writes for somebody else: who sent a message says what it may hold, and
// nothing in the message does.
func TestSenders(t *testing.T) {
	t.Parallel()
	const like, other = `{"action":"like","target":"a1"}`, `{"action":"like","target":"a1","user":"bob"}`
	const publish = `{"action":"publish","target":"a1","user":"bob"}`
	const unnamed = "no attribute names the user, and the producer may not report for everybody"
	for name, c := range map[string]struct {
		message events.SQSMessage
		want    string // whose it is and of which day, or the reasons why it is refused
	}{
		"a user":             {by(message("m", like), "ann"), "ann 2026-11-20"},
		"a user for another": {by(message("m", other), "ann"), "body.user: only the service may set this field"},
		"a user for the service": {
			by(message("m", `{"action":"publish","target":"a1"}`), "ann"),
			"body.action: the user may not report this action",
		},
		"the service":        {by(message("m", publish), "backend"), "bob 2026-11-20"},
		"the backend itself": {message("m", publish), "bob 2026-11-20"},
		"a producer who is a user of IAM": {
			with(message("m", publish), queue.SenderID, "AROAFORUM"), "bob 2026-11-20",
		},
		"another program for a user": {
			with(attribute(message("m", like), "sub", "String", new("ann")), queue.SenderID, "AROAOTHER:x"), "ann 2026-11-20",
		},
		"another program": {with(message("m", publish), queue.SenderID, "AROAOTHER:AROAFORUM"), unnamed},
		"another program's service": {
			with(by(message("m", publish), "backend"), queue.SenderID, "AROAOTHER:x"), unnamed,
		},
		"the body's attributes": {
			by(message("m", `{"action":"like","target":"a1","sub":"bob","caller":"service"}`), "ann"),
			"body.sub: unknown field; body.caller: unknown field",
		},
		"two senders": {
			attribute(by(message("m", like), "ann"), "sub", "String", new("bob")),
			"attribute sub: the message has the attribute caller too",
		},
		"a number": {
			attribute(message("m", like), "sub", "Number", new("1")),
			"attribute sub: has the type Number, not String",
		},
		"bytes": {
			attribute(attribute(message("m", like), "sub", "Binary", nil), "caller", "Binary", nil),
			"attribute sub: has the type Binary, not String\nattribute caller: has the type Binary, not String",
		},
		"no id": {
			attribute(message("m", like), "sub", "String", new(strings.Repeat("x", 65))),
			"attribute sub: is not a valid user id",
		},
		"a forged caller": {
			attribute(message("m", publish), "caller", "String", new(`service"},"x":{"StringValue":"`)),
			"attribute caller: auth: is not the text of a caller",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := taken(t, c.message, noon); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// The moment of sending stands in for a missing one, and is a user's only one; age
// is measured from it, however long the message has waited.
func TestMoments(t *testing.T) {
	t.Parallel()
	const hour = 3_600_000
	fourDays := noon + 96*hour
	at := func(m board.Moment) string {
		return fmt.Sprintf(`{"action":"like","user":"ann","target":"a1","at":%q}`, m)
	}
	for name, c := range map[string]struct {
		message events.SQSMessage
		want    string // as above, or the status that is measured
	}{
		"none":                       {message("m", likeBy("ann", "a1")), "ann 2026-11-20"},
		"its own":                    {message("m", at(noon-24*hour)), "ann 2026-11-19"},
		"48 hours before sending":    {message("m", at(noon-48*hour)), "ann 2026-11-18"},
		"more than 48 hours before":  {message("m", at(noon-48*hour-1)), "TooLate"},
		"5 minutes ahead of sending": {message("m", at(noon+5*60_000)), "ann 2026-11-20"},
		"more than 5 minutes ahead":  {message("m", at(noon+5*60_000+1)), "TooEarly"},
		"without a time of sending": {
			events.SQSMessage{
				MessageId: "m", Body: likeBy("ann", "a1"), Attributes: map[string]string{queue.SenderID: "AROAFORUM:x"},
			},
			"ann 2026-11-24",
		},
		"a dead letter that is put back": {
			attribute(sent(message("m", likeBy("ann", "a1")), fourDays), queue.AttributeSent, "String",
				new(strconv.FormatInt(int64(noon), 10))),
			"ann 2026-11-20",
		},
		"a moment that is no text": {
			attribute(message("m", likeBy("ann", "a1")), queue.AttributeSent, "Number", new(strconv.FormatInt(int64(noon), 10))),
			"attribute sent: has the type Number, not String",
		},
		"a moment that is no time": {
			attribute(message("m", likeBy("ann", "a1")), queue.AttributeSent, "String", new("noon")),
			"attribute sent: noon is not a valid time",
		},
		"after 28 days": {
			sent(message("m", likeBy("ann", "a1")), fourDays-28*24*hour-1),
			"SentTimestamp: 2026-10-27T11:59:59.999Z is not of the last 28 days",
		},
		"of the future": {
			sent(message("m", likeBy("ann", "a1")), fourDays+60_001),
			"SentTimestamp: 2026-11-24T12:01:00.001Z is not of the last 28 days",
		},
		"no time": {
			with(message("m", likeBy("ann", "a1")), queue.SentTimestamp, "noon"),
			"SentTimestamp: noon is not a valid time",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := taken(t, c.message, fourDays); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// What has been archived while a message waited stays as it is; the message is
// done, and the log says so.
func TestWhatIsFinalStays(t *testing.T) {
	t.Parallel()
	f := open(t, harness.Setup{Now: harness.Noon.Add(96 * time.Hour)})
	if diff := cmp.Diff([]string{}, f.deliver(message("before", likeBy("ann", "a1")))); diff != "" {
		t.Error(diff)
	}
	f.ClosePeriod(harness.Period(t, "2026-11-20"))
	if diff := cmp.Diff([]string{}, f.deliver(message("after", likeBy("bob", "a1")))); diff != "" {
		t.Error(diff)
	}
	if ann, bob := f.ScoreOn("2026-11-20", "ann"), f.ScoreOn("2026-11-20", "bob"); ann != 2 || bob != 0 {
		t.Errorf("ann has %d, bob %d", ann, bob)
	}
	if !strings.Contains(f.Out.String(), `"message":"after"`) ||
		!strings.Contains(f.metrics.String(), `"ActivitiesTooLate":1`) {
		t.Errorf("logged:\n%s\nmeasured:\n%s", f.Out, f.metrics)
	}
}

// A message holds as much as a request of its sender, in 256 KiB.
func TestMessageLimits(t *testing.T) {
	t.Parallel()
	f := open(t, harness.Setup{})
	const mine = `{"action":"like","target":"a1"}`
	many := func(id string, n int) events.SQSMessage {
		return by(message(id, `{"activities":[`+strings.Repeat(mine+",", n-1)+mine+`]}`), "ann")
	}
	fits := likeBy("ann", "a1")
	fits += strings.Repeat(" ", queue.MaxMessage-len(fits))
	failed := f.deliver(many("100", request.MaxByUser), many("101", request.MaxByUser+1), message("256 KiB", fits),
		message("more", fits+" "))
	if diff := cmp.Diff([]string{"101", "more"}, failed); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	said := slices.Concat(f.reasons("101"), f.reasons("more"))
	want := []string{"body.activities: must have at most 100 items", "body: must be at most 256 KiB"}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// recorder keeps nothing. It panics, which fails a fuzz test, when
// it is given what can't be recorded.
type recorder struct {
	ledger *ledger.Ledger
	acts   []activity.Activity
}

// Record notes whose the activities are.
func (r *recorder) Record(_ context.Context, acts []activity.Activity, _ record.Arrival) ([]record.Result, error) {
	for _, a := range acts {
		if found := r.ledger.Rules().On(r.ledger.Calendar().Date(a.At)).Violations(a); len(found) > 0 || !a.At.Valid() {
			panic(fmt.Sprintf("%+v has the violations %v", a, found))
		}
	}
	r.acts = append(r.acts, acts...)
	return make([]record.Result, len(acts)), nil
}
