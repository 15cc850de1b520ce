package redisview_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/internal/viewtest"
	"laurel/shared/store/view"
	"laurel/shared/store/view/redisview"
)

// A server that has forgotten its scripts gets them again, in the middle of a pipeline too. It is the test's own:
// other tests count the trips of those that know them.
func TestForgottenScriptsAreSentAgain(t *testing.T) {
	t.Parallel()
	client, trips := testserver.Counted(t, testserver.OwnRedis(t).Options())
	h := on(t, client, 3)
	units := make([]view.Unit, 90)
	for i := range units {
		place := viewtest.Place(viewtest.Today, int64(i+1), 1)
		units[i] = viewtest.Person(viewtest.Unit(fmt.Sprint("user-", i), 7, 0, place), 1, "N")
	}
	show := func() {
		showed, err := h.ShowAll(t.Context(), 0, view.Showing{
			Units: units, Votes: []view.VotesUnit{viewtest.Votes("bob", 3, "a")},
			Articles: []view.ArticleUnit{viewtest.PageOf("a", 3)},
		})
		if err != nil || showed.Units[89] != view.ShowApplied || showed.Votes[0] != view.ShowApplied {
			t.Error(showed, err)
		}
	}
	show()
	trips.Expect(t, "a show of many users in several calls", 1, show)
	h.client.ScriptFlush(t.Context())
	trips.Expect(t, "a show without scripts", 2, show)
	h.client.ScriptFlush(t.Context())
	h.Equal(int64(90), h.Whole(viewtest.Today).Total)
}

// The trips that a client counts are those on the wire.
func TestTripsAreCounted(t *testing.T) {
	t.Parallel()
	client, w := testserver.Counted(t, testserver.RedisOptions(t))
	var n atomic.Int64
	redisview.TimeTrips(client, func(context.Context, time.Duration) { n.Add(1) })
	h := on(t, client, 3)
	u := viewtest.Person(viewtest.Unit("ann", 7, 0, viewtest.Place(viewtest.Today, 5, 1)), 1, "Ann")
	for range 2 {
		before, seen := n.Load(), w.Count()
		h.Apply(view.ShowApplied, u)
		h.Whole(viewtest.Today)
		if got, want := n.Load()-before, w.Count()-seen; got != want || got == 0 {
			t.Errorf("counted %d, the wire saw %d", got, want)
		}
	}
}

// A full Redis refuses every call that adds to it, whole, and says so; boards answer; users who
// leave, and final periods, are still removed; and when there is room it continues.
func TestFullRedis(t *testing.T) {
	t.Parallel()
	client := testserver.OwnRedis(t).Client()
	h := on(t, client, 1)
	for _, user := range []string{"ann", "bob"} {
		today, past := viewtest.Place(viewtest.Today, 5, 1), viewtest.Place(viewtest.Past, 5, 1)
		h.Apply(view.ShowApplied, viewtest.Person(viewtest.Unit(user, 7, 0, today, past), 1, user))
	}
	h.PutArticle(viewtest.PageOf("a", 3, "g"))
	limit := func(bytes string) {
		harness.OK(t, client.ConfigSet(t.Context(), "maxmemory", bytes).Err())
	}
	limit("1")
	before := dump(t, client)
	added := view.Showing{
		Units: []view.Unit{
			viewtest.Person(viewtest.Unit("ann", 8, 7,
				viewtest.Place(viewtest.Today, 9, 1), viewtest.Place(viewtest.Past, 0, 0)), 1, "Ann"),
			viewtest.Unit("cid", 7, 0, viewtest.Place(viewtest.Today, 1, 1)),
		},
		Votes: []view.VotesUnit{viewtest.Votes("bob", 3, "a")}, Articles: []view.ArticleUnit{viewtest.PageOf("b", 3)},
	}
	showed, err := h.ShowAll(t.Context(), 0, added)
	if !errors.Is(err, view.ErrFull) || !errors.Is(err, view.ErrUnavailable) {
		t.Error(err)
	}
	h.Equal([]view.ShowResult{view.ShowFailed, view.ShowFailed}, showed.Units)
	h.Equal([]view.ShowResult{view.ShowFailed}, showed.Votes)
	h.Equal([]view.ShowResult{view.ShowFailed}, showed.Articles)
	h.Equal(before, dump(t, client))
	h.Equal("ann bob", h.Order(viewtest.Today))

	hidden := viewtest.Person(viewtest.Unit("bob", 8, 7,
		viewtest.Place(viewtest.Today, 0, 0), viewtest.Place(viewtest.Past, 0, 0)), 2, "bob")
	hidden.Suppressed = true
	h.Apply(view.ShowApplied, hidden)
	gone := viewtest.PageOf("a", 4)
	gone.Unlisted = true
	h.PutArticle(gone)
	h.SweepAll(viewtest.Finalised(t, nil, viewtest.Past), 3)
	h.Equal("ann", h.Order(viewtest.Today))
	h.Equal("", h.Order(viewtest.Past))
	h.Equal("", h.Listing("hot", ""))
	h.Fill()

	limit("0")
	if _, err := h.ShowAll(t.Context(), 2, added); err != nil {
		t.Error(err)
	}
	h.Equal("ann cid", h.Order(viewtest.Today))
}

// On a cluster each script's keys are in one slot, and shows and reads go to several nodes at once, in
// pipelines that are shared; a slot that moves meanwhile is followed.
func TestCluster(t *testing.T) {
	t.Parallel()
	cluster := testserver.StartCluster(t, 3)
	client := harness.Must(redisview.Dial(cluster.URL(), true, nil))(t)
	defer client.Close()
	redisview.SharePipelines(client)
	h := on(t, client, 8)
	h.Crowd(200)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for revision := int64(1); revision <= 30; revision++ {
				user, place := fmt.Sprint("user-", i), viewtest.Place(viewtest.Month, revision, 1)
				showing := view.Showing{
					Units: []view.Unit{viewtest.Person(viewtest.Unit(user, revision, revision-1, place), 1, "N")},
					Votes: []view.VotesUnit{viewtest.Votes(user, revision, "a")},
				}
				_, err := h.ShowAll(t.Context(), 0, showing)
				for ; errors.Is(err, view.ErrUnavailable); _, err = h.ShowAll(t.Context(), 0, showing) {
					time.Sleep(5 * time.Millisecond) // the keys of a slot are on two nodes while it moves
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	for _, slot := range h.AllSlots() {
		_, owner := cluster.Owner(keyOf(slot, "marker"))
		cluster.Move(keyOf(slot, "marker"), (owner+1)%3, time.Millisecond)
	}
	wg.Wait()
	h.PutArticle(viewtest.PageOf("a", 3, "g"))
	h.Equal("a:+++++++++", h.Listing("hot", "g"))
	page := h.Whole(viewtest.Month)
	h.Equal(int64(8), page.Total)
	for _, p := range page.Places {
		h.Equal(int64(30), p.Packed.Score())
	}
	h.ExpectAll("on a cluster", nil, h.Reads())
	h.ExpectAll("on a cluster", nil, h.Comparisons())
	h.SweepAll(viewtest.Finalised(t, nil, viewtest.Today, viewtest.Past), 3)
	h.Equal("", h.Order(viewtest.Today))
	h.Fill()
	h.Equal("", h.Order(viewtest.Month))
}

// A Redis that does not answer is unavailable, within seconds.
func TestUnreachableRedis(t *testing.T) {
	t.Parallel()
	client := harness.Must(redisview.Dial("redis://127.0.0.1:1", false, nil))(t)
	defer client.Close()
	h := &viewtest.View{T: t, Known: "table-1"}
	h.View = redisview.New(client, h.Options(1))
	got, err := h.Show(t.Context(), 0, viewtest.Unit("ann", 7, 0, viewtest.Place(viewtest.Today, 5, 1)))
	if !errors.Is(err, view.ErrUnavailable) || errors.Is(err, view.ErrFilling) || got[0] != view.ShowFailed {
		t.Error(got, err)
	}
	if err := h.Reads()["Read"]; !errors.Is(err, view.ErrUnavailable) || errors.Is(err, view.ErrFilling) {
		t.Error(err)
	}
}
