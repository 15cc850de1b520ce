package recovery_test

import (
	"errors"
	"testing"

	"laurel/internal/testserver"
	"laurel/shared/board"
	"laurel/shared/recovery"
	"laurel/shared/redisstore"
)

// finals returns the final periods.
func (f *forum) finals() (all []redisstore.LivePeriod) {
	for _, name := range f.Rules.Boards() {
		for _, w := range f.Rules.Windows(name) {
			finals, err := f.archive.Periods(f.Context(), name, w, board.Period{}, 1_000)
			f.must(err)
			for _, final := range finals {
				all = append(all, redisstore.LivePeriod{Board: name, Period: final.Period})
			}
		}
	}
	return all
}

// copied returns the archive's copy of a board.
func (f *forum) copied(at redisstore.LivePeriod) (entries []board.Entry) {
	f.Helper()
	for e, err := range f.archive.Entries(f.Context(), at.Board, at.Period) {
		f.must(err)
		entries = append(entries, e)
	}
	return entries
}

func (f *forum) reopen(at redisstore.LivePeriod, apply bool) (recovery.Reopened, error) {
	return recovery.Reopen(f.Context(), f.options(), recovery.Reopening{Board: at.Board, Period: at.Period, Apply: apply})
}

// Any final period of any forum can be reopened, in any order, and the night makes it final
// again as it was, but for users who were hidden or excluded, or are now. A dry run changes
// nothing. What cannot be right is refused.
func TestReopenAnything(t *testing.T) {
	t.Parallel()
	for i := range testserver.Rounds(2, 30) {
		f := lived(t, uint64(20+i), 1+i%3)
		f.night()
		for _, user := range f.users {
			f.must(f.stores[0].SetHidden(t.Context(), user, false))
			f.must(f.stores[0].SetExclusion(t.Context(), user, false))
		}
		all := f.finals()
		f.rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		refused, reopened, differ := 0, 0, 0
		for _, at := range all[:min(len(all), 25)] {
			before, was := f.answers(), f.copied(at)
			told, err := f.reopen(at, false)
			f.compare(before, f.answers())
			if errors.Is(err, recovery.ErrMonthFinal) {
				refused++
				continue
			}
			f.must(err)
			again, err := f.reopen(at, true)
			f.must(err)
			told.Applied, told.Seconds, again.Seconds = true, 0, 0
			equal(t, "told of the dry run", told, again)
			var live []board.Entry
			for e, err := range f.stores[0].Entries(t.Context(), at.Board, at.Period) {
				f.must(err)
				live = append(live, e)
			}
			if told.Added+told.Differs+told.Suppressed+told.Erased == 0 {
				equal(t, "board of "+redisstore.PeriodName(at.Board, at.Period), was, live)
			} else {
				differ++
			}
			equal(t, "the copy", was, f.copied(at))
			reopened++
			if f.rng.IntN(3) > 0 {
				f.night()
				equal(t, "final again", live, f.copied(at))
			}
		}
		t.Logf("%d periods: %d refused, %d reopened, %d with differences", len(all), refused, reopened, differ)
		f.night()
	}
}
