package journal_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/board"
	"laurel/shared/journal"
	"laurel/shared/ledger"
	"laurel/shared/table"
)

func seal(t *testing.T, j *journal.Journal, d board.Date) journal.Sealed {
	t.Helper()
	sealed, err := j.Seal(t.Context(), d, unchanged)
	if err != nil {
		t.Fatal(err)
	}
	return sealed
}

// expectSealed checks that the sealed day has the rows of its arrivals once, by user.
func expectSealed(t *testing.T, j *journal.Journal, all map[board.Moment][]ledger.Row) {
	t.Helper()
	var want []ledger.Row
	seen := map[string]bool{}
	for _, row := range flatten(all, start, start+untilNext) {
		if !seen[text(row)] {
			seen[text(row)] = true
			want = append(want, row)
		}
	}
	sealed, err := j.Sealed(t.Context(), day)
	if err != nil || sealed.Rows != int64(len(want)) {
		t.Fatalf("got %d rows, %v, want %d", sealed.Rows, err, len(want))
	}
	same(t, byUser(t, j, sealed), want)
}

func byUser(t *testing.T, j *journal.Journal, days ...journal.Sealed) (all []ledger.Row) {
	t.Helper()
	before := ""
	err := j.ByUser(t.Context(), days, func(user string, rows []ledger.Row) error {
		if user <= before || len(rows) == 0 {
			t.Errorf("got %d rows of %q after %q", len(rows), user, before)
		}
		for _, row := range rows {
			if row.User != user {
				t.Errorf("got a row of %q for %q", row.User, user)
			}
		}
		before, all = user, append(all, rows...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestSealHoldsEachRowOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, j *journal.Journal, store table.Store) {
		t.Helper()
		rng := rand.New(rand.NewPCG(3, 1))
		all := fill(t, j, rng, 300)
		for arrival := range all { // the same rows in two entries
			put(t, j.NewEntry(arrival), all[arrival]...)
		}
		if _, err := j.Sealed(t.Context(), day); !errors.Is(err, journal.ErrNotSealed) {
			t.Errorf("before it is sealed: %v", err)
		}
		first := seal(t, j, day)
		if diff := cmp.Diff(first.Keys(), seal(t, j, day).Keys()); diff != "" {
			t.Errorf("sealed again (-first +second):\n%s", diff)
		}
		expectSealed(t, j, all)
		// The next seal has what was put in the meantime, and the former segments are deleted.
		for arrival, rows := range fill(t, j, rng, 50) {
			all[arrival] = append(all[arrival], rows...)
		}
		seal(t, j, day)
		expectSealed(t, j, all)
		if items, err := store.Get(t.Context(), first.Keys()...); err != nil || len(items) > 0 {
			t.Errorf("%d former segments are left, %v", len(items), err)
		}
	})
}

// Rows that are not to be kept are left out.
func TestSealedRowsAreCompact(t *testing.T) {
	t.Parallel()
	j := journal.New(open(t))
	row := like("ada", "7", start)
	put(t, j.NewEntry(start), row, like("bob", "7", start))
	put(t, j.NewEntry(start+1), row)
	compact := row
	compact.Target, compact.Key = "", "\x01\x07"
	sealed, err := j.Seal(t.Context(), day, func(arrival board.Moment, row ledger.Row) (ledger.Row, bool) {
		return compact, arrival == start && row.User == "ada"
	})
	if err != nil {
		t.Fatal(err)
	}
	same(t, byUser(t, j, sealed), []ledger.Row{compact})
}

// Days are merged by user; the users of a day are in several segments, and a user's rows
// can be.
func TestDaysAreMergedByUser(t *testing.T) {
	t.Parallel()
	j := journal.New(open(t))
	var want []ledger.Row
	for d := range 4 {
		for i := range 3 {
			arrival := start + board.Moment(d)*untilNext + board.Moment(i)*hour
			var rows []ledger.Row
			for n := range 1_100 * d {
				rows = append(rows, like(fmt.Sprintf("u%03d", n%(7+90*i)), fmt.Sprint(n), arrival+board.Moment(n)))
			}
			put(t, j.NewEntry(arrival), rows...)
			want = append(want, rows...)
		}
		seal(t, j, day+board.Date(d))
	}
	days, err := j.SealedDays(t.Context(), day, day+9)
	if err != nil || len(days) != 4 || days[0].Rows != 0 || days[3].Rows != 9_900 || len(days[3].Keys()) != 10 {
		t.Fatalf("got %+v, %v", days, err)
	}
	same(t, byUser(t, j, days...), want)
	days, err = j.SealedDays(t.Context(), day+1, day+2)
	if err != nil || len(days) != 2 || days[0].Day != day+1 {
		t.Errorf("got %+v, %v", days, err)
	}
	errEnough := errors.New("enough")
	err = j.ByUser(t.Context(), days, func(string, []ledger.Row) error { return errEnough })
	if !errors.Is(err, errEnough) {
		t.Errorf("got %v", err)
	}
}

func TestOldSealsAreDeleted(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, j *journal.Journal, store table.Store) {
		t.Helper()
		oldest := board.DateOf(2025, 10, 1) // kept in November 2026, with 13 months
		var old journal.Sealed
		for _, d := range []board.Date{oldest - 40, oldest - 1, oldest, day} {
			arrival := board.Moment(int64(d) * int64(untilNext))
			put(t, j.NewEntry(arrival), like("ada", "7", arrival))
			if sealed := seal(t, j, d); d == oldest-1 {
				old = sealed
			}
		}
		for _, want := range []int{2, 0} {
			if n, err := j.Expire(t.Context(), day, 13); err != nil || n != want {
				t.Errorf("deleted %d, %v, want %d", n, err, want)
			}
		}
		days, err := j.SealedDays(t.Context(), 1, day)
		if err != nil || len(days) != 2 || days[0].Day != oldest || len(byUser(t, j, days...)) != 2 {
			t.Errorf("got %+v, %v", days, err)
		}
		if items, err := store.Get(t.Context(), old.Keys()...); err != nil || len(items) > 0 {
			t.Errorf("%d segments are left, %v", len(items), err)
		}
	})
}

func TestMissingSegmentIsDamage(t *testing.T) {
	t.Parallel()
	store := open(t)
	j := journal.New(store)
	fill(t, j, rand.New(rand.NewPCG(3, 2)), 50)
	sealed := seal(t, j, day)
	if err := store.Delete(t.Context(), sealed.Keys()...); err != nil {
		t.Fatal(err)
	}
	if err := j.ByUser(t.Context(), []journal.Sealed{sealed}, nil); !errors.Is(err, journal.ErrDamaged) {
		t.Errorf("got %v", err)
	}
}

// A sealed row takes few bytes.
func TestSealedRowsAreSmall(t *testing.T) {
	t.Parallel()
	store := open(t)
	j, rng := journal.New(store), rand.New(rand.NewPCG(5, 1))
	for range 60 {
		arrival := start + board.Moment(rng.Int64N(int64(untilNext)))
		rows := make([]ledger.Row, 500)
		for i := range rows {
			rows[i] = like(fmt.Sprint(1_000_000+rng.IntN(3_000)), fmt.Sprint(1_000_000+rng.IntN(9_000_000)), arrival)
		}
		put(t, j.NewEntry(arrival), rows...)
	}
	sealed, bytes := seal(t, j, day), 0
	for _, key := range sealed.Keys() {
		items, err := store.Get(t.Context(), key)
		if err != nil || len(items) != 1 {
			t.Fatal(items, err)
		}
		bytes += len(items[0].Data)
	}
	each := float64(bytes) / float64(sealed.Rows)
	t.Logf("%.1f bytes a row", each)
	if each > 9 {
		t.Errorf("a sealed row takes %.1f bytes", each)
	}
}
