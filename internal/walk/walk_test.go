package walk_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"laurel/internal/testserver"
	"laurel/shared/board"
)

// found are seeds of walks that once found something, foundWide of those of TestAnyLoss.
//
//nolint:gochecknoglobals // constant
var (
	found = []int{
		733, 787, 801, 917, 966, 968, 981, 1294, 1300, 1372, 1579, 1747, 1774, 1985, 2116, 3161, 3180, 3719, 3795,
		3821, 3829, 4984,
	}
	foundWide = []int{33, 46, 57, 59, 105, 137, 182, 204, 246}
)

// TestAnyOrder does everything that users and operators do, and that happens to stores, in
// any order: nothing that was accepted is lost, and every answer is the reference's.
// LAUREL_WALK names the seed of the only walk to take.
func TestAnyOrder(t *testing.T) {
	t.Parallel()
	walk(t, found, testserver.Times(30, 1000), false)
}

// TestAnyLoss is TestAnyOrder with failovers that lose operators' commands, too.
func TestAnyLoss(t *testing.T) {
	t.Parallel()
	walk(t, foundWide, testserver.Times(10, 1000), true)
}

// walk takes the walks of some seeds, and those from 1 on.
func walk(t *testing.T, seeds []int, more int, wide bool) {
	t.Helper()
	seeds = slices.Clone(seeds)
	for n := range more {
		seeds = append(seeds, n+1)
	}
	if text := os.Getenv("LAUREL_WALK"); text != "" {
		seed, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		seeds = []int{seed}
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			f := newForum(t, rand.New(rand.NewPCG(uint64(seed), 14)))
			f.wide = wide
			for range 40 {
				f.step()
			}
			f.end()
		})
	}
}

// step does something. Recovery runs within a day, as it does every hour.
func (f *forum) step() {
	f.wait(8 * time.Hour)
	if f.behind && f.moment()-f.since > board.Moment(15*hour) {
		f.recover(true)
	}
	switch n := f.rng.IntN(100); {
	case n < 34:
		f.record()
	case n < 40:
		f.load()
	case n < 46:
		f.status()
	case n < 49:
		f.follow()
	case n < 53:
		f.publish()
	case n < 57:
		f.edit()
	case n < 59:
		f.void()
	case n < 61:
		f.erase()
	case n < 71:
		f.archiveWhole(f.rng.IntN(3))
	case n < 73:
		f.archiveWhole(f.rng.IntN(20))
	case n < 77:
		f.recover(true)
	case n < 81:
		f.empty()
	case n < 82:
		f.rebuild()
	case n < 88:
		f.failOver()
	case n < 91:
		f.audit(false)
	case n < 92:
		f.audit(true)
	case n < 93:
		f.finish()
	case n < 95:
		f.reopen()
	default:
		f.quiet()
		f.compare()
	}
}

// archiveWhole is archive after what waits, such as voids, which would not find what is
// closed then.
func (f *forum) archiveWhole(days int) {
	if f.waits {
		f.recover(true)
	}
	f.archive(days)
}

// quiet has the stores be as they are after an hour without trouble.
func (f *forum) quiet() {
	for f.behind || f.waits || f.stale {
		if len(f.reopened) > 0 && f.behind && !f.waits {
			f.archive(0) // one that was killed may have replaced a copy
		} else if f.waits || f.rng.IntN(2) == 0 {
			f.recover(true)
		}
		if f.behind || f.stale {
			f.archive(0)
		}
	}
}

// end has everything become final that ever is.
func (f *forum) end() {
	f.quiet()
	f.finish()
	f.compare()
	last := f.Calendar.Date(f.moment())
	for _, at := range f.places() {
		if at.period.Window() <= board.Month {
			last = max(last, at.period.Last())
		}
	}
	for f.Calendar.Date(f.moment()) < last+board.Date(f.HotDays+31*f.HotMonths+14) {
		f.archive(15)
		f.quiet()
	}
	f.calm = true
	f.recover(true)
	f.archive(0)
	f.compare()
	f.audit(false)
	for _, at := range f.places() {
		if _, final := f.model.final[at]; !final && at.period.Window() <= board.Month && len(f.model.whole(at)) > 0 {
			f.Errorf("%s is not final", at)
		}
	}
}
