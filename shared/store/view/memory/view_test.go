package memory_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"laurel/internal/harness"
	"laurel/internal/viewtest"
	"laurel/shared/core/article"
	"laurel/shared/store/view"
	"laurel/shared/store/view/memory"
)

func TestPromisesOfAView(t *testing.T) {
	t.Parallel()
	viewtest.Run(t, viewtest.Implementation{
		Shards: []int{1},
		Open:   func(_ testing.TB, o view.Options) view.View { return memory.New(o) },
		Holds:  func(_ testing.TB, v view.View, text string) bool { return viewtest.Holds(v, text) },
	})
}

// A view of another process takes nothing and is not filled; that is as unavailable as a Redis that does not answer.
func TestViewElsewhereIsUnavailable(t *testing.T) {
	t.Parallel()
	v := memory.Elsewhere(view.Options{
		Zone: "UTC", Table: func(context.Context, bool) (string, error) { return "table", nil },
	})
	_, unread := v.Markers(t.Context())
	showed, unshown := v.ShowAll(t.Context(), view.Showing{Units: []view.Unit{{User: "ann", Whole: true}}})
	_, noBoards := v.Boards(t.Context())
	_, noArticles := v.Groups(t.Context())
	for operation, err := range map[string]error{
		"ping": v.Ping(t.Context()), "markers": unread, "clear": v.Clear(t.Context(), 0, view.Marker{Table: "table"}),
		"show": unshown, "boards": noBoards, "groups": noArticles,
	} {
		if !errors.Is(err, view.ErrUnavailable) || errors.Is(err, view.ErrFilling) {
			t.Errorf("%s: %v, want unavailable", operation, err)
		}
	}
	if !slices.Equal(showed.Units, []view.ShowResult{view.ShowFailed}) {
		t.Errorf("the show's result is %v", showed.Units)
	}
}

// A board that is swept while its slot is being filled leaves nothing behind, as one that is swept later.
func TestSweepOfAFillForgets(t *testing.T) {
	t.Parallel()
	bytes := func(sweepFirst bool) int64 {
		v := memory.New((&viewtest.View{Known: "table-1"}).Options(1))
		h := viewtest.New(t, 1, func(view.Options) view.View { return v })
		h.ClearAll(view.Marker{Table: "table-1", Fill: "some"})
		h.Apply(view.ShowApplied, viewtest.Unit("ann", 7, 0, viewtest.Place(viewtest.Past, 5, 1)))
		sweep := func() { h.SweepAll(viewtest.Finalised(t, nil, viewtest.Past), 3) }
		if sweepFirst {
			sweep()
		}
		for _, slot := range h.AllSlots() {
			if done, err := h.Mark(t.Context(), slot, view.Marker{Table: "table-1"}, "some"); !done || err != nil {
				t.Fatal(done, err)
			}
		}
		if !sweepFirst {
			sweep()
		}
		return v.Bytes()
	}
	if first, later := bytes(true), bytes(false); first != later {
		t.Errorf("swept first it takes %d bytes, later %d", first, later)
	}
}

// Votes of an article whose votes are final are not kept.
func TestFinalVotesTakeNoMemory(t *testing.T) {
	t.Parallel()
	v := memory.New((&viewtest.View{Known: "table-1"}).Options(1))
	h := viewtest.New(t, 1, func(view.Options) view.View { return v })
	page := viewtest.PageOf("a", 3)
	h.PutArticle(page)
	h.Vote("bob", 5, "a")
	if n := v.Voted(); n != 1 {
		t.Errorf("while it is open there are counts of %d articles", n)
	}
	page.Revision, page.State, page.Votes = 4, article.VotesFinal, 2
	h.PutArticle(page)
	h.Vote("cid", 5, "a")
	shown := harness.Must(h.Articles(t.Context(), "a"))(t)["a"]
	if n := v.Voted(); n != 0 || shown.Votes != 2 {
		t.Errorf("there are counts of %d articles, and %d votes", n, shown.Votes)
	}
}
