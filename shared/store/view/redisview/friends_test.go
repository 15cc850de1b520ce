package redisview_test

import (
	"fmt"
	"testing"

	"laurel/internal/harness"
	"laurel/internal/viewtest"
	"laurel/shared/core/board"
	"laurel/shared/store/view"
)

// The longest list takes one trip, in one shard.
func TestFriendsOfTheLongestList(t *testing.T) {
	t.Parallel()
	h, trips := counted(t, 1)
	var friends []string
	var units []view.Unit
	for i := range 12_000 {
		friends = append(friends, fmt.Sprintf("u%05d", i))
		if i%4 == 0 {
			place := viewtest.Place(viewtest.Today, int64(i+1), 1)
			units = append(units, viewtest.Person(viewtest.Unit(friends[i], 7, 0, place), 1, "N"))
		}
	}
	if _, err := h.Show(t.Context(), 0, units...); err != nil {
		t.Fatal(err)
	}
	read := func() {
		v := board.View{Board: "activity", Period: viewtest.Today, User: "u00004", Offset: 2_990, Limit: 20}
		page := harness.Must(h.Friends(t.Context(), v, friends, 0))(t)
		h.Equal([]int64{12_000, 2_999, 2_999}, []int64{page.Total, page.Standing.Rank, page.BoardRank})
		h.Equal("u00036", page.Friends[0].User)
		h.Equal("N", page.Names["u00036"])
		h.Equal("u00001", page.Friends[10].User)
	}
	read()
	trips.Expect(t, "a friends board", 1, read)
}
