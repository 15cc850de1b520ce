package recovery_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/recovery"
)

// Users who are erased beside writers, whose clocks are ahead or who are late, and beside
// a replay, are gone up to the moment of the tombstone, and a rebuild makes the same of
// the journal.
func TestErasedBesideWriters(t *testing.T) {
	t.Parallel()
	for i := range testserver.Rounds(6, 60) {
		f := newForum(t, rand.New(rand.NewPCG(uint64(i), 80)), 1+i%3)
		f.real = true
		began := board.MomentOf(time.Now())
		beside, stop := context.WithCancel(t.Context())
		var writers, others sync.WaitGroup
		var mu sync.Mutex
		recording := make([]board.Moment, len(f.stores)) // since when, 0 for not
		for w, store := range f.stores {
			rng := rand.New(rand.NewPCG(uint64(i), uint64(w)))
			others.Go(func() {
				for beside.Err() == nil {
					var acts []activity.Activity
					mu.Lock()
					arrival := board.MomentOf(time.Now())
					recording[w] = arrival
					mu.Unlock()
					for range 1 + rng.IntN(6) {
						a := activity.Activity{
							User:   f.users[rng.IntN(3)],
							Action: []string{"visit", "like", "follow", "unfollow"}[rng.IntN(4)],
							Target: f.users[3+rng.IntN(3)],
							At:     arrival + board.Moment(rng.IntN(300)-200),
						}
						if rng.IntN(3) == 0 {
							a.User, a.Target = a.Target, a.User
						}
						acts = append(acts, a)
					}
					for _, r := range store.Record(t.Context(), acts, ledger.Arrival{Now: arrival}) {
						if r.Err != nil {
							t.Error(r.Err)
						}
						if r.Status == ledger.WasErased {
							f.late.Add(1)
						}
					}
					mu.Lock()
					recording[w] = 0
					mu.Unlock()
					if rng.IntN(4) == 0 {
						err := store.ReplaceFollowing(t.Context(), f.users[rng.IntN(3)], f.users[3:4+rng.IntN(3)], arrival)
						if err != nil && !errors.Is(err, ledger.ErrErased) {
							t.Error(err)
						}
					}
				}
			})
		}
		others.Go(func() {
			for beside.Err() == nil {
				mu.Lock()
				until := board.MomentOf(time.Now()) - 1
				for _, since := range recording {
					if since > 0 { // what is on its way, a conflict may take back
						until = min(until, since-1)
					}
				}
				mu.Unlock()
				if _, err := recovery.Replay(t.Context(), f.options(), began-1_000, until); err != nil {
					t.Error(err)
				}
			}
		})
		for w := range 2 {
			writers.Go(func() {
				for n := range 6 {
					time.Sleep(20 * time.Millisecond)
					_, err := f.eraser.Erase(t.Context(), f.users[(n+3*w)%6])
					f.must(err)
				}
			})
		}
		writers.Wait()
		stop()
		others.Wait()
		if f.late.Load() == 0 {
			t.Error("nothing was late")
		}
		f.now = board.MomentOf(time.Now())
		before := f.answers()
		if done, err := recovery.Replay(t.Context(), f.options(), began-1_000, f.now+1_000); err != nil || done.Changed > 0 {
			t.Errorf("a replay: %+v, %v; want no change", done, err)
		}
		f.lose("")
		f.rebuild()
		f.compare(before, f.answers())
	}
}
