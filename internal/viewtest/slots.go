package viewtest

import (
	"errors"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/view"
)

// Reads are all the ways to read boards and lists.
func (h *View) Reads() map[string]error {
	ctx, errs := h.T.Context(), map[string]error{}
	v := board.View{Board: "activity", Period: Today, Limit: 10}
	_, errs["Read"] = h.Read(ctx, v)
	_, errs["Friends"] = h.Friends(ctx, board.View{Board: "activity", Period: Today, User: "ann", Limit: 1}, nil, 0)
	_, errs["RankOf"] = h.RankOf(ctx, []board.View{{Board: "activity", Period: Today, User: "ann"}},
		[]board.Packed{board.Pack(3, 1)}, []board.Packed{0})
	_, errs["PeriodsOf"] = h.PeriodsOf(ctx, "activity", board.Day)
	_, errs["List"] = h.List(ctx, article.View{Sort: article.Hot, Limit: 1})
	_, errs["Articles"] = h.Articles(ctx, "a")
	_, errs["Groups"] = h.Groups(ctx)
	return errs
}

// Comparisons calls the operations that read shown units, and those that show: they work while a slot is filled.
func (h *View) Comparisons() map[string]error {
	ctx, errs := h.T.Context(), map[string]error{}
	_, _, errs["Seen"] = h.Seen(ctx, []board.MonthOf{November}, 1)
	_, errs["SeenVotes"] = h.SeenVotes(ctx, []board.MonthOf{November}, 1)
	_, errs["SeenArticles"] = h.SeenArticles(ctx, "a")
	_, errs["Users"] = h.Users(ctx, []string{"ann"}, [][]ledger.Shown{{Place(Today, 1, 1)}})
	for _, err := range h.Members(ctx, "activity", Today) {
		errs["Members"] = err
	}
	_, errs["Show"] = h.Show(ctx, 0, Person(Unit("ann", 7, 0, Place(Today, 5, 1)), 1, "Ann"))
	_, errs["ShowVotes"] = h.ShowVotes(ctx, Votes("ann", 7, "a"))
	_, errs["ShowArticles"] = h.ShowArticles(ctx, PageOf("a", 3))
	return errs
}

// ExpectAll fails the test if any of some errors is another than the wanted one.
func (h *View) ExpectAll(when string, want error, errs map[string]error) {
	h.T.Helper()
	for call, err := range errs {
		if !errors.Is(err, want) || want != nil && !errors.Is(err, view.ErrUnavailable) {
			h.T.Errorf("%s, %s: %v", when, call, err)
		}
	}
}

// testFilling: better no board than a wrong one. A view that was never filled, is being filled, or is of another table
// is not read; nothing is shown in it unless it is being filled.
func testFilling(t *testing.T, open func(testing.TB) *View) {
	t.Helper()
	h := open(t)
	h.ExpectAll("whole", nil, h.Comparisons())
	h.ExpectAll("whole", nil, h.Reads())
	h.ClearAll(view.Marker{Table: "table-1", Fill: "some"})
	h.ExpectAll("being filled", nil, h.Comparisons())
	h.ExpectAll("being filled", view.ErrFilling, h.Reads())
	h.ClearAll(view.Marker{Table: "table-2", Fill: "some"})
	h.ExpectAll("of another table", view.ErrFilling, h.Comparisons())
	h.ExpectAll("of another table", view.ErrFilling, h.Reads())
	h.SweepAll(Finalised(t, nil, Past), 3)
	for _, m := range harness.Must(h.Markers(t.Context()))(t) {
		h.Equal(int64(0), m.Beat)
	}
	h.ClearAll(view.Marker{Table: "table-1", Fill: "some"})
	h.ExpectAll("being filled", nil, h.Comparisons())
}

// testShownWhileFilling: users who come, move and go while a slot is being filled have their places when it is whole.
// Until then its members can be compared, and a show returns no rank.
func testShownWhileFilling(t *testing.T, open func(testing.TB) *View) {
	t.Helper()
	h := open(t)
	ctx := t.Context()
	h.ClearAll(view.Marker{Table: "table-1", Fill: "some"})
	for i, score := range []int64{5, 9, 7} {
		h.Apply(view.ShowApplied, Unit([]string{"ann", "bob", "eve"}[i], 1, 0, Place(Today, score, 1)))
	}
	h.Apply(view.ShowApplied, Unit("ann", 2, 1, Place(Today, 8, 2)))
	showed := harness.Must(h.ShowAll(ctx, 0, view.Showing{
		Units: []view.Unit{Unit("bob", 2, 1, Place(Today, 0, 0))},
		Ranks: []board.View{{Board: "activity", Period: Today, User: "ann"}},
	}))(t)
	h.Equal([]int64{0}, showed.Ranks)
	members := map[string]int64{}
	for entry, err := range h.Members(ctx, "activity", Today) {
		harness.OK(t, err)
		members[entry.User] = entry.Packed.Score()
	}
	h.Equal(map[string]int64{"ann": 8, "eve": 7}, members)
	h.Apply(view.ShowApplied, Unit("eve", 2, 1, Place(Today, 20, 3))) // after a look at the members, too
	for _, m := range harness.Must(h.Markers(ctx))(t) {
		done, err := h.Mark(ctx, m.Slot, view.Marker{Table: "table-1", Rules: "rules"}, "some")
		if err != nil || !done {
			t.Error(m.Slot, done, err)
		}
	}
	h.Equal("eve ann", h.Order(Today))
	h.Apply(view.ShowApplied, Unit("bob", 3, 2, Place(Today, 10, 4)))
	h.Equal("eve bob ann", h.Order(Today))
}

// testNewTable: a process that knows an older id of the table asks once, and uses the new one. Units name their own.
func testNewTable(t *testing.T, open func(testing.TB) *View) {
	t.Helper()
	h := open(t)
	h.Table = "table-2"
	h.Fill()
	h.Apply(view.ShowApplied, Unit("ann", 7, 0, Place(Today, 5, 1)))
	h.Equal(0, h.Asked)
	h.Equal("ann", h.Order(Today))
	h.Equal(1, h.Asked)
	h.Table, h.Known = "table-1", "table-1"
	if err := h.Reads()["Read"]; !errors.Is(err, view.ErrFilling) {
		t.Error(err)
	}
}

// testChain: a fill is a chain of steps, and the slot is whole after the last.
func testChain(t *testing.T, open func(testing.TB) *View) {
	t.Helper()
	h := open(t)
	ctx := t.Context()
	h.Apply(view.ShowApplied, Unit("ann", 7, 0, Place(Today, 5, 1)))
	want := view.Marker{Table: "table-1", Rules: "others", Fill: "one", Beat: 5, Life: 4}
	harness.OK(t, h.Clear(ctx, 0, want))
	for _, step := range []struct {
		from, to string
		done     bool
	}{{"one", "one:1", true}, {"one", "one:1", false}, {"one:1", "one:2", true}} {
		done, err := h.Advance(ctx, 0, step.from, step.to)
		if err != nil || done != step.done {
			t.Error(step, done, err)
		}
	}
	markers := harness.Must(h.Markers(ctx))(t)
	filling := view.Marker{
		Format: 1, Zone: "Europe/Berlin", Shards: h.Shards(), Table: "table-1", Rules: "others",
		Life: 4, Fill: "one:2",
	}
	h.Equal(filling, markers[0])
	h.Equal(true, h.Is(markers[0], "table-1"))
	for _, change := range []func(*view.Marker){
		func(m *view.Marker) { m.Format = 2 }, func(m *view.Marker) { m.Zone = "Europe/Paris" },
		func(m *view.Marker) { m.Shards++ }, func(m *view.Marker) { m.Table = "table-2" },
	} {
		other := filling
		change(&other)
		h.Equal(false, h.Is(other, "table-1"))
	}
	if done, err := h.Mark(ctx, 0, want, "one"); done || err != nil {
		t.Error("another fill's chain ends:", done, err)
	}
	if done, err := h.Mark(ctx, 0, view.Marker{Table: "table-2"}, "one:2"); done || err != nil {
		t.Error("another table's fill ends:", done, err)
	}
	if done, err := h.Mark(ctx, 0, want, "one:2"); !done || err != nil {
		t.Error(done, err)
	}
	h.Equal("", h.Order(Today))
	marker := harness.Must(h.Markers(ctx))(t)[0]
	h.Equal([]int64{5, 4}, []int64{marker.Beat, marker.Life})
	want.Beat, want.Life, want.Rules = 4, 3, "new" // of an earlier tick: the rules are taken, numbers do not go back
	if done, err := h.Mark(ctx, 0, want, ""); !done || err != nil {
		t.Error(done, err)
	}
	marker = harness.Must(h.Markers(ctx))(t)[0]
	h.Equal([]int64{5, 4}, []int64{marker.Beat, marker.Life})
	h.Equal("new", marker.Rules)
}

// testOvertakenFill: of two fills that empty a slot one is overtaken; the marker is the other's.
func testOvertakenFill(t *testing.T, open func(testing.TB) *View) {
	t.Helper()
	h := open(t)
	h.Crowd(20)
	for range 20 {
		failed := make(chan error, 2)
		for _, fill := range []string{"one", "two"} {
			go func() { failed <- h.Clear(t.Context(), 0, view.Marker{Table: "table-1", Fill: fill}) }()
		}
		for _, err := range []error{<-failed, <-failed} {
			if err != nil && !errors.Is(err, view.ErrCleared) {
				t.Error(err)
			}
		}
		markers, err := h.Markers(t.Context())
		if err != nil || markers[0].Format == 0 || markers[0].Fill != "one" && markers[0].Fill != "two" {
			t.Error(markers, err)
		}
	}
}
