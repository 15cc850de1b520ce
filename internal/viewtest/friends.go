package viewtest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"laurel/internal/harness"
	"laurel/shared/core/board"
	"laurel/shared/store/view"
)

// testFriends: a friends board equals the one package board makes of the whole board, even if the viewer is hidden.
func testFriends(t *testing.T, open func(testing.TB) *View) {
	t.Helper()
	h := open(t)
	now, before := h.Crowd(120)
	for _, user := range []string{"hidden-1", "hidden-2", "me"} {
		u := Person(Unit(user, 7, 0, Place(Today, 0, 0)), 1, user)
		u.Suppressed = true
		h.Apply(view.ShowApplied, u)
	}
	all := []string{"hidden-1", "hidden-2", "nobody", "me"}
	for i := range 3 {
		for _, id := range Awkward {
			all = append(all, fmt.Sprintf("%s.%d", id, i))
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		friends := rapid.SliceOfNDistinct(rapid.SampledFrom(all), 0, 40, rapid.ID).Draw(r, "friends")
		v := board.View{
			Board: "activity", Period: Today, User: rapid.SampledFrom(all).Draw(r, "user"),
			Offset: rapid.Int64Range(0, 45).Draw(r, "offset"), Limit: rapid.Int64Range(1, 50).Draw(r, "limit"),
		}
		var own board.Packed
		if rankOn(now, v.User) == 0 && rapid.Bool().Draw(r, "hidden") {
			own = board.Pack(rapid.Int64Range(1, 4).Draw(r, "score"), 1)
		}
		page := harness.Must(h.Friends(t.Context(), v, friends, own))(r)
		want := friendsOf(now, v, friends, own)
		want.Names, want.Period = page.Names, Today
		if diff := cmp.Diff(want, page, samePeriod); diff != "" {
			r.Fatalf("%+v -want +got\n%s", v, diff)
		}
		for _, f := range page.Friends {
			if rankOn(now, f.User)+rankOn(before, f.User) > 0 && page.Names[f.User] != "Name of "+f.User {
				r.Fatalf("%q is called %q", f.User, page.Names[f.User])
			}
		}
	})
}

// friendsOf is the page that is wanted.
func friendsOf(now []board.Member, v board.View, friends []string, own board.Packed) board.FriendsPage {
	var places []board.Place
	var others []string
	without := slices.DeleteFunc(slices.Clone(friends), func(f string) bool { return f == v.User })
	for _, user := range append(without, v.User) {
		rank := rankOn(now, user)
		switch {
		case rank > 0:
			places = append(places, board.Place{Rank: rank, Member: now[rank-1]})
		case user == v.User && own != 0:
			e := board.Member{User: user, Packed: own}
			index, _ := slices.BinarySearchFunc(now, e, board.Compare)
			places = append(places, board.Place{Rank: int64(index) + 1, Member: e})
		case user == v.User, user != "hidden-1" && user != "hidden-2" && user != "me":
			others = append(others, user)
		}
	}
	page := board.NewFriendsPage(v.User, places, others, v.Offset, v.Limit)
	for i := range page.Friends {
		if f := &page.Friends[i]; own != 0 && page.Standing.Rank > 0 && f.Rank > page.Standing.Rank {
			f.BoardRank++
		}
	}
	return page
}
