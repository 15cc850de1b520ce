package viewtest

import (
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/view"
)

// testRevisions: the revisions that a unit was made of, and those that the view has seen, decide its result.
// Each row is shown after the ones before.
func testRevisions(t *testing.T, open func(testing.TB) *View) {
	t.Helper()
	h := open(t)
	ann := func(person, revision, was, score int64) view.Unit {
		return Person(Unit("ann", revision, was, Place(Today, score, 1)), person, "Ann")
	}
	changed, beside := ann(3, 8, 7, 6), ann(3, 1, 0, 9)
	changed.Whole, changed.Months[0].Changed = false, true
	gap := ann(3, 10, 9, 7)
	gap.Whole, gap.Months[0].Changed = false, true
	part := ann(4, 8, 8, 6)
	part.Whole = false
	beside.Months[0].Month, beside.Months[0].Places = October, nil
	beside.Others = []view.MonthRevision{{Month: November, Revision: 7}}
	later := beside
	later.Others = []view.MonthRevision{{Month: November, Revision: 9}}
	for _, row := range []struct {
		name  string
		u     view.Unit
		want  view.ShowResult
		score int64
	}{
		{"the first", ann(3, 7, 0, 5), view.ShowApplied, 5},
		{"the same again", ann(3, 7, 0, 5), view.ShowApplied, 5},
		{"an earlier ledger", ann(3, 6, 5, 4), view.ShowStale, 5},
		{"an earlier person", ann(2, 7, 0, 4), view.ShowStale, 5},
		{"before the ledger was there", ann(3, 0, 0, 0), view.ShowStale, 5},
		{"changes, on the state before", changed, view.ShowApplied, 6},
		{"changes, on their own result", changed, view.ShowWhole, 6},
		{"changes, on a revision that was not seen", gap, view.ShowWhole, 6},
		{"another month with an earlier ledger beside", beside, view.ShowStale, 6},
		{"another month with a later ledger beside", later, view.ShowApplied, 6},
		{"that ledger as it was, as a ledger that was read but not shown is not seen", ann(3, 8, 8, 6), view.ShowApplied, 6},
		{"a later person without all months", part, view.ShowWhole, 6},
		{"a later person", ann(4, 8, 8, 6), view.ShowApplied, 6},
		{"one month of a person who was seen", part, view.ShowApplied, 6},
	} {
		if got := harness.Must(h.Show(t.Context(), 0, row.u))(t)[0]; got != row.want {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
		h.Equal(row.score, h.Whole(Today).Places[0].Packed.Score())
	}
}

// testSuppressed: a suppressed user leaves the boards and has no name there; an erased one is nowhere.
func testSuppressed(t *testing.T, open func(testing.TB) *View) {
	t.Helper()
	h := open(t)
	shown := Person(Unit("ann", 7, 0, Place(Today, 5, 1), Place(Month, 5, 1)), 1, "Ann")
	h.Apply(view.ShowApplied, shown)
	nameless := Unit("ann", 7, 7, Place(Today, 5, 1))
	nameless.Person = 1
	h.Apply(view.ShowApplied, nameless)
	h.Equal(view.User{}, h.UserOf("ann"))
	h.Apply(view.ShowApplied, shown)
	h.Equal(view.User{Name: "Ann"}, h.UserOf("ann"))
	hidden := Person(Unit("ann", 7, 7, Place(Today, 0, 0), Place(Month, 0, 0)), 2, "Ann")
	hidden.Suppressed = true
	h.Apply(view.ShowApplied, hidden)
	h.Equal("", h.Order(Today))
	h.Equal(view.User{Suppressed: true}, h.UserOf("ann"))
	h.Equal(view.User{}, h.UserOf("bob"))
	h.Apply(view.ShowStale, shown)
	h.Apply(view.ShowApplied, Person(Unit("ann", 8, 7, Place(Today, 0, 0), Place(Month, 0, 0)), 3, ""))
	h.nowhere("ann")
	h.Apply(view.ShowApplied, Person(Unit("eve", 7, 0, Place(Today, 5, 1)), 1, "Eve"))
	moved := Unit("eve", 8, 7, Place(Today, 6, 1))
	moved.Person, moved.Months[0].Changed, moved.Suppressed = 1, true, true
	h.Apply(view.ShowApplied, moved)
	h.Equal(view.User{Name: "Eve"}, h.UserOf("eve")) // a unit of changes alone does not change the status
}

// testSeveralBoards: users with places on other boards, or on the same ones in another order, are on theirs alone.
func testSeveralBoards(t *testing.T, open func(testing.TB) *View) {
	t.Helper()
	h := open(t)
	on := func(name string, p board.Period, score int64) ledger.Shown {
		place := Place(p, score, 1)
		place.Board = name
		return place
	}
	h.Apply(view.ShowApplied, Unit("ann", 7, 0, on("activity", Today, 5), on("activity", Month, 6)))
	h.Apply(view.ShowApplied, Unit("bob", 7, 0, on("steps", Today, 900), on("steps", Month, 901)))
	h.Apply(view.ShowApplied, Unit("eve", 7, 0, on("steps", Month, 800), on("activity", Today, 4)))
	h.Apply(view.ShowApplied, Unit("mal", 7, 0, on("activity", Today, 0), on("steps", Month, 1)))
	for name, want := range map[string]string{
		"activity day": "ann eve", "activity month": "ann", "steps day": "bob", "steps month": "bob eve mal",
	} {
		on, window, _ := strings.Cut(name, " ")
		period := map[string]board.Period{"day": Today, "month": Month}[window]
		page := harness.Must(h.Read(t.Context(), board.View{Board: on, Period: period, Limit: 9}))(t)
		if got := strings.Join(page.Users(), " "); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// testRanks: a receipt's ranks come with the trip that shows its points.
func testRanks(t *testing.T, open func(testing.TB) *View) {
	t.Helper()
	h := open(t)
	h.Apply(view.ShowApplied, Unit("ann", 7, 0, Place(Today, 5, 1)))
	showed, err := h.ShowAll(t.Context(), 0, view.Showing{
		Units: []view.Unit{Unit("bob", 7, 0, Place(Today, 4, 1))},
		Ranks: []board.View{
			{Board: "activity", Period: Today, User: "bob"}, {Board: "activity", Period: Month, User: "bob"},
		},
	})
	harness.OK(t, err)
	if want := []int64{2, 0}; h.Shards() == 1 { // else ranks take another trip
		h.Equal(want, showed.Ranks)
	}
}
