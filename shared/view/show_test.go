package view_test

import (
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/board"
	"laurel/shared/view"
)

// The outcome of a unit depends on the revisions that it was made of, and those that the view has seen.
// Each row is shown after the ones before.
func TestUnitsGoByRevisions(t *testing.T) {
	t.Parallel()
	h := setup(t, 1)
	ann := func(personRevision, revision, was, score int64) view.Unit {
		return person(unit("ann", revision, was, place(today, score, 1)), personRevision, "Ann")
	}
	changed, beside := ann(3, 8, 7, 6), ann(3, 1, 0, 9)
	changed.Whole, changed.Months[0].Changed = false, true
	gap := ann(3, 10, 9, 7)
	gap.Whole, gap.Months[0].Changed = false, true
	part := ann(4, 8, 8, 6)
	part.Whole = false
	beside.Months[0].Month, beside.Months[0].Places = october, nil
	beside.Others = []view.MonthRevision{{Month: november, Revision: 7}}
	later := beside
	later.Others = []view.MonthRevision{{Month: november, Revision: 9}}
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
		{"changes, on their result", changed, view.ShowWhole, 6},
		{"changes, on an unseen state", gap, view.ShowWhole, 6},
		{"another month with an earlier ledger beside", beside, view.ShowStale, 6},
		{"another month with a later ledger beside", later, view.ShowApplied, 6},
		{"that ledger as it was, as a read that is not shown is not seen", ann(3, 8, 8, 6), view.ShowApplied, 6},
		{"a later person without all months", part, view.ShowWhole, 6},
		{"a later person", ann(4, 8, 8, 6), view.ShowApplied, 6},
		{"one month of a person who was seen", part, view.ShowApplied, 6},
	} {
		if got := harness.Must(h.Show(t.Context(), 0, row.u))(t)[0]; got != row.want {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
		h.equal(row.score, h.board(today).Places[0].Packed.Score())
	}
}

// A suppressed user leaves the boards and has no name there; an erased user is nowhere.
func TestSuppressedAndErased(t *testing.T) {
	t.Parallel()
	h := setup(t, 1)
	shown := person(unit("ann", 7, 0, place(today, 5, 1), place(month, 5, 1)), 1, "Ann")
	h.show(view.ShowApplied, shown)
	nameless := unit("ann", 7, 7, place(today, 5, 1))
	nameless.Person = 1
	h.show(view.ShowApplied, nameless)
	h.equal(view.User{}, h.user("ann"))
	h.show(view.ShowApplied, shown)
	h.equal(view.User{Name: "Ann"}, h.user("ann"))
	hidden := person(unit("ann", 7, 7, place(today, 0, 0), place(month, 0, 0)), 2, "Ann")
	hidden.Suppressed = true
	h.show(view.ShowApplied, hidden)
	h.equal("", h.users(today))
	h.equal(view.User{Suppressed: true}, h.user("ann"))
	h.equal(view.User{}, h.user("bob"))
	h.show(view.ShowStale, shown)
	h.show(view.ShowApplied, person(unit("ann", 8, 7, place(today, 0, 0), place(month, 0, 0)), 3, ""))
	if held := dump(t, h.client); strings.Contains(held, "ann") {
		t.Error("Redis has the id of an erased person:", held)
	}
}

// A receipt's ranks come with the trip that shows its points.
func TestRanksComeWithTheShow(t *testing.T) {
	t.Parallel()
	h := setup(t, 1)
	h.show(view.ShowApplied, unit("ann", 7, 0, place(today, 5, 1)))
	showed, err := h.ShowAll(t.Context(), 0, view.Showing{
		Units: []view.Unit{unit("bob", 7, 0, place(today, 4, 1))},
		Ranks: []board.View{
			{Board: "activity", Period: today, User: "bob"}, {Board: "activity", Period: month, User: "bob"},
		},
	})
	harness.OK(t, err)
	h.equal([]int64{2, 0}, showed.Ranks)
}
