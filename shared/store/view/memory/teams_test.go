package memory

import (
	"context"
	"testing"
	"time"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
)

// A total in memory that is not the sum of its members is found, and corrected.
func TestTotalsAreHeldAgainstMembers(t *testing.T) {
	t.Parallel()
	v := New(view.Options{
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
	if _, err := v.ShowAll(ctx, 0, view.Showing{Units: []view.Unit{unit}}); err != nil { // while it is filled
		t.Fatal(err)
	}
	if done, err := v.Mark(ctx, 0, want, "f"); !done || err != nil {
		t.Fatal(done, err)
	}
	on := v.boards.on("houses", month)
	on.totals[1].sum++
	on.totals[0].seen++
	for _, row := range []struct {
		corrects bool
		differ   int64
	}{{false, 2}, {true, 2}, {true, 0}} {
		if n, err := v.CheckTotals(ctx, "houses", month, row.corrects); n != row.differ || err != nil {
			t.Error(row, n, err)
		}
	}
	if on.totals[0] != (total{}) || on.totals[1] != (total{5, 1}) {
		t.Error(on.totals)
	}
}
