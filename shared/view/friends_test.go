package view_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"laurel/internal/harness"
	"laurel/shared/board"
	"laurel/shared/view"
)

// A friends board is the one that package board makes of the whole board, with any users
// hidden, the viewer too, in any number of shards.
func TestFriendsAreAPartOfTheBoard(t *testing.T) {
	t.Parallel()
	stores, counts := map[int]*testView{}, []int{1, 3}
	var now, before []board.Entry
	for _, shards := range counts {
		h := setup(t, shards)
		now, before = h.crowd(120)
		for _, user := range []string{"hidden-1", "hidden-2", "me"} {
			u := person(unit(user, 7, 0, place(today, 0, 0)), 1, user)
			u.Suppressed = true
			h.show(view.ShowApplied, u)
		}
		stores[shards] = h
	}
	all := []string{"hidden-1", "hidden-2", "nobody", "me"}
	for i := range 3 {
		for _, id := range awkward {
			all = append(all, fmt.Sprintf("%s.%d", id, i))
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		h := stores[rapid.SampledFrom(counts).Draw(r, "shards")]
		friends := rapid.SliceOfNDistinct(rapid.SampledFrom(all), 0, 40, rapid.ID).Draw(r, "friends")
		v := board.View{
			Board: "activity", Period: today, User: rapid.SampledFrom(all).Draw(r, "user"),
			Offset: rapid.Int64Range(0, 45).Draw(r, "offset"), Limit: rapid.Int64Range(1, 50).Draw(r, "limit"),
		}
		var own board.Packed
		if rankOn(now, v.User) == 0 && rapid.Bool().Draw(r, "hidden") {
			own = board.Pack(rapid.Int64Range(1, 4).Draw(r, "score"), 1)
		}
		page := harness.Must(h.Friends(t.Context(), v, friends, own))(r)
		want := friendsOf(now, v, friends, own)
		want.Names = page.Names
		if diff := cmp.Diff(want, page); diff != "" {
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
func friendsOf(now []board.Entry, v board.View, friends []string, own board.Packed) board.FriendsPage {
	var places []board.Place
	var others []string
	without := slices.DeleteFunc(slices.Clone(friends), func(f string) bool { return f == v.User })
	for _, user := range append(without, v.User) {
		rank := rankOn(now, user)
		switch {
		case rank > 0:
			places = append(places, board.Place{Rank: rank, Entry: now[rank-1]})
		case user == v.User && own != 0:
			e := board.Entry{User: user, Packed: own}
			index, _ := slices.BinarySearchFunc(now, e, board.Compare)
			places = append(places, board.Place{Rank: int64(index) + 1, Entry: e})
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

// The longest list takes one trip, in one shard.
func TestFriendsOfTheLongestList(t *testing.T) {
	t.Parallel()
	h, trips := counted(t, 1)
	var friends []string
	var units []view.Unit
	for i := range 12_000 {
		friends = append(friends, fmt.Sprintf("u%05d", i))
		if i%4 == 0 {
			units = append(units, person(unit(friends[i], 7, 0, place(today, int64(i+1), 1)), 1, "N"))
		}
	}
	if _, err := h.Show(t.Context(), 0, units...); err != nil {
		t.Fatal(err)
	}
	read := func() {
		v := board.View{Board: "activity", Period: today, User: "u00004", Offset: 2_990, Limit: 20}
		page := harness.Must(h.Friends(t.Context(), v, friends, 0))(t)
		h.equal([]int64{12_000, 2_999, 2_999}, []int64{page.Total, page.Standing.Rank, page.BoardRank})
		h.equal("u00036", page.Friends[0].User)
		h.equal("N", page.Names["u00036"])
		h.equal("u00001", page.Friends[10].User)
	}
	read()
	trips.Expect(t, "a friends board", 1, read)
}
