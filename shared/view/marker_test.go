package view_test

import (
	"errors"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/view"
)

// reads are all the ways to read boards and lists.
func (h *testView) reads() map[string]error {
	ctx, errs := h.t.Context(), map[string]error{}
	v := board.View{Board: "activity", Period: today, Limit: 10}
	_, errs["Read"] = h.Read(ctx, v)
	_, errs["Friends"] = h.Friends(ctx, board.View{Board: "activity", Period: today, User: "ann", Limit: 1}, nil, 0)
	_, errs["RankOf"] = h.RankOf(ctx, []board.View{{Board: "activity", Period: today, User: "ann"}},
		[]board.Packed{board.Pack(3, 1)}, []board.Packed{0})
	_, errs["PeriodsOf"] = h.PeriodsOf(ctx, "activity", board.Day)
	_, errs["List"] = h.List(ctx, article.View{Sort: article.Hot, Limit: 1})
	_, errs["Articles"] = h.Articles(ctx, "a")
	_, errs["Groups"] = h.Groups(ctx)
	return errs
}

// comparisons are the ways to read seen revisions, and to show: they work while a slot is filled.
func (h *testView) comparisons() map[string]error {
	ctx, errs := h.t.Context(), map[string]error{}
	_, _, errs["Seen"] = h.Seen(ctx, []board.MonthOf{november}, 1)
	_, errs["SeenVotes"] = h.SeenVotes(ctx, []board.MonthOf{november}, 1)
	_, errs["SeenArticles"] = h.SeenArticles(ctx, "a")
	_, errs["Users"] = h.Users(ctx, []string{"ann"}, [][]ledger.Shown{{place(today, 1, 1)}})
	for _, err := range h.Members(ctx, "activity", today) {
		errs["Members"] = err
	}
	_, errs["Show"] = h.Show(ctx, 0, person(unit("ann", 7, 0, place(today, 5, 1)), 1, "Ann"))
	_, errs["ShowVotes"] = h.ShowVotes(ctx, 0, votes("ann", 7, "a"))
	_, errs["ShowArticles"] = h.ShowArticles(ctx, 0, pageOf("a", 3))
	return errs
}

func (h *testView) expect(when string, want error, errs map[string]error) {
	h.t.Helper()
	for operation, err := range errs {
		if !errors.Is(err, want) || want != nil && !errors.Is(err, view.ErrUnavailable) {
			h.t.Errorf("%s, %s: %v", when, operation, err)
		}
	}
}

// Better no board than a wrong one: a slot without marker, being emptied or filled, or of another
// table, zone, number of shards or format is not read; nor is anything shown in it unless it is
// being filled.
func TestStrangeSlotsAreRefused(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 3} {
		h := setup(t, shards)
		h.expect("whole", nil, h.comparisons())
		h.expect("whole", nil, h.reads())
		set := func(fields ...string) {
			for _, slot := range h.slots() {
				h.client.HSet(t.Context(), keyOf(slot, "marker"), fields)
			}
		}
		set("fill", "some")
		h.expect("being filled", nil, h.comparisons())
		h.expect("being filled", view.ErrFilling, h.reads())
		for _, identity := range []string{
			"", "1 Europe/Berlin 1 table-2", "1 Europe/Paris 1 table-1", "1 Europe/Berlin 2 table-1",
			"2 Europe/Berlin 1 table-1",
		} {
			set("is", identity, "fill", "")
			h.expect(identity, view.ErrFilling, h.comparisons())
			h.expect(identity, view.ErrFilling, h.reads())
		}
		h.client.FlushDB(t.Context())
		h.expect("emptied", view.ErrFilling, h.comparisons())
		h.expect("emptied", view.ErrFilling, h.reads())
		h.sweep(finalised(t, nil, past), 3)
		if keys := h.client.Keys(t.Context(), "*").Val(); len(keys) > 0 {
			t.Error("something was shown in an empty Redis:", keys)
		}
	}
}

func keyOf(slot view.Slot, rest string) string {
	if slot == view.Articles {
		return "laurel:{articles}:" + rest
	}
	return "laurel:{" + string('0'+rune(slot)) + "}:" + rest
}

// A process that knows an older id of the table asks once, and continues with the new one.
func TestNewTableIsAskedFor(t *testing.T) {
	t.Parallel()
	h := setup(t, 1)
	h.table = "table-2"
	h.fill()
	h.show(view.ShowApplied, unit("ann", 7, 0, place(today, 5, 1)))
	h.equal(1, h.asked)
	h.known = "table-1"
	h.equal("ann", h.users(today))
	h.table, h.known = "table-1", "table-1"
	if err := h.reads()["Read"]; !errors.Is(err, view.ErrFilling) {
		t.Error(err)
	}
}

func TestFillIsAChain(t *testing.T) {
	t.Parallel()
	h := setup(t, 1)
	ctx := t.Context()
	h.show(view.ShowApplied, unit("ann", 7, 0, place(today, 5, 1)))
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
		Format: 1, Zone: "Europe/Berlin", Shards: 1, Table: "table-1", Rules: "others",
		Life: 4, Fill: "one:2",
	}
	h.equal(filling, markers[0])
	h.equal(true, h.Is(markers[0], "table-1"))
	for _, change := range []func(*view.Marker){
		func(m *view.Marker) { m.Format = 2 }, func(m *view.Marker) { m.Zone = "Europe/Paris" },
		func(m *view.Marker) { m.Shards = 2 }, func(m *view.Marker) { m.Table = "table-2" },
	} {
		other := filling
		change(&other)
		h.equal(false, h.Is(other, "table-1"))
	}
	if done, err := h.Mark(ctx, 0, want, "one"); done || err != nil {
		t.Error("another fill's chain ends:", done, err)
	}
	if done, err := h.Mark(ctx, 0, want, "one:2"); !done || err != nil {
		t.Error(done, err)
	}
	h.equal("", h.users(today))
}

// Of two fills that empty a slot one is overtaken, and says so; the marker is the other's.
func TestOvertakenFillStops(t *testing.T) {
	t.Parallel()
	h := setup(t, 1)
	h.crowd(20)
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
