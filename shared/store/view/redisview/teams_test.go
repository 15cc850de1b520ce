package redisview_test

import (
	"errors"
	"testing"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/internal/viewtest"
	"laurel/shared/core/board"
	"laurel/shared/store/view"
)

const houses = "houses"

// houseKey is the board of teams of a shard's month.
func houseKey(shard view.Slot) string { return keyOf(shard, "teams:houses:month:2026-11") }

func sums(tb testing.TB, h *testView) map[string]int64 {
	tb.Helper()
	page := harness.Must(h.Read(tb.Context(), board.View{Board: houses, Period: viewtest.Month}))(tb)
	all := map[string]int64{}
	for _, t := range page.Teams.Places {
		all[t.Group] = t.Sum
	}
	return all
}

// showMembers shows members of houses, of whom each is worth a point more than the one before.
func showMembers(tb testing.TB, h *testView) {
	tb.Helper()
	for i, user := range []string{"ann", "bob", "cid", "dan", "eve", "zoë"} {
		place := viewtest.TeamPlace(viewtest.Month, int64(i+1), 1+i%2)
		h.Apply(view.ShowApplied, viewtest.Person(viewtest.Unit(user, 1, 1, place), 1, user))
	}
}

// A key of a board of teams has totals and the places that are in them: where it is lost, shows of its members make it
// again, and where one place is gone the member adds to the total again, as the comparison of totals shows.
func TestLostBoardOfTeamsComesBack(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 3} {
		h := setup(t, shards)
		want := map[string]int64{"red": 1 + 3 + 5, "blue": 2 + 4 + 6}
		showMembers(t, h)
		h.Equal(want, sums(t, h))
		for shard := range shards {
			harness.OK(t, h.client.Del(t.Context(), houseKey(view.Slot(shard))).Err())
		}
		h.Equal(map[string]int64{}, sums(t, h))
		showMembers(t, h)
		h.Equal(want, sums(t, h))
	}
}

// A total that is not the sum of its members is found, and corrected.
func TestTotalsAreHeldAgainstMembers(t *testing.T) {
	t.Parallel()
	h := setup(t, 1)
	showMembers(t, h)
	want := sums(t, h)
	ctx, key := t.Context(), houseKey(0)
	for _, damage := range []func() error{
		func() error { return h.client.HIncrBy(ctx, key, "1", 1<<40).Err() },
		func() error { return h.client.HDel(ctx, key, "2").Err() },
		func() error { return h.client.HSet(ctx, key, "1m", 7).Err() },
		func() error { return h.client.HSet(ctx, key, "3", 7).Err() },
		func() error { return h.client.HDel(ctx, key, "uann").Err() },
	} {
		harness.OK(t, damage())
		for _, correct := range []bool{false, true} {
			if n, err := h.CheckTotals(ctx, houses, viewtest.Month, correct); n == 0 || err != nil {
				t.Error("totals do not differ", correct, n, err)
			}
		}
		n, err := h.CheckTotals(ctx, houses, viewtest.Month, true)
		if n != 0 || err != nil {
			t.Error("the totals differ again", n, err)
		}
		showMembers(t, h)
		h.Equal(want, sums(t, h))
	}
	h.client.Del(ctx, keyOf(0, "marker"))
	if _, err := h.CheckTotals(ctx, houses, viewtest.Month, true); !errors.Is(err, view.ErrFilling) {
		t.Error(err)
	}
}

// A full Redis takes no member, and a hidden one leaves the boards of people and the number of members.
func TestTeamsInFullRedis(t *testing.T) {
	t.Parallel()
	client := testserver.OwnRedis(t).Client()
	h := on(t, client, 1)
	today := viewtest.Place(viewtest.Today, 5, 1)
	red := viewtest.TeamPlace(viewtest.Month, 5, 1)
	h.Apply(view.ShowApplied, viewtest.Person(viewtest.Unit("ann", 1, 1, today, red), 1, "Ann"))
	harness.OK(t, client.ConfigSet(t.Context(), "maxmemory", "1").Err())
	before := dump(t, client)
	_, err := h.Show(t.Context(), 0, viewtest.Person(viewtest.Unit("bob", 1, 1, red), 1, "Bob"))
	if !errors.Is(err, view.ErrFull) {
		t.Error(err)
	}
	h.Equal(before, dump(t, client))
	hidden := viewtest.Person(viewtest.Unit("ann", 1, 1, viewtest.Place(viewtest.Today, 0, 0), red), 2, "Ann")
	hidden.Suppressed = true
	h.Apply(view.ShowApplied, hidden)
	h.Equal("", h.Order(viewtest.Today))
	page := harness.Must(h.Read(t.Context(), board.View{Board: houses, Period: viewtest.Month}))(t)
	h.Equal([]board.Team{{Rank: 1, Group: "red", Sum: 5}}, page.Teams.Places)
}

// A read of a board of teams takes one trip in any number of shards.
func TestReadOfTeamsTakesOneTrip(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 3} {
		h, trips := counted(t, shards)
		showMembers(t, h)
		read := func() { sums(t, h) }
		read()
		trips.Expect(t, "a board of teams", 1, read)
	}
}
