package records_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"laurel/shared/board"
	"laurel/shared/records"
)

// A period that is made final takes the place of its own wreaths alone; of more than fit the newest stay.
func TestWreathsOfAPeriodAreReplaced(t *testing.T) {
	t.Parallel()
	day := board.PeriodOf(board.Day, month.First())
	at := func(p board.Period, rank int64) records.Wreath {
		return records.Wreath{Board: "activity", Period: p, Rank: rank}
	}
	was := []records.Wreath{at(day.Next(), 3), at(day, 1), at(day.Prev(), 2)}
	made := func(p board.Period) bool { return p == day }
	for name, c := range map[string]struct{ won, want []records.Wreath }{
		"again the same":    {[]records.Wreath{at(day, 1)}, was},
		"another place":     {[]records.Wreath{at(day, 4)}, []records.Wreath{was[0], at(day, 4), was[2]}},
		"no place any more": {nil, []records.Wreath{was[0], was[2]}},
	} {
		got := records.Rewreathed(was, made, c.won)
		if diff := cmp.Diff(c.want, got, cmpopts.EquateComparable(board.Period{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	var all []records.Wreath
	for p := day; len(all) < 300; p = p.Next() {
		all = records.Rewreathed(all, func(q board.Period) bool { return q == p }, []records.Wreath{at(p, 1)})
		if len(all) == 250 && all[249].Period.Compare(day) > 0 && all[0].Period == p {
			return
		}
	}
	t.Errorf("%d wreaths, from %s to %s", len(all), all[0].Period, all[len(all)-1].Period)
}
