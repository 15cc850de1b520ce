package memory_test

import (
	"context"
	"testing"
	"time"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
	"laurel/shared/store/view/memory"
)

// A total in memory that is not the sum of its members is found, and corrected.
func TestTotalsAreHeldAgainstMembers(t *testing.T) {
	t.Parallel()
	v := memory.New(view.Options{
		Teams: map[string][]string{"houses": {"red", "blue"}},
		Table: func(context.Context, bool) (string, error) { return "t", nil },
	})
	ctx, month := t.Context(), board.PeriodOf(board.Month, board.DateOf(2026, time.November, 1))
	want := view.Marker{Table: "t", Fill: "f"}
	if err := v.Clear(ctx, 0, want); err != nil {
		t.Fatal(err)
	}
	place := ledger.Shown{Board: "houses", Period: month, Packed: board.PackMember(5, 2)}
	unit := view.Unit{User: "ann", Key: items.Key{1}, Whole: true}
	unit.Months = []view.MonthUnit{{Places: []ledger.Shown{place}}}
	if _, err := v.ShowAll(ctx, view.Showing{Table: "t", Units: []view.Unit{unit}}); err != nil { // while it is filled
		t.Fatal(err)
	}
	if done, err := v.Mark(ctx, 0, want, "f"); !done || err != nil {
		t.Fatal(done, err)
	}
	red, seenOfRed := v.Total("houses", month, 1)
	blue, seenOfBlue := v.Total("houses", month, 2)
	*blue++
	*seenOfRed++
	for _, row := range []struct {
		corrects bool
		differ   int64
	}{{false, 2}, {true, 2}, {true, 0}} {
		if n, err := v.CheckTotals(ctx, "houses", month, row.corrects); n != row.differ || err != nil {
			t.Error(row, n, err)
		}
	}
	if *red != 0 || *seenOfRed != 0 || *blue != 5 || *seenOfBlue != 1 {
		t.Error(*red, *seenOfRed, *blue, *seenOfBlue)
	}
}
