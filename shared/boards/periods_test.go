package boards_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/board"
	"laurel/shared/live"
	"laurel/shared/redisstore"
)

func TestPeriodsAreListedWithTheirTotals(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 3} {
		store := live.New(testserver.Redis(t), harness.UTC(), shards)
		if periods, err := store.Periods(t.Context()); err != nil || len(periods) != 0 {
			t.Errorf("without anyone: %v, %v", periods, err)
		}
		noon := harness.At(t, "2026-11-20T12:00")
		harness.Record(t, store, harness.Did(t, "ada like 1", noon), harness.Did(t, "bob like 1", noon),
			harness.Did(t, "eve like 1", noon), harness.Did(t, "ada like 1", harness.At(t, "2026-12-01T12:00")))
		harness.Record(t, store, harness.Did(t, "ada unlike 1",
			harness.At(t, "2026-12-01T12:01"))) // both: they are on nobody's board
		want := []redisstore.LivePeriod{
			{Board: "activity", Period: harness.Period(t, "2026-11-20"), Total: 2},
			{Board: "activity", Period: harness.Period(t, "2026-12-01")},
			{Board: "activity", Period: harness.Period(t, "2026-11"), Total: 2},
			{Board: "activity", Period: harness.Period(t, "2026-12")},
		}
		equal := cmp.Comparer(func(a, b redisstore.LivePeriod) bool { return a == b })
		got, err := store.Periods(t.Context())
		if diff := cmp.Diff(want, got, equal); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		got, err = store.PeriodsOf(t.Context(), "activity", board.Day)
		if diff := cmp.Diff([]redisstore.LivePeriod{want[1], want[0]}, got, equal); diff != "" || err != nil {
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
	store := live.New(client, harness.UTC(), 4)
	harness.Record(t, store, harness.Did(t, "ada like 1", harness.At(t, "2026-11-20T12:00")))
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
	store := live.New(testserver.Redis(t), harness.UTC(), 1)
	harness.Record(t, store, harness.Did(t, "ada unlike 1", board.Earliest))
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
	day := harness.Period(t, "2026-11-20")
	for shards, n := range map[int]int{1: 4_000, 2: 6_001, 3: 2} {
		client := testserver.Redis(t)
		store := live.New(client, harness.UTC(), shards)
		want := make([]board.Entry, n)
		for i := range want {
			want[i] = board.Entry{User: fmt.Sprint("user-", i), Packed: board.Pack(1+rng.Int64N(9), rng.Int64N(5))}
		}
		harness.Put(t, store, "activity", day, want...)
		harness.ClosePeriod(t, store, "activity", day)
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
