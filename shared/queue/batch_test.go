package queue_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/ledger"
	"laurel/shared/pages"
	"laurel/shared/queue"
	"laurel/shared/redisstore"
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
// counted once, also when the batch comes again; two round trips do it.
func TestOfAHundredThreeFail(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 4} {
		t.Run(fmt.Sprintf("%d shards", shards), func(t *testing.T) {
			t.Parallel()
			client, w := testserver.CountedRedis(t)
			f := open(t, harness.Setup{Redis: client, Shards: shards, Now: (noon + 500).Time()})
			batch, bad := hundred()
			// The server learns the scripts, and the connections are made.
			f.deliver(message("first", likeBy("somebody", "a1")), message("second", likeBy("somebody else", "a1")))
			for delivery, trips := range []int64{2, 1} { // again there is nothing to commit
				before := w.Count()
				failed := f.deliver(batch...)
				if got := w.Count() - before; got != trips {
					t.Errorf("delivery %d: %d round trips, want %d", delivery, got, trips)
				}
				if diff := cmp.Diff(bad, failed); diff != "" {
					t.Errorf("delivery %d (-want +got):\n%s", delivery, diff)
				}
				for user := range 20 {
					want := int64(10)
					if user == 17 || user == 0 || user == 19 { // who reported one less: m17, m40, m99
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
		})
	}
}

// halfway is a store that can't record one user's activities.
type halfway struct {
	queue.Store
	user  string
	calls int
}

var errDown = fmt.Errorf("%w: down", redisstore.ErrUnavailable)

// Record fails one user's activities and records the others.
func (h *halfway) Record(ctx context.Context, acts []activity.Activity, arrival ledger.Arrival) []pages.Result {
	h.calls++
	results := h.Store.Record(ctx, acts, arrival)
	for i, a := range acts {
		if a.User == h.user {
			results[i] = pages.Result{Err: errDown}
		}
	}
	return results
}

// What the store can't record fails the messages that it is of, and is recorded
// when they come again.
func TestWhatTheStoreFailsComesAgain(t *testing.T) {
	t.Parallel()
	partly := &halfway{user: "bob"}
	f := open(t, harness.Setup{}, func(o *queue.Options) {
		partly.Store, o.Store, o.Pending = o.Store, partly, nil
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
	if diff := cmp.Diff([]string{}, f.deliver(batch[1], batch[3])); diff != "" {
		t.Errorf("again (-want +got):\n%s", diff)
	}
	for _, user := range []string{"ann", "bob"} {
		if got := f.ScoreOn("2026-11-20", user); got != 4 {
			t.Errorf("%s has %d points, want 4", user, got)
		}
	}
}

// An unavailable Redis fails every message that it was needed for, and the next
// batch works when it is back.
func TestRedisUnavailable(t *testing.T) {
	t.Parallel()
	server := testserver.OwnRedis(t)
	client := server.Client()
	f := open(t, harness.Setup{Redis: client}, func(o *queue.Options) { o.Pending = nil })
	batch := []events.SQSMessage{message("1", likeBy("ann", "a1")), message("2", likeBy("bob", "a1")), message("3", `[]`)}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	response, err := f.handle(ctx, events.SQSEvent{Records: batch})
	if err != nil || len(response.BatchItemFailures) != 3 {
		t.Errorf("without time: %+v, %v", response, err)
	}
	server.Stop()
	if diff := cmp.Diff([]string{"3", "1", "2"}, f.deliver(batch...)); diff != "" {
		t.Errorf("unavailable (-want +got):\n%s", diff)
	}
	back := open(t, harness.Setup{})
	if diff := cmp.Diff([]string{"3"}, back.deliver(batch...)); diff != "" || back.ScoreOn("2026-11", "ann") != 2 {
		t.Errorf("back (-want +got):\n%s", diff)
	}
}

// What cannot be recorded while Redis is unavailable is kept, so that no message becomes a
// dead letter, and is of the moment when it was sent.
func TestMessagesArePendingWithoutRedis(t *testing.T) {
	t.Parallel()
	server := testserver.OwnRedis(t)
	f := open(t, harness.Setup{Redis: server.Client()})
	f.deliver(message("first", likeBy("ann", "a0"))) // it knows the stamp then
	server.Stop()
	if diff := cmp.Diff([]string{"bad"}, f.deliver(message("1", likeBy("ann", "a1")), message("bad", `[]`))); diff != "" {
		t.Errorf("unavailable (-want +got):\n%s", diff)
	}
	pending, err := f.Kept.Journal.Pending(t.Context(), 10)
	if err != nil || len(pending) != 1 || pending[0].Activities[0].Target != "a1" {
		t.Errorf("pending: %+v, %v", pending, err)
	}
}

// A process that knows an old stamp reads the new one, and records.
func TestAnotherStampIsRead(t *testing.T) {
	t.Parallel()
	f := open(t, harness.Setup{})
	f.deliver(message("first", likeBy("ann", "a0")))
	was, err := f.Kept.State.Stamp(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	next := *was
	next.Generation++
	err = errors.Join(f.Kept.State.ReplaceStamp(t.Context(), *was, next), f.Store.Redis().WriteStamp(t.Context(), next))
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(1100 * time.Millisecond) // the table is asked once a second
	f.deliver(message("1", likeBy("ann", "a1")))
	if n := f.ScoreOn("2026-11", "ann"); n != 4 {
		t.Errorf("ann has %d", n)
	}
}

// dying is a store that panics.
type dying struct{}

// Record panics.
func (dying) Record(context.Context, []activity.Activity, ledger.Arrival) []pages.Result {
	panic(errors.New("dead"))
}

// A panic is Lambda's to see, which delivers the batch again, and is measured.
func TestPanicsAreMeasured(t *testing.T) {
	t.Parallel()
	f := open(t, harness.Setup{}, func(o *queue.Options) { o.Store = dying{} })
	defer func() {
		if recover() == nil || !strings.Contains(f.metrics.String(), `"Errors":1`) {
			t.Errorf("measured:\n%s", f.metrics)
		}
	}()
	f.deliver(message("1", likeBy("ann", "a1")))
}

// The function is called by many at once, with the same messages among others'.
func TestManyBatchesAtOnce(t *testing.T) {
	t.Parallel()
	f := open(t, harness.Setup{Shards: 2})
	batch, bad := hundred()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if diff := cmp.Diff(bad, f.deliver(batch...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	all.Wait()
	if got := f.ScoreOn("2026-11", "user-1"); got != 10 {
		t.Errorf("user-1 has %d points, want 10", got)
	}
}

// Promise 10: what a message has of a user with a damaged page is kept as pending, once;
// without a journal, the message fails alone.
func TestPromise10DamagedPageInABatch(t *testing.T) {
	t.Parallel()
	for _, journal := range []bool{true, false} {
		f := open(t, harness.Setup{}, func(o *queue.Options) {
			if !journal {
				o.Pending = nil
			}
		})
		key := redisstore.PagesKey(0, "bob")
		if err := f.Redis.HSet(t.Context(), key, "2026-11", "rubbish").Err(); err != nil {
			t.Fatal(err)
		}
		failed := f.deliver(message("m1", likeBy("ann", "1")),
			message("m2", `{"activities":[`+likeBy("ann", "2")+`,`+likeBy("bob", "2")+`,`+likeBy("eve", "2")+`]}`))
		if want := map[bool]int{true: 0, false: 1}[journal]; len(failed) != want {
			t.Errorf("failed: %q", failed)
		}
		if ann, eve := f.ScoreOn("2026-11-20", "ann"), f.ScoreOn("2026-11-20", "eve"); ann != 4 || eve != 2 {
			t.Errorf("ann has %d, eve %d", ann, eve)
		}
		if !journal {
			continue
		}
		pending, err := f.Kept.Journal.Pending(t.Context(), 10)
		if err != nil || len(pending) != 1 || len(pending[0].Activities) != 1 || pending[0].Activities[0].User != "bob" {
			t.Errorf("pending: %+v, %v", pending, err)
		}
		if strings.Contains(f.Out.String(), "bob") {
			t.Errorf("the log has the id: %s", f.Out)
		}
	}
}
