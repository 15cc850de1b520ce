package ledger_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
)

// Keeping a month replaces what was kept of it, by nothing too, and nothing of others: the
// user's page may have lost them.
func TestKeepTotalsChangesOneMonth(t *testing.T) {
	t.Parallel()
	text := bytes.Replace(activity.Default().JSON(), []byte(`"month"]`), []byte(`"month","all"]`), 1)
	rules, err := activity.ParseRules(text)
	if err != nil {
		t.Fatal(err)
	}
	page := func(days ...string) string {
		s := newMemory(ledger.New(rules, board.NewCalendar(time.UTC)))
		for _, day := range days {
			s.record(t, []activity.Activity{harness.Did(t, "ada like "+day, harness.At(t, day+"T12:00"))},
				ledger.Arrival{Now: board.Latest - 1, AnyAge: true})
		}
		return s.pages["ada"][ledger.TotalsPage()]
	}
	kept := ""
	for _, step := range []struct {
		page, month string
		want        map[string]int64
		known       int
	}{
		{page("2026-10-20", "2026-11-20"), "2026-10", map[string]int64{"2026-10": 2}, 1},
		{page("2026-11-20", "2026-11-21"), "2026-11", map[string]int64{"2026-10": 2, "2026-11": 4}, 2},
		{page("2026-11-20"), "2026-10", map[string]int64{"2026-11": 4}, 2},
		{page("2026-10-20", "2026-11-20"), "2026-10", map[string]int64{"2026-10": 2, "2026-11": 4}, 2},
	} {
		var err error
		if kept, err = ledger.KeepTotals(kept, step.page, harness.Period(t, step.month).First().Month()); err != nil {
			t.Fatal(err)
		}
		months, err := ledger.KeptMonths(kept)
		if err != nil || len(months) != step.known {
			t.Errorf("%s: %s are known, %v", step.month, months, err)
		}
		totals, err := ledger.MonthTotals(kept)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]int64{}
		for _, m := range totals {
			got[m.Month.String()] = m.Score
		}
		if diff := cmp.Diff(step.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.month, diff)
		}
	}
}
