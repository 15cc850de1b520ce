package journal_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"laurel/shared/board"
	"laurel/shared/journal"
)

// Entries of an unsealed day are put again once they would expire within 15 days; those of
// other days are left.
func TestEntriesAreRenewed(t *testing.T) {
	t.Parallel()
	store := open(t)
	j := journal.New(store)
	all := fill(t, j, rand.New(rand.NewPCG(11, 1)), 300)
	first, outside := j.NewEntry(start), j.NewEntry(start-1)
	put(t, first, like("ada", "7", start))
	put(t, outside, like("ada", "8", start))
	expires := func(e *journal.Entry) time.Duration {
		items, err := store.Get(t.Context(), e.Key())
		if err != nil || len(items) != 1 {
			t.Fatal(items, err)
		}
		return time.Unix(items[0].Expires, 0).Sub(start.Time())
	}
	const aDay = 24 * time.Hour
	for _, c := range []struct {
		after time.Duration
		some  bool
		until time.Duration
	}{
		{19 * aDay, false, 35 * aDay},
		{21 * aDay, true, 56 * aDay},
		{22 * aDay, false, 56 * aDay},
		{42 * aDay, true, 77 * aDay},
	} {
		n, err := j.Renew(t.Context(), day, start.Add(c.after))
		if err != nil || (n > 200) != c.some || (n > 0) != c.some || expires(first) != c.until {
			t.Errorf("after %s: %d renewed, %v, the first until %s", c.after, n, err, expires(first))
		}
	}
	if got := expires(outside); got > 35*aDay {
		t.Errorf("an entry of the day before is kept until %s", got)
	}
	all[start] = append(all[start], like("ada", "7", start))
	same(t, read(t, j, start, start+untilNext), flatten(all, start, start+untilNext))
}

func TestDaysOfTheJournal(t *testing.T) {
	t.Parallel()
	for m, want := range map[board.Moment]board.Date{start: day, start - 1: day - 1, start + untilNext - 1: day} {
		if got := journal.DayOf(m); got != want || journal.StartOf(day) != start {
			t.Errorf("%s is on %s, want %s", m, got, want)
		}
	}
}
