package queue_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/api/queue"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/forum/recording"
	"laurel/shared/store/table"
)

// hundred is a batch of 100 messages of 20 users, 3 of them bad, and the ids of
// those.
func hundred() (batch []events.SQSMessage, bad []string) {
	for i := range 100 {
		id := fmt.Sprint("m", i)
		one := likeBy(fmt.Sprint("user-", i%20), fmt.Sprint("a", i))
		switch i {
		case 17:
			batch = append(batch, message(id, `like a1`))
		case 40:
			batch = append(batch, message(id, `{"activities":[`+one+`,{"action":"lick"}]}`))
		case 99:
			batch = append(batch, by(message(id, `{"action":"publish","target":"a1"}`), "user-1"))
		default:
			if i%3 == 0 {
				one = `{"activities":[` + one + `]}`
			}
			batch = append(batch, message(id, one))
			continue
		}
		bad = append(bad, id)
	}
	return batch, bad
}

// The three bad messages of a hundred fail, each with its reasons; the others are
// counted once, also when the batch comes again; one round trip to Redis does it.
func TestOfAHundredThreeFail(t *testing.T) {
	t.Parallel()
	client, w := testserver.Counted(t, testserver.RedisOptions(t))
	f := open(t, harness.Setup{Redis: client, Shards: 4, Now: (noon + 500).Time()})
	batch, bad := hundred()
	// The server learns the scripts, and the connections are made.
	for range 2 { // once more it is a duplicate
		f.deliver(message("first", likeBy("somebody", "a1")), message("second", likeBy("somebody else", "a1")))
	}
	for delivery, most := range []int64{3, 2} { // more keys than a read has; the head lists new buckets
		before, reads := w.Count(), f.Table.Reads.Load()
		failed := f.deliver(batch...)
		if trips, reads := w.Count()-before, f.Table.Reads.Load()-reads; trips != 1 || reads > most {
			t.Errorf("delivery %d: %d round trips, %d reads", delivery, trips, reads)
		}
		if diff := cmp.Diff(bad, failed); diff != "" {
			t.Errorf("delivery %d (-want +got):\n%s", delivery, diff)
		}
		for user := range 20 {
			want := int64(10)
			if user == 17 || user == 0 || user == 19 { // users with one report less: m17, m40, m99
				want = 8
			}
			if got := f.ScoreOn("2026-11-20", fmt.Sprint("user-", user)); got != want {
				t.Errorf("delivery %d: user-%d has %d points, want %d", delivery, user, got, want)
			}
		}
	}
	for id, want := range map[string][]string{
		"m17": {"body: invalid JSON: invalid character 'l' at start of value, at byte 0"},
		"m99": {"body.action: the user may not report this action"},
	} {
		if diff := cmp.Diff(want, f.reasons(id)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
	if got := f.reasons("m40"); len(got) != 2 ||
		!strings.HasPrefix(got[0], "body.activities[1].user: missing required field") {
		t.Errorf("m40: %q", got)
	}
	if text := f.metrics.String(); strings.Contains(text, "user-") ||
		!strings.Contains(text, `"QueueFailures":3,"QueueMessages":100`) ||
		!strings.Contains(text, `"ActivitiesCounted":97`) {
		t.Errorf("measured:\n%s", text)
	}
}

// halfway is a recorder that can't record one user's activities.
type halfway struct {
	queue.Recorder
	user  string
	calls int
}

var errDown = fmt.Errorf("%w: down", table.ErrUnavailable)

// Record fails one user's activities and records the others.
func (h *halfway) Record(
	ctx context.Context, acts []activity.Activity, arrival recording.Arrival,
) ([]recording.Result, error) {
	h.calls++
	results, err := h.Recorder.Record(ctx, acts, arrival)
	for i, a := range acts {
		if a.User == h.user {
			results[i] = recording.Result{Err: errDown}
		}
	}
	return results, err
}

// A user's activities that cannot be recorded fail their messages, and are recorded when these
// come again.
func TestUnavailableUserComesAgain(t *testing.T) {
	t.Parallel()
	partly := &halfway{user: "bob"}
	f := open(t, harness.Setup{}, func(o *queue.Options) {
		partly.Recorder, o.Recorder = o.Recorder, partly
	})
	batch := []events.SQSMessage{
		message("ann", likeBy("ann", "a1")),
		message("both", `{"activities":[`+likeBy("ann", "a2")+`,`+likeBy("bob", "a2")+`]}`),
		message("bad", `{}`),
		message("bob", likeBy("bob", "a1")),
	}
	if diff := cmp.Diff([]string{"bad", "both", "bob"}, f.deliver(batch...)); diff != "" || partly.calls != 1 {
		t.Errorf("%d calls (-want +got):\n%s", partly.calls, diff)
	}
	if !strings.Contains(f.Out.String(), `"messages":["both","bob"]`) || !strings.Contains(f.Out.String(), "down") {
		t.Errorf("logged:\n%s", f.Out)
	}
	if !strings.Contains(f.metrics.String(), `"Errors":1`) {
		t.Errorf("measured:\n%s", f.metrics)
	}
	partly.user = ""
	f.Table.Unavailable.Store(true)
	if diff := cmp.Diff([]string{"both", "bob"}, f.deliver(batch[1], batch[3])); diff != "" {
		t.Errorf("without a table (-want +got):\n%s", diff)
	}
	f.Table.Unavailable.Store(false)
	if diff := cmp.Diff([]string{}, f.deliver(batch[1], batch[3])); diff != "" {
		t.Errorf("again (-want +got):\n%s", diff)
	}
	for _, user := range []string{"ann", "bob"} {
		if got := f.ScoreOn("2026-11-20", user); got != 4 {
			t.Errorf("%s has %d points, want 4", user, got)
		}
	}
}

// erasing is a forum whose erasures are noted; of some users they fail.
func erasing(t *testing.T, fails ...string) (f *forum, erased *[]string) {
	t.Helper()
	erased = &[]string{}
	return open(t, harness.Setup{}, func(o *queue.Options) {
		o.Erase = func(_ context.Context, user string, _ board.Moment) error {
			if *erased = append(*erased, user); slices.Contains(fails, user) {
				return errors.New("down")
			}
			return nil
		}
	}), erased
}

// The backend's messages, and the service's, begin erasures, and are done then; one that fails comes again, and
// the rest of its batch is recorded. No other sender may ask for one, and an erasure names a user.
func TestErasuresThroughTheQueue(t *testing.T) {
	t.Parallel()
	const odd = `{0}:"zoë" 100%`
	f, erased := erasing(t, "fails")
	failed := f.deliver(
		message("like", likeBy("ann", "a1")),
		message("bob", `{"erase":"bob"}`),
		by(message("cid", `{"erase":"cid"}`), "backend"),
		message("odd", `{ "erase" : "{0}:\"zo\u00eb\" 100%" }`),
		message("fails", `{"erase":"fails"}`),
		message("likes", `{"activities":[`+likeBy("ann", "a2")+`]}`),
		by(message("a user's", `{"erase":"ann"}`), "ann"),
		message("nobody", `{"erase":""}`),
		message("a control", `{"erase":"a\u0000"}`),
		message("a number", `{"erase":7}`),
		message("more", `{"erase":"ann","at":"2026-11-20T12:00:00Z"}`),
		message("a list", `{"erase":["ann"]}`),
	)
	refused := []string{"a user's", "nobody", "a control", "a number", "more", "a list"}
	if diff := cmp.Diff(append(refused, "fails"), failed); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"bob", "cid", odd, "fails"}, *erased); diff != "" {
		t.Errorf("erased (-want +got):\n%s", diff)
	}
	for _, id := range refused {
		if len(f.reasons(id)) == 0 {
			t.Errorf("the log has no reason for %s", id)
		}
	}
	if n := f.ScoreOn("2026-11-20", "ann"); n != 4 {
		t.Errorf("ann has %d beside the erasures", n)
	}
}
