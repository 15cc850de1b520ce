package live_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/testserver"
	"laurel/shared/board"
	"laurel/shared/live"
)

func TestPeriodsAreListedWithTheirTotals(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 3} {
		store := live.New(testserver.Redis(t), utc(), shards)
		if periods, err := store.Periods(t.Context()); err != nil || len(periods) != 0 {
			t.Errorf("without anyone: %v, %v", periods, err)
		}
		noon := at(t, "2026-11-20T12:00")
		record(t, store, did(t, "ada like 1", noon), did(t, "bob like 1", noon), did(t, "eve like 1", noon), did(t, "ada like 1", at(t, "2026-12-01T12:00")))
		record(t, store, did(t, "ada unlike 1", at(t, "2026-12-01T12:01"))) // both: they are on nobody's board
		want := []live.LivePeriod{
			{Board: "activity", Period: period(t, "2026-11-20"), Total: 2},
			{Board: "activity", Period: period(t, "2026-12-01")},
			{Board: "activity", Period: period(t, "2026-11"), Total: 2},
			{Board: "activity", Period: period(t, "2026-12")},
		}
		equal := cmp.Comparer(func(a, b live.LivePeriod) bool { return a == b })
		got, err := store.Periods(t.Context())
		if diff := cmp.Diff(want, got, equal); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		got, err = store.PeriodsOf(t.Context(), "activity", board.Day)
		if diff := cmp.Diff([]live.LivePeriod{want[1], want[0]}, got, equal); diff != "" || err != nil {
			t.Errorf("days, the newest first: %v (-want +got):\n%s", err, diff)
		}
		months, err := store.Months(t.Context())
		if err != nil || len(months) != 2 || months[0].String() != "2026-11" || months[1].String() != "2026-12" {
			t.Errorf("months %v, %v", months, err)
		}
	}
}

// A deliberate exception to promise 6: what the nightly run lists takes two round
// trips, whatever there is.
func TestListingTakesTwoRoundTrips(t *testing.T) {
	t.Parallel()
	client, w := testserver.CountedRedis(t)
	store := live.New(client, utc(), 4)
	record(t, store, did(t, "ada like 1", at(t, "2026-11-20T12:00")))
	if _, err := store.Periods(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.Expect(t, "the periods", 2, func() {
		if _, err := store.Periods(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// The months at both ends of what moments can be are found too.
func TestMonthsAtBothEnds(t *testing.T) {
	t.Parallel()
	store := live.New(testserver.Redis(t), utc(), 1)
	record(t, store, did(t, "ada unlike 1", board.Earliest))
	months, err := store.Months(t.Context())
	if err != nil || fmt.Sprint(months) != "[1999-12 2000-01]" {
		t.Errorf("%v, %v", months, err)
	}
}

// A whole board is gone over in the order that it is read in by pages, of any
// number of shards.
func TestEntriesAreInTheBoardsOrder(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 9))
	day := period(t, "2026-11-20")
	for shards, n := range map[int]int{1: 4_000, 2: 6_001, 3: 2} {
		client := testserver.Redis(t)
		store := live.New(client, utc(), shards)
		want := make([]board.Entry, n)
		for i := range want {
			want[i] = board.Entry{User: fmt.Sprint("user-", i), Packed: board.Pack(1+rng.Int64N(9), rng.Int64N(5))}
		}
		putBack(t, store, day, want)
		closePeriod(t, store, "activity", day)
		var got []board.Entry
		for e, err := range store.Entries(t.Context(), "activity", day) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, e)
		}
		if diff := cmp.Diff(sorted(want), got); diff != "" {
			t.Errorf("%d shards (-want +got):\n%.500s", shards, diff)
		}
		if total, err := store.Total(t.Context(), "activity", day); err != nil || total != int64(n) {
			t.Errorf("%d shards: total %d, %v", shards, total, err)
		}
		for _, err := range store.Entries(t.Context(), "activity", day) {
			if err != nil {
				t.Error(err)
			}
			break // it can be left early
		}
	}
}
