package queue_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	gocmp "github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/api/queue"
	"laurel/shared/api/wire"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/recording"
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

// read returns a message of a file, with its attributes and body, and the time when it is taken.
func read(line string) (m events.SQSMessage, now board.Moment) {
	m, now = message("m", ""), noon
	for !strings.HasPrefix(line, "{") {
		word, rest, _ := strings.Cut(line, " ")
		line = rest
		name, value, given := strings.Cut(word, "=")
		name, kind, _ := strings.Cut(name, ":")
		moment, err := board.ParseMoment(value)
		if err == nil {
			value = strconv.FormatInt(int64(moment), 10)
		}
		switch {
		case name == "now":
			now = moment
		case name == "by":
			m = by(m, value)
		case name == queue.SentTimestamp && value == "":
			delete(m.Attributes, name)
		case name == queue.SentTimestamp, name == queue.SenderID:
			m = with(m, name, value)
		case given:
			m = attribute(m, name, cmp.Or(kind, "String"), &value)
		default:
			m = attribute(m, name, kind, nil)
		}
	}
	m.Body = line
	return m, now
}

// A user cannot write for another user: the sender of a message decides its possible contents, and nothing in the
// message does. The moment of sending stands in for a missing one, and is a user's only one; age is measured from
// it, however long the message has waited. A file has messages, and of each recorded activity the user and the day,
// or why it is refused.
func TestSendersAndMoments(t *testing.T) {
	t.Parallel()
	text := string(harness.Must(os.ReadFile("testdata/messages.txt"))(t))
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		lines := strings.Split(block, "\n")
		t.Run(lines[0], func(t *testing.T) {
			t.Parallel()
			m, now := read(lines[1])
			l := harness.UTC()
			store := &recorder{ledger: l}
			q := handling(&harness.Forum{TB: t, Out: &harness.Log{}}, queue.Options{
				Recorder: store, Ledger: l, Now: now.Time, Producers: []string{"AROAFORUM", "AROAGATEWAY"},
			})
			failed := q.deliver(m)
			var got []string
			for _, reason := range q.reasons("m") {
				got = append(got, "- "+strings.ReplaceAll(reason, "\n", "\n- "))
			}
			if (len(failed) > 0) != (len(got) > 0) {
				t.Errorf("failed %q, as %q", failed, got)
			}
			for _, a := range store.acts {
				got = append(got, "- "+a.User+" "+l.Calendar().Date(a.At).String())
			}
			measured := q.metrics.String()
			if _, status, found := strings.Cut(measured, `"ActivitiesToo`); found && len(store.acts) == 0 {
				status, _, _ = strings.Cut(status, `"`)
				got = append(got, "- Too"+status)
			}
			diff := gocmp.Diff(strings.Join(lines[2:], "\n"), strings.Join(got, "\n"))
			if diff != "" || strings.Contains(measured, "ann") {
				t.Errorf("(-want +got):\n%s%s", diff, measured)
			}
		})
	}
}

// A period that was archived while a message waited stays as it is; the message is done, and
// the log says so.
func TestFinalPeriodStays(t *testing.T) {
	t.Parallel()
	f := open(t, harness.Setup{Now: harness.Noon.Add(96 * time.Hour)})
	if diff := gocmp.Diff([]string{}, f.deliver(message("before", likeBy("ann", "a1")))); diff != "" {
		t.Error(diff)
	}
	f.ClosePeriod(harness.Period(t, "2026-11-20"))
	if diff := gocmp.Diff([]string{}, f.deliver(message("after", likeBy("bob", "a1")))); diff != "" {
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
	failed := f.deliver(many("100", wire.MaxByUser), many("101", wire.MaxByUser+1), message("256 KiB", fits),
		message("more", fits+" "))
	if diff := gocmp.Diff([]string{"101", "more"}, failed); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	said := slices.Concat(f.reasons("101"), f.reasons("more"))
	want := []string{"body.activities: must have at most 100 items", "body: must be at most 256 KiB"}
	if diff := gocmp.Diff(want, said); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// recorder counts activities and keeps nothing. It panics at an activity that cannot be recorded.
type recorder struct {
	ledger *ledger.Ledger
	acts   []activity.Activity
	takes  time.Duration // for each call
	calls  []int         // activities of each
}

// Record notes the activities.
func (r *recorder) Record(
	_ context.Context, acts []activity.Activity, _ recording.Arrival,
) ([]recording.Result, error) {
	time.Sleep(r.takes)
	r.calls = append(r.calls, len(acts))
	for _, a := range acts {
		if found := r.ledger.Rules().On(r.ledger.Calendar().Date(a.At)).Violations(a); len(found) > 0 || !a.At.Valid() {
			panic(fmt.Sprintf("%+v has the violations %v", a, found))
		}
	}
	r.acts = append(r.acts, acts...)
	return slices.Repeat([]recording.Result{{Receipt: ledger.Receipt{Status: ledger.Counted}}}, len(acts)), nil
}
