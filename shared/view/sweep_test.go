package view_test

import (
	"errors"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/board"
	"laurel/shared/view"
)

// finalised is a life in which periods are final.
func finalised(tb testing.TB, life *board.Life, periods ...board.Period) *board.Life {
	tb.Helper()
	for _, p := range periods {
		for _, event := range []board.PeriodEvent{board.EventClose, board.EventMake} {
			var err error
			if life, err = life.Apply(p, event, 1); err != nil {
				tb.Fatal(err)
			}
		}
	}
	return life
}

func (h *testView) sweep(life *board.Life, beat int64) {
	h.t.Helper()
	harness.OK(h.t, h.Sweep(h.t.Context(), life, beat))
}

// Final periods go, with the seen revisions of such a month and the names of users who are on no
// board any more; live ones stay; and it may be done again.
func TestSweepRemovesFinalPeriods(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 3} {
		h := setup(t, shards)
		old := person(unit("ann", 7, 0, place(past, 5, 1)), 1, "Ann")
		old.Months[0].Month = october
		h.show(view.ShowApplied, old)
		h.show(view.ShowApplied, person(unit("bob", 7, 0, place(today, 5, 1), place(month, 5, 1)), 1, "Bob"))
		h.vote("bob", 3, "a")
		for w, want := range map[board.Window][]board.Period{board.Day: {today}, board.Month: {month, past}} {
			var got []board.Period
			for _, b := range harness.Must(h.PeriodsOf(t.Context(), "activity", w))(t) {
				got = append(got, b.Period)
			}
			h.equal(want, got)
		}
		life := finalised(t, nil, today)
		for range 2 {
			h.sweep(life, 9)
			h.equal("", h.users(today))
			h.equal("bob", h.users(month))
			h.equal("ann", h.users(past))
		}
		life = finalised(t, life, past)
		h.sweep(life, 8)
		h.equal([]string{"", "Bob"}, []string{h.user("ann").Name, h.user("bob").Name})
		_, seen, err := h.Seen(t.Context(), []board.MonthOf{october, november}, head.KeyOf("ann").Bucket())
		if err != nil || len(seen[october]) > 0 {
			t.Error(seen, err)
		}
		if keys := h.client.Keys(t.Context(), "*2026-10*").Val(); len(keys) > 0 {
			t.Error(keys)
		}
		markers := harness.Must(h.Markers(t.Context()))(t)
		for _, m := range markers {
			h.equal([]int64{9, life.Number()}, []int64{m.Beat, m.Life})
		}
		boards := harness.Must(h.Boards(t.Context()))(t)
		h.equal([]view.BoardPeriod{{Board: "activity", Period: month, Total: 1}}, boards)
		life = finalised(t, life, month)
		h.sweep(life, 10)
		h.equal(int64(0), h.client.Exists(t.Context(), "laurel:{articles}:votes:2026-11:0:0").Val())
		if keys := h.client.Keys(t.Context(), "*:*2026-11*").Val(); len(keys) > 0 {
			t.Error(keys)
		}
	}
}

// A tick that is late, and takes a reopened period for final, removes nothing; a show of before
// the period was final comes too late.
func TestSweepAndShowGoByTheLaterLife(t *testing.T) {
	t.Parallel()
	h := setup(t, 1)
	made := finalised(t, nil, past)
	again := harness.Must(made.Apply(past, board.EventReopen, 2))(t)
	u := unit("ann", 7, 0, place(past, 5, 1))
	if got, err := h.Show(t.Context(), again.Number(), u); err != nil || got[0] != view.ShowApplied {
		t.Fatal(got, err)
	}
	if err := h.Sweep(t.Context(), made, 3); !errors.Is(err, view.ErrLaterLife) {
		t.Error(err)
	}
	h.equal("ann", h.users(past))
	if got, err := h.Show(t.Context(), made.Number(), u); err != nil || got[0] != view.ShowStale {
		t.Error(got, err)
	}
}
