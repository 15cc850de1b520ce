package viewtest

import (
	"errors"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/view"
)

// last7 returns the seven days that end so many days after Today.
func last7(after int) board.Period {
	return board.PeriodOf(board.Last7, Today.First()+board.Date(after))
}

// rollingFrom returns days around Today, of which those up to one are whole.
func rollingFrom(oldest, begun, whole int) view.Rolling {
	today := Today.First()
	return view.Rolling{
		Oldest: today + board.Date(oldest), Begun: today + board.Date(begun), Whole: today + board.Date(whole),
	}
}

// fillRolling empties the view and says that it is whole, with the days.
func (h *View) fillRolling(days view.Rolling) {
	h.T.Helper()
	want := view.Marker{Table: h.Table, Rules: "rules", Fill: "fill", Rolling: days}
	h.ClearAll(want)
	for _, slot := range h.AllSlots() {
		if done, err := h.Mark(h.T.Context(), slot, want, "fill"); err != nil || !done {
			h.T.Fatal(done, err)
		}
	}
}

// setDays changes the days of all shards.
func (h *View) setDays(want bool, was, now view.Rolling) {
	h.T.Helper()
	for shard := range h.Shards() {
		done, err := h.SetDays(h.T.Context(), view.Slot(shard), h.Table, was, now)
		if harness.OK(h.T, err); done != want {
			h.T.Fatalf("the days of slot %d are changed: %t, want %t", shard, done, want)
		}
	}
}

// rolling adds places of days to a unit, each of which is the first one's score and one more a day.
func rolling(u view.Unit, from, to int, score int64) view.Unit {
	u.Days = view.Days{First: last7(from).Last(), Last: last7(to).Last()}
	for n := from; n <= to; n++ {
		place := Place(last7(n), score, 1)
		if score > 0 {
			place = Place(last7(n), score+int64(n-from), 1)
		}
		u.Rolling = append(u.Rolling, place, ledger.Shown{Board: "steps", Period: last7(n), Packed: place.Packed})
	}
	return u
}

// scores returns the scores on a board that rolls of Today and some days after, "-" for none.
func (h *View) scores(user string, from, to int) string {
	h.T.Helper()
	var places []ledger.Shown
	for n := from; n <= to; n++ {
		places = append(places, Place(last7(n), 0, 0))
	}
	users := harness.Must(h.Users(h.T.Context(), []string{user}, [][]ledger.Shown{places}))(h.T)
	texts := make([]string, len(places))
	for i, packed := range users[0].Packed {
		texts[i] = strings.Repeat("+", int(packed.Score()))
		if packed == 0 {
			texts[i] = "-"
		}
	}
	return strings.Join(texts, " ")
}

// testRollingUnits: a unit has to reach from the oldest day that a slot keeps to the newest; the answer has both. It
// has no place on other days. One without days is of other rules.
func testRollingUnits(t *testing.T, open func(testing.TB) *View) {
	t.Helper()
	h := open(t)
	ann := func(revision int64) view.Unit { return Person(Unit("ann", revision, revision-1), 1, "Ann") }
	h.Apply(view.ShowApplied, rolling(ann(1), -1, 1, 1)) // the slot keeps no days: no place is kept
	h.Equal("- - -", h.scores("ann", -1, 1))
	h.fillRolling(rollingFrom(-1, 1, 1))
	for _, short := range []view.Unit{
		rolling(ann(2), 0, 1, 1), rolling(ann(2), -1, 0, 1), rolling(ann(2), -3, -2, 1), rolling(ann(2), 2, 4, 1),
	} {
		showed := harness.Must(h.ShowAll(t.Context(), 0, view.Showing{Units: []view.Unit{short}}))(t)
		h.Equal([]view.ShowResult{view.ShowShort}, showed.Units)
		h.Equal(view.Days{First: last7(-1).Last(), Last: last7(1).Last()}, showed.Days)
		people, _, err := h.Seen(t.Context(), nil, Head.KeyOf("ann").Bucket())
		harness.OK(t, err)
		h.Equal(0, len(people))
	}
	h.Apply(view.ShowApplied, rolling(ann(2), -2, 3, 1))
	h.Equal("- ++ +++ ++++ - -", h.scores("ann", -2, 3))
	h.Equal(view.User{Name: "Ann"}, h.UserOf("ann")) // this board alone has ann
	h.Apply(view.ShowApplied, ann(2))
	h.Equal("++ +++ ++++", h.scores("ann", -1, 1))
	h.Apply(view.ShowStale, rolling(ann(1), -1, 1, 7))
	h.Apply(view.ShowApplied, rolling(ann(3), -1, 1, 0))
	h.Equal("- - -", h.scores("ann", -1, 1))
	all := append([]view.Unit{}, rolling(ann(4), -1, 1, 1))
	for _, user := range []string{"bob", "eve", "zoë", "mal", "sam", "kim"} { // in several shards
		all = append(all, rolling(Person(Unit(user, 1, 0, Place(Today, 1, 1)), 1, user), -1, 1, 3))
	}
	for _, result := range harness.Must(h.Show(t.Context(), 0, all...))(t) {
		h.Equal(view.ShowApplied, result)
	}
	h.Equal("+++ ++++ +++++", h.scores("kim", -1, 1))
	tomorrow := rolling(ann(5), -1, 1, 2)
	tomorrow.Rolling = tomorrow.Rolling[4:] // the others did not change
	h.Apply(view.ShowApplied, tomorrow)
	h.Equal("+ ++ ++++", h.scores("ann", -1, 1))
	page := harness.Must(h.Read(t.Context(), board.View{Board: "steps", Period: last7(1), Limit: 9}))(t)
	h.Equal("bob eve kim mal sam zoë ann", strings.Join(page.Users(), " "))
}

// testRollingDays: a change names the days before it. Days that were not begun are empty when they are, and days
// before the oldest are gone.
func testRollingDays(t *testing.T, open func(testing.TB) *View) {
	t.Helper()
	h := open(t)
	was, now := rollingFrom(-1, 1, 1), rollingFrom(0, 2, 1)
	now.Pass = "pass of 2 days: 4"
	h.fillRolling(was)
	ann := Person(Unit("ann", 1, 0, Place(Today, 5, 1)), 1, "Ann")
	h.Apply(view.ShowApplied, rolling(ann, -1, 3, 1))
	h.setDays(false, now, was)
	h.setDays(false, view.Rolling{}, now)
	h.setDays(true, was, now)
	h.setDays(false, was, now)
	h.Equal("- ++ +++ - -", h.scores("ann", -1, 3))
	for _, m := range harness.Must(h.Markers(t.Context()))(t)[:h.Shards()] {
		h.Equal(now, m.Rolling)
	}
	h.Equal(view.ShowShort, harness.Must(h.Show(t.Context(), 0, rolling(ann, -1, 1, 1)))(t)[0])
	h.Apply(view.ShowApplied, rolling(ann, -1, 3, 1))
	h.Equal("- ++ +++ ++++ -", h.scores("ann", -1, 3))
	late := rollingFrom(7, 9, 1) // after a week: no day is kept
	h.setDays(true, now, late)
	h.Equal("- - - -", h.scores("ann", -1, 2))
	h.Apply(view.ShowApplied, rolling(ann, 7, 9, 1))
	h.Equal("+ ++ +++", h.scores("ann", 7, 9))
	h.setDays(true, late, rollingFrom(7, 12, 12))
	h.Equal("+ ++ +++ - - -", h.scores("ann", 7, 12))
	if done, err := h.SetDays(t.Context(), 0, "table-2", rollingFrom(7, 12, 12), was); done || err != nil {
		t.Error("another table's days are set:", done, err)
	}
	boards := harness.Must(h.Boards(t.Context()))(t)
	var listed []string
	for _, b := range boards {
		listed = append(listed, b.Board+" "+b.Period.Window().String()+" "+b.Period.String())
	}
	h.Equal("activity day 2026-11-20, activity 7d 2026-11-27, activity 7d 2026-11-28, activity 7d 2026-11-29, "+
		"steps 7d 2026-11-27, steps 7d 2026-11-28, steps 7d 2026-11-29", strings.Join(listed, ", "))
	h.SweepAll(Finalised(t, nil, Today), 3)
	h.Equal("+ ++ +++", h.scores("ann", 7, 9))
	h.ClearAll(view.Marker{Table: h.Table, Fill: "anew", Rolling: was})
	h.Equal("- - -", h.scores("ann", 7, 9))
	h.Equal(was, harness.Must(h.Markers(t.Context()))(t)[0].Rolling)
}

// testRollingReads: the newest whole period up to the asked one answers, the day before at the earliest, and
// names itself. An exact one answers alone. All others answer beside one that is not whole.
func testRollingReads(t *testing.T, open func(testing.TB) *View) {
	t.Helper()
	h := open(t)
	ctx := t.Context()
	h.fillRolling(rollingFrom(-1, 1, 0))
	h.Apply(view.ShowApplied, rolling(Person(Unit("ann", 1, 0, Place(Today, 5, 1)), 1, "Ann"), -1, 1, 1))
	for _, row := range []struct {
		asked, answered int
		exact, unready  bool
	}{
		{-1, -1, false, false},
		{0, 0, false, false},
		{1, 0, false, false},
		{2, 0, false, true},
		{-2, 0, false, true},
		{-1, -1, true, false},
		{0, 0, true, false},
		{1, 0, true, true},
		{-2, 0, true, true},
	} {
		v := board.View{Board: "activity", Period: last7(row.asked), Limit: 3, User: "ann", Exact: row.exact, Movement: true}
		page, err := h.Read(ctx, v)
		friends, other := h.Friends(ctx, v, nil, 0)
		if row.unready {
			for _, err := range []error{err, other} {
				if !errors.Is(err, view.ErrUnready) || !errors.Is(err, view.ErrFilling) || !errors.Is(err, view.ErrUnavailable) {
					t.Errorf("%+v: %v", row, err)
				}
			}
		} else {
			harness.OK(t, errors.Join(err, other))
			h.Equal(last7(row.answered), page.Period)
			h.Equal(last7(row.answered), friends.Period)
			h.Equal(int64(row.answered+2), page.Places[0].Packed.Score())
			h.Equal(int64(row.answered+2), friends.Standing.Score)
			h.Equal(true, page.Standing.PreviousRank == nil && len(page.Previous) == 0)
		}
		v.Optional = true
		pages := harness.Must(h.ReadAll(ctx, []board.View{v, {Board: "activity", Period: Today, Limit: 1}}))(t)
		h.Equal([]bool{row.unready, false}, []bool{pages[0].Unready, pages[1].Unready})
		h.Equal(int64(1), pages[1].Total)
		_, err = h.RankOf(ctx, []board.View{v}, []board.Packed{1}, []board.Packed{0})
		ready := row.asked == row.answered && !row.unready
		if ready != (err == nil) || !ready && !errors.Is(err, view.ErrUnready) {
			t.Errorf("%+v: would rank: %v", row, err)
		}
	}
	showed := harness.Must(h.ShowAll(ctx, 0, view.Showing{Ranks: []board.View{
		{Board: "activity", Period: last7(0), User: "ann"}, {Board: "activity", Period: last7(1), User: "ann"},
	}}))(t)
	if h.Shards() == 1 {
		h.Equal([]int64{1, 0}, showed.Ranks)
	}
}
