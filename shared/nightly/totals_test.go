package nightly_test

import (
	"bytes"
	"context"
	"iter"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/nightly"
	"laurel/shared/pages"
	"laurel/shared/state"
)

// erasing is a store that erases a user after the user's totals were read.
type erasing struct {
	*live.Store
	user string
}

func (e erasing) Totals(ctx context.Context, month board.MonthOf) iter.Seq2[[]pages.Total, error] {
	return func(yield func([]pages.Total, error) bool) {
		for some, err := range e.Store.Totals(ctx, month) {
			if slices.ContainsFunc(some, func(t pages.Total) bool { return t.User == e.user }) && err == nil {
				_, err = e.EraseUser(ctx, e.user)
			}
			if !yield(some, err) {
				return
			}
		}
	}
}

// With boards of years, what a month came to is kept of everybody when the month's pages are
// removed, also of who is suppressed and of who has nothing any more. An erasure removes it,
// also one beside the night.
func TestTotalsAreKeptWhenAMonthsPagesAreRemoved(t *testing.T) {
	t.Parallel()
	text := bytes.Replace(activity.Default().JSON(), []byte(`"month"]`), []byte(`"month","year"]`), 1)
	rules, err := activity.ParseRules(text)
	if err != nil {
		t.Fatal(err)
	}
	f := open(t, 2)
	f.Ledger = ledger.New(rules, board.NewCalendar(time.UTC))
	f.Live = live.New(f.Client, f.Ledger, 2)
	kept := state.New(f.Kept, lastNight)
	f.Live.KeepIn(kept)
	f.record(t, at(t, "2026-11-20T12:00"), "ada like 1", "bob like 1", "dan like 1", "eve like 1", "fay like 1",
		"nil like 1")
	f.record(t, at(t, "2026-11-20T13:00"), "nil unlike 1")
	f.record(t, at(t, "2026-12-20T12:00"), "ada like 2", "dan like 2", "gus like 2")
	harness.Hide(t, f.Live, "bob", true)
	harness.Exclude(t, f.Live, "eve", true)
	o := f.Night(at(t, "2027-02-03T03:00"))
	o.Live = erasing{f.Live, "fay"}
	if result, err := nightly.Run(t.Context(), o); err != nil || len(result.Months) == 0 {
		t.Fatalf("%+v, %v", result, err)
	}
	if _, err := f.Live.EraseUser(t.Context(), "dan"); err != nil {
		t.Fatal(err)
	}
	got := map[string]int64{}
	for u, err := range kept.Totals(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		months, err := ledger.KeptMonths(u.Page)
		if err != nil || months[len(months)-1].String() != "2026-11" {
			t.Errorf("the totals of %s are of %s, %v", u.User, months, err)
		}
		totals, err := ledger.MonthTotals(u.Page)
		if err != nil || len(totals) > 1 {
			t.Errorf("the totals of %s are %v, %v", u.User, totals, err)
		}
		got[u.User] = 0
		for _, total := range totals {
			got[u.User] += total.Score
		}
	}
	if diff := cmp.Diff(map[string]int64{"ada": 2, "bob": 2, "eve": 2, "nil": 0}, got); diff != "" {
		t.Errorf("totals (-want +got):\n%s", diff)
	}
}
