package view_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/view"
)

// A server that has forgotten its scripts gets them again, in the middle of a pipeline too. It is the test's own:
// other tests count the trips of those that know them.
func TestForgottenScriptsAreSentAgain(t *testing.T) {
	t.Parallel()
	client, trips := testserver.Counted(t, testserver.OwnRedis(t).Options())
	h := on(t, client, 3)
	units := make([]view.Unit, 90)
	for i := range units {
		units[i] = person(unit(fmt.Sprint("user-", i), 7, 0, place(today, int64(i+1), 1)), 1, "N")
	}
	show := func() {
		showed, err := h.ShowAll(t.Context(), 0, view.Showing{
			Units: units, Votes: []view.VotesUnit{votes("bob", 3, "a")}, Articles: []view.ArticleUnit{pageOf("a", 3)},
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
	h.equal(int64(90), h.board(today).Total)
}

// The trips that a client counts are those on the wire.
func TestTripsAreCounted(t *testing.T) {
	t.Parallel()
	client, w := testserver.Counted(t, testserver.RedisOptions(t))
	var n atomic.Int64
	view.TimeTrips(client, func(context.Context, time.Duration) { n.Add(1) })
	h := on(t, client, 3)
	u := person(unit("ann", 7, 0, place(today, 5, 1)), 1, "Ann")
	for range 2 {
		before, seen := n.Load(), w.Count()
		h.show(view.ShowApplied, u)
		h.board(today)
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
		h.show(view.ShowApplied, person(unit(user, 7, 0, place(today, 5, 1), place(past, 5, 1)), 1, user))
	}
	h.article(pageOf("a", 3, "g"))
	limit := func(bytes string) {
		harness.OK(t, client.ConfigSet(t.Context(), "maxmemory", bytes).Err())
	}
	limit("1")
	before := dump(t, client)
	added := view.Showing{
		Units: []view.Unit{
			person(unit("ann", 8, 7, place(today, 9, 1), place(past, 0, 0)), 1, "Ann"), unit("cid", 7, 0, place(today, 1, 1)),
		},
		Votes: []view.VotesUnit{votes("bob", 3, "a")}, Articles: []view.ArticleUnit{pageOf("b", 3)},
	}
	showed, err := h.ShowAll(t.Context(), 0, added)
	if !errors.Is(err, view.ErrFull) || !errors.Is(err, view.ErrUnavailable) {
		t.Error(err)
	}
	h.equal([]view.ShowResult{view.ShowFailed, view.ShowFailed}, showed.Units)
	h.equal([]view.ShowResult{view.ShowFailed}, showed.Votes)
	h.equal([]view.ShowResult{view.ShowFailed}, showed.Articles)
	h.equal(before, dump(t, client))
	h.equal("ann bob", h.users(today))

	hidden := person(unit("bob", 8, 7, place(today, 0, 0), place(past, 0, 0)), 2, "bob")
	hidden.Suppressed = true
	h.show(view.ShowApplied, hidden)
	gone := pageOf("a", 4)
	gone.Unlisted = true
	h.article(gone)
	h.sweep(finalised(t, nil, past), 3)
	h.equal("ann", h.users(today))
	h.equal("", h.users(past))
	h.equal("", h.list("hot", ""))
	h.fill()

	limit("0")
	if _, err := h.ShowAll(t.Context(), 2, added); err != nil {
		t.Error(err)
	}
	h.equal("ann cid", h.users(today))
}

// On a cluster each script's keys are in one slot, and shows and reads go to several nodes at once, in
// pipelines that are shared; a slot that moves meanwhile is followed.
func TestCluster(t *testing.T) {
	t.Parallel()
	cluster := testserver.StartCluster(t, 3)
	client := harness.Must(view.Dial(cluster.URL(), true, nil))(t)
	defer client.Close()
	view.SharePipelines(client)
	h := on(t, client, 8)
	h.crowd(200)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for revision := int64(1); revision <= 30; revision++ {
				u := person(unit(fmt.Sprint("user-", i), revision, revision-1, place(month, revision, 1)), 1, "N")
				showing := view.Showing{
					Units: []view.Unit{u}, Votes: []view.VotesUnit{votes(fmt.Sprint("user-", i), revision, "a")},
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
	for _, slot := range h.slots() {
		_, owner := cluster.Owner(keyOf(slot, "marker"))
		cluster.Move(keyOf(slot, "marker"), (owner+1)%3, time.Millisecond)
	}
	wg.Wait()
	h.article(pageOf("a", 3, "g"))
	h.equal("a:+++++++++", h.list("hot", "g"))
	page := h.board(month)
	h.equal(int64(8), page.Total)
	for _, p := range page.Places {
		h.equal(int64(30), p.Packed.Score())
	}
	h.expect("on a cluster", nil, h.reads())
	h.expect("on a cluster", nil, h.comparisons())
	h.sweep(finalised(t, nil, today, past), 3)
	h.equal("", h.users(today))
	h.fill()
	h.equal("", h.users(month))
}

// A Redis that does not answer is unavailable, within seconds.
func TestUnreachableRedis(t *testing.T) {
	t.Parallel()
	client := harness.Must(view.Dial("redis://127.0.0.1:1", false, nil))(t)
	defer client.Close()
	h := &testView{t: t, client: client, known: "table-1"}
	h.Store = view.New(client, options(h, 1))
	got, err := h.Show(t.Context(), 0, unit("ann", 7, 0, place(today, 5, 1)))
	if !errors.Is(err, view.ErrUnavailable) || errors.Is(err, view.ErrFilling) || got[0] != view.ShowFailed {
		t.Error(got, err)
	}
	if err := h.reads()["Read"]; !errors.Is(err, view.ErrUnavailable) || errors.Is(err, view.ErrFilling) {
		t.Error(err)
	}
}

// The embedded server of laurel dev, which knows no flags of scripts, does the same.
func TestEmbeddedServer(t *testing.T) {
	t.Parallel()
	server := miniredis.RunT(t)
	h := on(t, redis.NewClient(&redis.Options{Addr: server.Addr()}), 1)
	h.show(view.ShowApplied, person(unit("ann", 7, 0, place(today, 5, 1), place(past, 1, 1)), 1, "Ann"))
	h.show(view.ShowApplied, person(unit("bob", 7, 0, place(today, 6, 1)), 1, "Bob"))
	h.show(view.ShowApplied, unit("cid", 7, 0, place(today, 0, 0)))
	h.article(pageOf("a", 3, "g"))
	h.vote("bob", 3, "a")
	h.equal("a:++", h.list("hot", "g"))
	h.equal("bob ann", h.users(today))
	h.equal("bob ann", h.users(today))
	h.expect("embedded", nil, h.reads())
	h.expect("embedded", nil, h.comparisons())
	h.sweep(finalised(t, nil, past), 3)
	h.equal("", h.users(past))
}

func TestRecentEntriesAreTheNewest(t *testing.T) {
	t.Parallel()
	h := setup(t, 1)
	for i := range 60 {
		harness.OK(t, h.AddRecent(t.Context(), "hooks", fmt.Append(nil, i)))
	}
	entries, err := h.Recent(t.Context(), "hooks", "none")
	if err != nil || len(entries) != 50 || entries[0] != "59" {
		t.Error(entries, err)
	}
}
