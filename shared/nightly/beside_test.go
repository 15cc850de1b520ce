package nightly_test

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/ledger/reference"
	"laurel/shared/live"
	"laurel/shared/nightly"
	"laurel/shared/pages"
)

// Two runs start at random moments while writers record into due periods: each activity
// is on the final boards or was refused, and the boards are those of the accepted ones.
func TestRunsAndWritersBesideEachOther(t *testing.T) {
	t.Parallel()
	for episode := range 6 {
		t.Run(fmt.Sprint(episode), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(uint64(episode), 23))
			f := open(t, 1+episode%2)
			now := at(t, "2026-12-10T03:00") // days are due
			if episode%3 == 0 {
				now = at(t, "2027-02-10T03:00") // their month too
			}
			batches := dueBatches(t, rng, 4_000)
			answers := f.recordBesideRuns(t, rng, now, batches)
			ref := reference.New(f.Ledger.Rules(), f.Ledger.Calendar())
			refused := 0
			for i, batch := range batches {
				for j, r := range answers[i] {
					switch {
					case r.Err != nil:
						t.Fatal(r.Err)
					case r.Status == ledger.TooLate:
						refused++
					default:
						ref.Add(batch[j])
					}
				}
			}
			if refused == 0 || refused > 3_900 {
				t.Errorf("%d of 4000 were refused: the runs were not beside the writers", refused)
			}
			f.run(t, now) // activities recorded after both runs had read the periods
			for _, name := range []string{"activity", "steps"} {
				for _, w := range f.Ledger.Rules().Windows(name) {
					for _, p := range ref.Periods(name, w) {
						equal(t, name+" "+p.String(), ref.Board(name, p), f.board(t, name, p))
					}
				}
			}
			if episode%3 == 0 {
				f.onlyClosed(t)
			}
		})
	}
}

// dueBatches returns activities of four days; each day has its own targets, so that a
// final day has exactly the accepted activities.
func dueBatches(t *testing.T, rng *rand.Rand, n int) [][]activity.Activity {
	t.Helper()
	actions := []string{"visit", "like", "unlike", "comment", "publish", "bookmark"}
	var batches [][]activity.Activity
	for n > 0 {
		batch := make([]activity.Activity, min(1+rng.IntN(30), n))
		for i := range batch {
			day := 17 + rng.IntN(4)
			batch[i] = activity.Activity{
				User: fmt.Sprint("user-", rng.IntN(12)), Action: actions[rng.IntN(len(actions))],
				Target: fmt.Sprintf("%d-%d", day, rng.IntN(8)),
				At:     at(t, fmt.Sprintf("2026-11-%dT0%d:00", day, rng.IntN(10))) + board.Moment(rng.IntN(1_000)),
			}
		}
		batches, n = append(batches, batch), n-len(batch)
	}
	return batches
}

func (f *stores) recordBesideRuns(t *testing.T, rng *rand.Rand, now board.Moment,
	batches [][]activity.Activity,
) [][]pages.Result {
	t.Helper()
	answers := make([][]pages.Result, len(batches))
	todo := make(chan int)
	starts := []chan struct{}{make(chan struct{}), make(chan struct{})}
	begin := map[int]int{len(batches)/4 + rng.IntN(len(batches)/4): 0}
	begin[len(batches)/2+rng.IntN(len(batches)/4)] = 1
	var wg sync.WaitGroup
	for range 4 {
		store := live.New(f.Client, f.Ledger, f.Live.Shards())
		wg.Go(func() {
			for i := range todo {
				answers[i] = store.Record(t.Context(), batches[i], ledger.Arrival{Now: now, AnyAge: true})
			}
		})
	}
	first := make(chan struct{})
	for i, start := range starts {
		wait := time.Duration(rng.IntN(20)) * time.Millisecond
		wg.Go(func() {
			<-start
			if i == 0 {
				close(first)
			} else { // beside the first one
				<-first
				time.Sleep(wait)
			}
			if result, err := nightly.Run(t.Context(), f.Night(now)); err != nil {
				t.Errorf("run %d: %+v, %v", i, result, err)
			}
		})
	}
	for i := range batches {
		if run, ok := begin[i]; ok {
			close(starts[run])
		}
		todo <- i
	}
	close(todo)
	wg.Wait()
	return answers
}

// Runs that start at the same moment, several times, leave one archive.
func TestRunsAtOnce(t *testing.T) {
	t.Parallel()
	f, now := openFilled(t, 2), at(t, "2027-02-10T03:00")
	f.run(t, now)
	bytes := f.dump(t, f.periods...)
	for i := range 10 {
		f.again(t)
		var wg sync.WaitGroup
		for range 3 {
			wait := time.Duration(rand.IntN(8)) * time.Millisecond
			wg.Go(func() {
				time.Sleep(wait)
				result, err := nightly.Run(context.WithoutCancel(t.Context()), f.Night(now))
				if err != nil || len(result.Failed) > 0 {
					t.Errorf("round %d: %+v, %v", i, result, err)
				}
			})
		}
		wg.Wait()
		f.run(t, now)
		equal(t, fmt.Sprint("bytes of round ", i), bytes, f.dump(t, f.periods...))
		f.onlyClosed(t)
	}
}

// overtaken is a Redis whose boards another run moves while they are read.
type overtaken struct {
	nightly.Live
	other func()
}

func (o overtaken) Entries(ctx context.Context, name string, p board.Period) iter.Seq2[board.Entry, error] {
	o.other()
	return o.Live.Entries(ctx, name, p)
}

// A run whose board another run moves at the same time continues with the next board.
func TestOvertakenRunContinues(t *testing.T) {
	t.Parallel()
	f, now := openFilled(t, 2), at(t, "2027-02-10T03:00")
	o := f.Night(now)
	o.Live = overtaken{f.Live, sync.OnceFunc(func() { f.run(t, now) })}
	result, err := nightly.Run(t.Context(), o)
	if err != nil || len(result.Moved) != len(f.periods) || !result.Moved[0].WasFinal || result.Moved[0].Entries != 5 {
		t.Errorf("%+v, %v", result, err)
	}
	f.sameBoards(t, "after the run")
	f.onlyClosed(t)
}
