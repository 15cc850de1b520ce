package view_test

import (
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/board"
	"laurel/shared/records"
	"laurel/shared/view"
)

// A unit that was made earlier and arrives later changes nothing, whichever of its revisions says so.
func TestEarlierUnitIsStale(t *testing.T) {
	t.Parallel()
	h := setup(t, 1)
	u := person(unit("ann", 7, 0, place(today, 5, 1)), 3, "Ann")
	h.show(view.ShowApplied, u)

	late := u
	late.Months = unit("ann", 6, 5, place(today, 4, 1)).Months
	h.show(view.ShowStale, late)
	late = u
	late.Person = 2
	h.show(view.ShowStale, late)
	absent := unit("ann", 0, 0, place(today, 0, 0)) // made before the ledger was there
	absent.Person, absent.Whole = 3, true
	h.show(view.ShowStale, absent)
	other := u
	other.Months = []view.MonthUnit{{MonthRevision: view.MonthRevision{Month: october, Revision: 1}}}
	other.Others = []view.MonthRevision{{Month: november, Revision: 6}}
	h.show(view.ShowStale, other)
	other.Others[0].Revision = 8
	h.show(view.ShowApplied, other)
	h.equal(int64(5), h.board(today).Places[0].Packed.Score())
	h.show(view.ShowApplied, u) // what was read but not shown is not seen
}

// What a write changed is applied where the view has seen exactly what was before.
func TestWhatChangedIsAppliedOnWhatWasBefore(t *testing.T) {
	t.Parallel()
	h := setup(t, 1)
	h.show(view.ShowApplied, unit("ann", 7, 0, place(today, 5, 1), place(month, 9, 1)))
	u := unit("ann", 8, 7, place(today, 6, 1))
	u.Months[0].Changed = true
	h.show(view.ShowApplied, u)
	h.show(view.ShowWhole, u) // what was before is not what was seen
	u.Months[0].Revision, u.Months[0].Was = 10, 9
	h.show(view.ShowWhole, u)
	h.equal("ann", h.users(month))
	h.equal(int64(6), h.board(today).Places[0].Packed.Score())
}

func TestAnotherPersonsRevisionTakesAllMonths(t *testing.T) {
	t.Parallel()
	h := setup(t, 1)
	h.show(view.ShowApplied, unit("ann", 7, 0, place(today, 5, 1)))
	u := person(unit("ann", 7, 7, place(today, 5, 1)), 2, "Ann")
	u.Whole = false
	h.show(view.ShowWhole, u)
	u.Whole = true
	h.show(view.ShowApplied, u)
	h.equal(map[string]string{"ann": "Ann"}, h.board(today).Names)
	u.Whole = false
	h.show(view.ShowApplied, u)
}

// Who is suppressed leaves the boards and has no name there; who was erased is nowhere.
func TestSuppressedAndErased(t *testing.T) {
	t.Parallel()
	h := setup(t, 1)
	shown := person(unit("ann", 7, 0, place(today, 5, 1), place(month, 5, 1)), 1, "Ann")
	h.show(view.ShowApplied, shown)
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

func TestSeenIsWhatWasShown(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 3} {
		h := setup(t, shards)
		key := head.KeyOf("ann")
		h.show(view.ShowApplied, person(unit("ann", 7, 0, place(today, 5, 1)), 3, "Ann"))
		h.show(view.ShowApplied, unit("bob", 0, 0, place(today, 0, 0)))
		people, months, err := h.Seen(t.Context(), []board.MonthOf{october, november}, key.Bucket())
		harness.OK(t, err)
		field := [8]byte(key[:8])
		h.equal(view.Seen{field: 3}, people)
		h.equal(map[board.MonthOf]view.Seen{october: {}, november: {field: 7}}, months)
		_, months, err = h.Seen(t.Context(), []board.MonthOf{november}, (key.Bucket()+1)%records.Buckets)
		if err != nil || len(months[november]) > 0 {
			t.Fatal(months, err)
		}
	}
}
