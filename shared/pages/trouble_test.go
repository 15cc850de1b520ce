package pages_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/redisstore"
)

// stuck is a journal whose first entry takes until it is freed.
type stuck struct {
	once       sync.Once
	here, free chan struct{}
}

// Begin begins an entry.
func (s *stuck) Begin() func(context.Context, []ledger.Row) error {
	first := false
	s.once.Do(func() { first = true })
	return func(context.Context, []ledger.Row) error {
		if first {
			close(s.here)
			<-s.free
		}
		return nil
	}
}

// Promise 10: whatever keeps a user's activities from being recorded, the others of the batch
// are.
func TestPromise10OthersOfTheBatchAreRecorded(t *testing.T) {
	t.Parallel()
	client, noon := testserver.Redis(t), harness.At(t, "2026-11-20T12:00")
	store := live.New(client, harness.UTC(), 1)
	journal := &stuck{here: make(chan struct{}), free: make(chan struct{})}
	store.Keep(journal)
	month := ledger.MonthPage(harness.Period(t, "2026-11").First().Month()).String()
	client.HSet(t.Context(), redisstore.PagesKey(0, "ann"), month, "x")
	client.Set(t.Context(), redisstore.PagesKey(0, "bob"), "x", 0)
	client.Set(t.Context(), redisstore.FriendsKey(0, "cid"), "x", 0)
	var other sync.WaitGroup
	other.Go(func() {
		store.Record(t.Context(), []activity.Activity{harness.Did(t, "zoe like 1", noon)}, ledger.Arrival{Now: noon})
	})
	<-journal.here
	for who, want := range map[string]error{
		"ann like 1":     redisstore.ErrDamaged, // the page
		"bob like 1":     redisstore.ErrDamaged, // pages of another type
		"cid follow eve": redisstore.ErrDamaged, // a follow list of another type
		"zoe like 2":     redisstore.ErrBusy,    // the lock
	} {
		results := store.Record(t.Context(), []activity.Activity{
			harness.Did(t, who, noon), harness.Did(t, "eve like "+who[:3], noon),
		}, ledger.Arrival{Now: noon})
		if !results[0].Own() || !errors.Is(results[0].Err, want) {
			t.Errorf("%s: %+v, want %v", who, results[0], want)
		}
		if results[1].Err != nil || results[1].Status != ledger.Counted {
			t.Errorf("%s: another user has %+v", who, results[1])
		}
	}
	close(journal.free)
	other.Wait()
}
