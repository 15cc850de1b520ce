package viewtest

import (
	"errors"
	"fmt"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/core/board"
	"laurel/shared/store/view"
)

// Finalised is a life in which periods are final.
func Finalised(tb testing.TB, life *board.Life, periods ...board.Period) *board.Life {
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

// SweepAll sweeps the view.
func (h *View) SweepAll(life *board.Life, beat int64) {
	h.T.Helper()
	harness.OK(h.T, h.Sweep(h.T.Context(), life, beat))
}

// testSweep: final boards go, with the revisions seen of a final month and the names of users who are on no board any
// more; live boards stay; and it may be done again.
func testSweep(t *testing.T, open func(testing.TB) *View) {
	t.Helper()
	h := open(t)
	old := Person(Unit("ann", 7, 0, Place(Past, 5, 1)), 1, "Ann")
	old.Months[0].Month = October
	h.Apply(view.ShowApplied, old)
	h.Apply(view.ShowApplied, Person(Unit("bob", 7, 0, Place(Today, 5, 1), Place(Month, 5, 1)), 1, "Bob"))
	h.Vote("bob", 3, "a")
	for w, want := range map[board.Window][]board.Period{board.Day: {Today}, board.Month: {Month, Past}} {
		var got []board.Period
		for _, b := range harness.Must(h.PeriodsOf(t.Context(), "activity", w))(t) {
			got = append(got, b.Period)
		}
		h.Equal(want, got)
	}
	life := Finalised(t, nil, Today)
	for range 2 {
		h.SweepAll(life, 9)
		h.Equal("", h.Order(Today))
		h.Equal("bob", h.Order(Month))
		h.Equal("ann", h.Order(Past))
		h.Equal("Ann", h.UserOf("ann").Name)
	}
	life = Finalised(t, life, Past)
	h.SweepAll(life, 8)
	h.Equal([]string{"", "Bob"}, []string{h.UserOf("ann").Name, h.UserOf("bob").Name})
	h.nowhere("ann")
	h.Equal(map[board.MonthOf]int{October: 0, November: 1}, h.seenOf("bob"))
	h.Equal(map[board.MonthOf]int{October: 0, November: 0}, h.seenOf("ann"))
	for _, m := range harness.Must(h.Markers(t.Context()))(t) {
		h.Equal([]int64{9, life.Number()}, []int64{m.Beat, m.Life})
	}
	boards := harness.Must(h.Boards(t.Context()))(t)
	h.Equal([]view.BoardPeriod{{ID: board.ID{Board: "activity", Period: Month}, Total: 1}}, boards)
	votes := func() view.Seen {
		bucket := Head.KeyOf("bob").Bucket()
		return harness.Must(h.SeenVotes(t.Context(), []board.MonthOf{November}, bucket))(t)[November]
	}
	h.Equal(1, len(votes()))
	life = Finalised(t, life, Month)
	h.SweepAll(life, 10)
	h.Equal(0, len(votes()))
	h.Equal([]view.BoardPeriod(nil), harness.Must(h.Boards(t.Context()))(t))
	h.nowhere("bob")
}

// testContest: a contest keeps the revisions seen of its months, final ones too, until it is final itself; it has none
// before it, and is one board's.
func testContest(t *testing.T, open func(testing.TB) *View) {
	t.Helper()
	h := open(t)
	september := board.PeriodOf(board.Month, Cup.Last())
	ann := Person(Unit("ann", 7, 0, Place(Cup, 5, 1), Place(september, 5, 1)), 1, "Ann")
	ann.Months[0].Month = Cup.Last().Month()
	h.Apply(view.ShowApplied, ann)
	bob := Person(Unit("bob", 7, 0, Place(Cup, 9, 1)), 1, "Bob")
	bob.Months[0].Month = Cup.Last().Month()
	h.Apply(view.ShowApplied, bob)
	seen := func() int {
		_, all, err := h.Seen(t.Context(), []board.MonthOf{Cup.Last().Month()}, Head.KeyOf("ann").Bucket())
		harness.OK(t, err)
		return len(all[Cup.Last().Month()])
	}
	life := Finalised(t, nil, september)
	h.SweepAll(life, 2)
	h.Equal("", h.Order(september))
	h.Equal("bob ann", h.Order(Cup))
	h.Equal(1, seen())
	ann.Months[0].Places, ann.Months[0].Revision = ann.Months[0].Places[:1], 6
	if got, err := h.Show(t.Context(), life.Number(), ann); err != nil || got[0] != view.ShowStale {
		t.Error("a unit of an earlier revision is applied:", got, err)
	}
	page := harness.Must(h.Read(t.Context(), board.View{
		Board: "activity", Period: Cup, Limit: 9, User: "ann", Movement: true,
	}))(t)
	if page.Standing.Rank != 2 || page.Standing.PreviousRank != nil || len(page.Previous) != 0 {
		t.Errorf("ann: %+v, before: %v", page.Standing, page.Previous)
	}
	want := []view.BoardPeriod{{ID: board.ID{Board: "activity", Period: Cup}, Total: 2}}
	h.Equal(want, harness.Must(h.PeriodsOf(t.Context(), "activity", board.Contest))(t))
	h.SweepAll(Finalised(t, life, Cup.Of("another")), 3)
	h.Equal(want, harness.Must(h.PeriodsOf(t.Context(), "activity", board.Contest))(t))
	h.SweepAll(Finalised(t, life, Cup.Of("another"), Cup), 4)
	h.Equal([]view.BoardPeriod(nil), harness.Must(h.Boards(t.Context()))(t))
	h.Equal(0, seen())
	h.nowhere("bob")
}

// testAllOfTime: no period comes before all of time, and none of its ranks is a previous one.
func testAllOfTime(t *testing.T, open func(testing.TB) *View) {
	t.Helper()
	h, always := open(t), board.PeriodOf(board.All, Today.First())
	h.Apply(view.ShowApplied, Unit("ann", 7, 0, Place(always, 5, 1)))
	h.Apply(view.ShowApplied, Unit("bob", 7, 0, Place(always, 9, 1)))
	page := harness.Must(h.Read(t.Context(), board.View{
		Board: "activity", Period: always, Limit: 9, User: "ann", Movement: true,
	}))(t)
	if page.Standing.Rank != 2 || page.Standing.PreviousRank != nil || len(page.Previous) != 0 {
		t.Errorf("ann: %+v, before: %v", page.Standing, page.Previous)
	}
}

// seenOf returns how many ledgers of each month were seen in a user's bucket.
func (h *View) seenOf(user string) map[board.MonthOf]int {
	h.T.Helper()
	counts := map[board.MonthOf]int{}
	_, seen, err := h.Seen(h.T.Context(), []board.MonthOf{October, November}, Head.KeyOf(user).Bucket())
	harness.OK(h.T, err)
	for m, s := range seen {
		counts[m] = len(s)
	}
	return counts
}

// testLaterLife: a late tick that takes a reopened period for final removes nothing; a show of before the period was
// final comes too late.
func testLaterLife(t *testing.T, open func(testing.TB) *View) {
	t.Helper()
	h := open(t)
	made := Finalised(t, nil, Past)
	again := harness.Must(made.Apply(Past, board.EventReopen, 2))(t)
	u := Unit("ann", 7, 0, Place(Past, 5, 1))
	if got, err := h.Show(t.Context(), again.Number(), u); err != nil || got[0] != view.ShowApplied {
		t.Fatal(got, err)
	}
	if err := h.Sweep(t.Context(), made, 3); !errors.Is(err, view.ErrLaterLife) {
		t.Error(err)
	}
	h.Equal("ann", h.Order(Past))
	if got, err := h.Show(t.Context(), made.Number(), u); err != nil || got[0] != view.ShowStale {
		t.Error(got, err)
	}
}

// testRecent: recent entries are the newest, and no more than 50.
func testRecent(t *testing.T, open func(testing.TB) *View) {
	t.Helper()
	h := open(t)
	for i := range 60 {
		harness.OK(t, h.AddRecent(t.Context(), "hooks", fmt.Append(nil, i)))
	}
	entries, err := h.Recent(t.Context(), "hooks", "none")
	if err != nil || len(entries) != 50 || entries[0] != "59" || entries[49] != "10" {
		t.Error(entries, err)
	}
}
