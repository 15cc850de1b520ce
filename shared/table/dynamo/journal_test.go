package dynamo_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/stream"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/journal"
	"laurel/shared/ledger"
	"laurel/shared/ledger/reference"
	"laurel/shared/live"
	"laurel/shared/pages"
	"laurel/shared/table"
)

// journalOn is a journal as recording uses it.
type journalOn struct{ *journal.Journal }

// Begin begins an entry of now.
func (j journalOn) Begin() func(context.Context, []ledger.Row) error {
	entry := j.NewEntry(board.MomentOf(time.Now()))
	return func(ctx context.Context, rows []ledger.Row) error { return entry.Put(ctx, rows...) }
}

// recordAnswered records each batch until all of it is answered, by four writers, and
// returns how many times something was not.
func recordAnswered(t *testing.T, store *live.Store, batches [][]activity.Activity) (failed int64) {
	t.Helper()
	todo := make(chan []activity.Activity, len(batches))
	for _, b := range batches {
		todo <- b
	}
	close(todo)
	var mu sync.Mutex
	var writers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			for batch := range todo {
				for len(batch) > 0 {
					var again []activity.Activity
					for i, r := range store.Record(t.Context(), batch, harness.History) {
						switch {
						case errors.Is(r.Err, table.ErrUnavailable):
							again = append(again, batch[i])
						case r.Err != nil:
							t.Error(r.Err)
						}
					}
					mu.Lock()
					failed += int64(len(again))
					mu.Unlock()
					batch = again
				}
			}
		})
	}
	writers.Wait()
	return failed
}

// Promise 5: whatever DynamoDB refuses, does not answer, or answers with an error after it
// has written: what was answered is on the boards and in the journal, once, and what was
// not is not.
func TestPromise5RecordingThroughFaults(t *testing.T) {
	t.Parallel()
	for name, faults := range map[string]*faultyTransport{
		"throttled":             {Throttled: 0.8},
		"broken":                {Broken: 0.8},
		"written, not answered": {Lost: 0.8},
		"everything":            {Throttled: 0.5, Broken: 0.4, Lost: 0.5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(3, 4))
			forum, err := stream.NewForum(rng)
			if err != nil {
				t.Fatal(err)
			}
			acts := forum.Activities(rng, 300, []string{"ada", "bob", "eve", "é", "u5", "u6"})
			ref := reference.New(forum.Rules, forum.Calendar)
			for _, a := range acts {
				ref.Add(a)
			}
			l, clock := ledger.New(forum.Rules, forum.Calendar), time.Now
			items := through(t, faults, clock)
			items.Hurry()
			store := live.New(testserver.Redis(t), l, 2)
			kept := journal.New(items)
			store.Keep(journalOn{kept})
			if failed := recordAnswered(t, store, stream.Deliver(rng, acts, 20)); failed == 0 {
				t.Error("nothing failed")
			}
			harness.CompareBoards(t, store, forum, ref)

			before := harness.Everything(t, store.Redis().Client())
			*faults = faultyTransport{Broken: 1} // for an hour
			for _, r := range store.Record(t.Context(), []activity.Activity{harness.Did(t, "new visit 1", acts[0].At)},
				harness.History) {
				if !errors.Is(r.Err, table.ErrUnavailable) {
					t.Errorf("unavailable: %+v", r)
				}
			}
			if len(before) != len(harness.Everything(t, store.Redis().Client())) {
				t.Error("something was committed")
			}
			*faults = faultyTransport{}
			filled := live.New(testserver.Redis(t), l, 2)
			now := board.MomentOf(time.Now())
			merge := func(_ board.Moment, rows []ledger.Row) error {
				for i := range rows {
					one := []pages.UserRows{{User: rows[i].User, Rows: rows[i : i+1]}}
					if _, err := filled.Merge(t.Context(), one, false); err != nil {
						return err
					}
				}
				return nil
			}
			if err := kept.Read(t.Context(), now.Add(-time.Hour), now.Add(time.Minute), merge); err != nil {
				t.Fatal(err)
			}
			harness.CompareBoards(t, filled, forum, ref)
		})
	}
}
