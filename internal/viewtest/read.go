package viewtest

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"laurel/internal/harness"
	"laurel/shared/core/board"
	"laurel/shared/store/view"
)

// Awkward are ids that a locale would put in another order than their bytes, or take for equal.
var Awkward = []string{
	"a", "A", "b", "B", "Z", "z", "_", "-", "a-b", "a_b", "ab", "aB", "a b", " ", "é", "e\u0301", "E", "ä", "Ä", "ß", "ss",
	"ö", "o", "ÿ", "Ā", "ı", "i", "I", "İ", "日本", "日", "ｚ", "🏆", "\u200b", "10", "9", "09", "-1", "9007199254740993", "ª",
}

// Crowd shows so many users on a day and on the day before, most of them tied, and returns these
// boards in their order.
func (h *View) Crowd(n int) (now, before []board.Member) {
	h.T.Helper()
	var units []view.Unit
	for i := range n {
		user := fmt.Sprintf("%s.%d", Awkward[i%len(Awkward)], i/len(Awkward))
		on, was := Place(Today, int64(1+i*5%3), int64(i*7%3)), Place(Today.Prev(), int64(i*3%4), int64(i%2))
		if i%11 == 0 {
			on.Packed = 0
		}
		units = append(units, Person(Unit(user, 7, 0, on, was), 1, "Name of "+user))
		if on.Packed != 0 {
			now = append(now, board.Member{User: user, Packed: on.Packed})
		}
		if was.Packed != 0 {
			before = append(before, board.Member{User: user, Packed: was.Packed})
		}
	}
	if _, err := h.Show(h.T.Context(), 0, units...); err != nil {
		h.T.Fatal(err)
	}
	slices.SortFunc(now, board.Compare)
	slices.SortFunc(before, board.Compare)
	return now, before
}

// rankOn is a user's rank, 0 for none.
func rankOn(entries []board.Member, user string) int64 {
	return int64(slices.IndexFunc(entries, func(e board.Member) bool { return e.User == user })) + 1
}

// standingOn is a user's standing as the order says.
func standingOn(now, before []board.Member, user string) board.Standing {
	rank := rankOn(now, user)
	if rank == 0 {
		return *board.OffBoard(int64(len(now)), rankOn(before, user))
	}
	var above int64
	if rank > 1 {
		above = now[rank-2].Packed.Score()
	}
	return board.NewStanding(rank, now[rank-1].Packed, int64(len(now)), above, rankOn(before, user))
}

// PlacesOf returns the places from one to another, both from 0.
func PlacesOf(entries []board.Member, from, to int64) (places []board.Place) {
	for i := max(from, 0); i < min(to, int64(len(entries))); i++ {
		places = append(places, board.Place{Rank: i + 1, Member: entries[i]})
	}
	return places
}

// testRead: any view of a board is the piece of it that was asked for, with names.
func testRead(t *testing.T, open func(testing.TB) *View) {
	t.Helper()
	h := open(t)
	now, before := h.Crowd(150)
	users := append(slices.Clone(Awkward), "nobody")
	for i := range 3 {
		for _, id := range Awkward {
			users = append(users, fmt.Sprintf("%s.%d", id, i))
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		v := board.View{
			Board: "activity", Period: Today,
			Offset: rapid.OneOf(rapid.Int64Range(0, 160), rapid.Just[int64](math.MaxInt64-200)).Draw(r, "offset"),
			Limit:  rapid.Int64Range(0, 100).Draw(r, "limit"),
			User:   rapid.SampledFrom(append(users, "")).Draw(r, "user"),
			Around: rapid.Int64Range(0, 25).Draw(r, "around"),

			Users:    rapid.SliceOfNDistinct(rapid.SampledFrom(users), 0, 9, rapid.ID).Draw(r, "users"),
			Movement: rapid.Bool().Draw(r, "movement"),
		}
		if rapid.Bool().Draw(r, "after") {
			v.Offset, v.After.Rank = 0, 1
			v.After.Member = rapid.SampledFrom(now).Draw(r, "entry")
			if rapid.Bool().Draw(r, "left") {
				v.After.User = rapid.SampledFrom(users).Draw(r, "user who left")
			}
		}
		pages := harness.Must(h.ReadAll(t.Context(), []board.View{v, {Board: "steps", Period: Today, Limit: 5}}))(r)
		compare(r, now, before, v, pages[0])
		if pages[1].Total != 0 || len(pages[1].Places) > 0 {
			r.Fatalf("another board has %+v", pages[1])
		}
		hidden(r, h, now, before)
	})
}

func compare(r *rapid.T, now, before []board.Member, v board.View, page board.Page) {
	first := v.Offset
	if v.After.Rank > 0 {
		i, found := slices.BinarySearchFunc(now, v.After.Member, board.Compare)
		if first = int64(i); found {
			first++
		}
	}
	want := board.Page{Period: v.Period, Total: int64(len(now)), Places: PlacesOf(now, first, first+v.Limit)}
	for _, user := range v.Users {
		want.Standings = append(want.Standings, standingOn(now, before, user))
	}
	if v.User != "" {
		want.Standing = new(standingOn(now, before, v.User))
		if rank := rankOn(now, v.User); rank > 0 {
			want.Neighbours = PlacesOf(now, rank-1-v.Around, rank+v.Around)
		}
	}
	previous, names := map[string]int64{}, map[string]string{}
	for _, user := range want.Users() {
		names[user] = "Name of " + user
		if rank := rankOn(before, user); v.Movement && rank > 0 {
			previous[user] = rank
		}
	}
	got := page
	got.Names = nil
	for user := range got.Previous { // of one more before the neighbours
		if !slices.Contains(want.Users(), user) {
			delete(got.Previous, user)
		}
	}
	if v.Movement {
		want.Previous = previous
	}
	if len(got.Places) == 0 {
		got.Places = nil
	}
	if diff := cmp.Diff(want, got, samePeriod); diff != "" {
		r.Fatalf("%+v -want +got\n%s", v, diff)
	}
	for user, name := range names {
		if page.Names[user] != name {
			r.Fatalf("%+v: %q is called %q", v, user, page.Names[user])
		}
	}
}

// hidden compares the standing that a user who is not on the boards would have.
func hidden(r *rapid.T, h *View, now, before []board.Member) {
	packed, past := rapid.SampledFrom(now).Draw(r, "like").Packed, rapid.SampledFrom(before).Draw(r, "before like").Packed
	user := rapid.SampledFrom(Awkward).Draw(r, "hidden") + "!"
	with := func(entries []board.Member, packed board.Packed) []board.Member {
		all := append(slices.Clone(entries), board.Member{User: user, Packed: packed})
		slices.SortFunc(all, board.Compare)
		return all
	}
	v := board.View{Board: "activity", Period: Today, User: user}
	got := harness.Must(h.RankOf(h.T.Context(), []board.View{v, v}, []board.Packed{packed, 0}, []board.Packed{past, 0}))(r)
	want := []board.Standing{
		standingOn(with(now, packed), with(before, past), user), *board.OffBoard(int64(len(now)), 0),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		r.Fatalf("%q would be (-want +got):\n%s", user, diff)
	}
}

// testWalk: hundreds of pages are walked while one user a page climbs from behind to the top. A user who stands still
// is not lost, and none is shown twice.
func testWalk(t *testing.T, open func(testing.TB) *View) {
	t.Helper()
	h := open(t)
	now, _ := h.Crowd(1_600)
	still, climbing := now[:1_000], now[1_000:]
	shown, v := map[string]bool{}, board.View{Board: "activity", Period: Today, Limit: 3}
	for {
		page := harness.Must(h.Read(t.Context(), v))(t)
		if len(page.Places) == 0 {
			break
		}
		for _, p := range page.Places {
			if shown[p.User] {
				t.Errorf("%q is shown twice", p.User)
			}
			shown[p.User] = true
		}
		v.After = page.Places[len(page.Places)-1]
		if n := len(climbing) - 1; n >= 0 {
			h.Apply(view.ShowApplied, Person(Unit(climbing[n].User, 8, 7, Place(Today, 1_000, 1)), 1, "N"))
			climbing = climbing[:n]
		}
	}
	for _, e := range still {
		if !shown[e.User] {
			t.Errorf("%q is lost", e.User)
		}
	}
}
