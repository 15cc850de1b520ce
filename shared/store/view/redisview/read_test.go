package redisview_test

import (
	"testing"

	"laurel/internal/harness"
	"laurel/internal/viewtest"
	"laurel/shared/core/board"
	"laurel/shared/store/view"
)

// A page deep in a board of several shards is found; the trips of each kind of read are as promised.
func TestDeepPagesAndTrips(t *testing.T) {
	t.Parallel()
	one, whole := counted(t, 1)
	one.Crowd(10)
	three, sharded := counted(t, 3)
	now, _ := three.Crowd(2_300)
	read := func(h *testView, v board.View) func() {
		v.Board, v.Period = "activity", viewtest.Today
		return func() {
			if _, err := h.Read(t.Context(), v); err != nil {
				t.Error(err)
			}
		}
	}
	after := board.Place{Rank: 1_000, Member: now[1_000]}
	for _, c := range []struct {
		name       string
		v          board.View
		one, three int64
	}{
		{"a page", board.View{Limit: 30}, 1, 1},
		{"a standing", board.View{Limit: 30, User: "A.0", Around: 2}, 1, 2},
		{"a page after a place", board.View{Limit: 30, After: after}, 1, 1},
		{"movement", board.View{Limit: 30, User: "b.0", Users: []string{"B.0"}, Movement: true}, 1, 3},
	} {
		for range 2 { // with the scripts' texts first
			read(one, c.v)()
			read(three, c.v)()
		}
		whole.Expect(t, c.name, c.one, read(one, c.v))
		sharded.Expect(t, c.name+" of three shards", c.three, read(three, c.v))
	}
	deep := board.View{Board: "activity", Period: viewtest.Today, Offset: 1_700, Limit: 50, Movement: true}
	page := harness.Must(three.Read(t.Context(), deep))(t)
	three.Equal(viewtest.PlacesOf(now, 1_700, 1_750), page.Places)
	three.Equal("Name of "+page.Places[0].User, page.Names[page.Places[0].User])
}

// A score that Laurel has not written is an error that says so.
func TestDamagedScores(t *testing.T) {
	t.Parallel()
	h := setup(t, 1)
	h.Apply(view.ShowApplied, viewtest.Unit("ann", 7, 0, viewtest.Place(viewtest.Today, 5, 1)))
	h.client.Do(t.Context(), "ZADD", keyOf(0, "board:activity:day:2026-11-20"), "-0.5", "eve")
	for range 2 {
		if page, err := h.Read(t.Context(), board.View{Board: "activity", Period: viewtest.Today, Limit: 5}); err == nil {
			t.Error(page)
		}
	}
}
