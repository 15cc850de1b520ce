package walk_test

import (
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/core/board"
)

// After any acts in any order, and any faults of processes and of Redis: answered reports are in the ledgers and no
// others are, boards become equal to the ledgers by themselves, and a final board stays as it was made. LAUREL_WALK
// names the seed of the only walk to take.
func TestWalk(t *testing.T) {
	t.Parallel()
	debug.SetGCPercent(400) // a third of the CPU was the collector's
	var seeds []uint64
	for n := range uint64(testserver.Rounds(12, 1000)) {
		seeds = append(seeds, n+1)
	}
	// Something was wrong in these.
	for _, found := range []uint64{
		144, 210, 231, 315, 373, 410, 497, 634, 640, 813, 814, 870, 951, 1040, 1085, 1168, 1244, 4069, 4306, 4324, 5025,
	} {
		if found > uint64(len(seeds)) {
			seeds = append(seeds, found)
		}
	}
	if text := os.Getenv("LAUREL_WALK"); text != "" {
		seeds = []uint64{harness.Must(strconv.ParseUint(text, 10, 64))(t)}
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			newForum(t, seed, false).walk()
		})
		if seed%2 == 0 {
			t.Run(fmt.Sprint("in memory seed ", seed), func(t *testing.T) {
				t.Parallel()
				newForum(t, seed, true).walk()
			})
		}
	}
}

func (f *forum) walk() {
	f.Helper()
	for range 60 {
		f.step()
	}
	f.quiet()
	f.compare()
	f.finish()
}

// finish makes every period final that can be.
func (f *forum) finish() {
	last := f.calendar.Date(f.moment())
	for f.calendar.Date(f.moment()) < last+board.Date(f.config.HotDays+31*f.config.HotMonths+45) {
		f.Set(f.Now().Add(15 * 24 * time.Hour))
		f.quiet()
	}
	f.compare()
	for p := board.PeriodOf(board.Month, f.first); p.First() <= last; p = p.Next() {
		if !f.life.Final(p) {
			f.Errorf("%s is not final", p)
		}
	}
	for _, p := range f.rules.Contests() {
		if !f.life.Final(p) && p.Last() <= last && p.Last() >= f.first {
			f.Errorf("%s is not final", p.Text())
		}
	}
}
