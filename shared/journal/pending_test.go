package journal_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/journal"
	"laurel/shared/table"
)

func TestPendingBatchesAreReadInOrderOfArrival(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, j *journal.Journal, _ table.Store) {
		t.Helper()
		const n = 60
		for i := range n {
			at := board.Moment(0) // every other without a moment
			if i%2 == 0 {
				at = start - 5
			}
			batch := activities(1+i%7, at)
			batch[0].Value, batch[0].Restores, batch[0].Ref = new(int64(i-1)), true, "c1"
			batch[0].ByUser = i%3 == 0
			if err := j.WritePending(t.Context(), start+board.Moment((i*37)%n), batch); err != nil {
				t.Fatal(err)
			}
		}
		seen := 0
		for {
			batches, err := j.Pending(t.Context(), 7)
			if err != nil {
				t.Fatal(err)
			}
			if len(batches) == 0 {
				break
			}
			for _, b := range batches {
				i := indexOf(b.Arrival, n)
				want := activities(1+i%7, board.Moment(1-i%2)*(start-5))
				want[0].Value, want[0].Restores, want[0].Ref = new(int64(i-1)), true, "c1"
				want[0].ByUser = i%3 == 0
				if diff := cmp.Diff(want, b.Activities); diff != "" || b.Arrival != start+board.Moment(seen) {
					t.Errorf("batch %d arrived at %s (-want +got):\n%s", seen, b.Arrival, diff)
				}
				seen++
			}
			for range 2 {
				if err := j.DeletePending(t.Context(), batches...); err != nil {
					t.Fatal(err)
				}
			}
		}
		if seen != n {
			t.Errorf("got %d of %d batches", seen, n)
		}
	})
}

// indexOf returns which batch arrived at a moment.
func indexOf(arrival board.Moment, n int) int {
	for i := range n {
		if start+board.Moment((i*37)%n) == arrival {
			return i
		}
	}
	return -1
}

// Pending activities are neither read with the entries nor sealed.
func TestPendingActivitiesAreNotAccepted(t *testing.T) {
	t.Parallel()
	j := journal.New(open(t))
	if err := j.WritePending(t.Context(), start, activities(3, start)); err != nil {
		t.Fatal(err)
	}
	if rows := read(t, j, start-hour, start+hour); len(rows) > 0 || seal(t, j, day).Rows > 0 {
		t.Errorf("got %v", rows)
	}
}

func TestDamagedBatchIsAnError(t *testing.T) {
	t.Parallel()
	store := open(t)
	key := table.Key{Partition: "PENDING#03", Sort: "1795132800000aaaabbbbccccdddd"}
	if err := store.Put(t.Context(), table.Item{Key: key, Data: []byte("something else")}); err != nil {
		t.Fatal(err)
	}
	if _, err := journal.New(store).Pending(t.Context(), 9); !errors.Is(err, journal.ErrDamaged) {
		t.Errorf("got %v", err)
	}
}

// The largest batch fits into an item.
func TestLargestBatchIsStored(t *testing.T) {
	t.Parallel()
	j := journal.New(open(t))
	all := make([]activity.Activity, 500)
	for i, row := range longList(9)[0].Listed[:500] {
		all[i] = activity.Activity{User: row, Action: "like", Target: row + row, Ref: row + row, At: start}
	}
	if err := j.WritePending(t.Context(), start, all); err != nil {
		t.Fatal(err)
	}
	batches, err := j.Pending(t.Context(), 9)
	if err != nil || len(batches) != 1 || len(batches[0].Activities) != len(all) {
		t.Errorf("got %d batches, %v", len(batches), err)
	}
}
