package redisview_test

import (
	"errors"
	"testing"

	"laurel/internal/harness"
	"laurel/internal/viewtest"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
	"laurel/shared/store/view/redisview"
)

// A process with its own boards, on the view of others.
type process struct {
	*testView
	*redisview.Store
}

// process is one whose board helpers has a name in keys.
func (h *testView) process(shards int, helpers string) process {
	o := h.Options(shards)
	o.Kept = "activity:day " + helpers + ":day"
	o.Boards = map[string]string{"activity": "activity", "helpers": helpers}
	return process{h, redisview.New(h.client, o)}
}

func (p process) want() view.Marker { return view.Marker{Table: p.Table, Rules: "rules"} }

// claim begins a comparison of all slots, and mark ends it.
func (p process) claim() {
	p.T.Helper()
	for _, slot := range p.AllSlots() {
		if ok, err := p.Claim(p.T.Context(), slot, p.Table, ""); err != nil || !ok {
			p.T.Error("claim", slot, ok, err)
		}
	}
}

func (p process) mark() (all bool) {
	p.T.Helper()
	all = true
	for _, slot := range p.AllSlots() {
		ok, err := p.Mark(p.T.Context(), slot, p.want(), "")
		harness.OK(p.T, err)
		all = all && ok
	}
	return all
}

// show shows ann with a score on some boards of today.
func (p process) show(revision int64, score int64, boards ...string) {
	p.T.Helper()
	var places []ledger.Shown
	for _, name := range boards {
		places = append(places, ledger.Shown{Board: name, Period: viewtest.Today, Packed: board.Pack(score, 1)})
	}
	u := view.Unit{
		User: "ann", Key: items.Key{1}, Person: 1, Whole: true, Name: `{"name":"Ann"}`,
		Months: []view.MonthUnit{{
			MonthRevision: view.MonthRevision{Month: viewtest.Month.First().Month(), Revision: revision}, Was: revision,
			Places: places,
		}},
	}
	showed, err := p.ShowAll(p.T.Context(), view.Showing{Table: p.Table, Units: []view.Unit{u}})
	if err != nil || showed.Units[0] != view.ShowApplied {
		p.T.Fatal(showed, err)
	}
}

// top checks the score of ann on today's board; -1 for one that is not whole.
func (p process) top(name string, want int64) {
	p.T.Helper()
	asked := board.View{Board: name, Period: viewtest.Today, Limit: 3, User: "ann"}
	page, err := p.Read(p.T.Context(), asked)
	_, friends := p.Friends(p.T.Context(), asked, nil, 0)
	_, ranks := p.RankOf(p.T.Context(), []board.View{asked}, []board.Packed{0}, []board.Packed{0})
	_, periods := p.PeriodsOf(p.T.Context(), name, board.Day)
	if want < 0 {
		for _, err := range []error{err, friends, ranks, periods} {
			if !errors.Is(err, view.ErrFilling) {
				p.T.Errorf("%s is read: %+v, %v", name, page, err)
			}
		}
		return
	}
	harness.OK(p.T, errors.Join(err, friends, ranks, periods))
	if page.Total != 1 || page.Places[0].Packed.Score() != want {
		p.T.Errorf("%s has %+v, want %d", name, page.Places, want)
	}
}

// A board that is new or asks another question answers when it is whole, and all others meanwhile, though processes
// with the former rules show people: theirs is then not whole again until it is compared.
func TestPromise9ANewBoardAnswersWhenItIsWhole(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 3} {
		h := setup(t, shards)
		old, next := h.process(shards, "helpers~1"), h.process(shards, "helpers~2")
		old.claim()
		old.show(1, 5, "activity", "helpers")
		if !old.mark() {
			t.Error("a comparison that nobody disturbs is not whole")
		}
		old.top("helpers", 5)
		next.top("activity", 5)
		next.top("helpers", -1)

		next.claim()
		next.show(1, 7, "activity", "helpers")
		old.show(2, 6, "activity", "helpers")
		if next.mark() {
			t.Error("a board is whole though a process without it showed people")
		}
		next.top("helpers", -1)
		next.claim()
		next.show(2, 8, "activity", "helpers")
		if !next.mark() {
			t.Error("a claim is not taken again")
		}
		next.top("helpers", 8)
		next.top("activity", 8)
		old.top("activity", 8)
		old.top("helpers", -1)

		old.sweep(t) // it keeps the boards that are whole for others
		next.top("helpers", 8)
		old.show(3, 9, "activity", "helpers")
		next.top("helpers", -1)
		next.top("activity", 9)
		next.sweep(t)
		for _, key := range h.client.Keys(t.Context(), "*helpers~1*").Val() {
			t.Error("a board of former rules is left:", key)
		}
	}
}

func (p process) sweep(t *testing.T) {
	t.Helper()
	harness.OK(t, p.Sweep(t.Context(), nil, 1))
}
