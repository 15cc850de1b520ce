package view_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"laurel/internal/harness"
	"laurel/shared/board"
	"laurel/shared/view"
)

// awkward are ids that a locale would put in another order than their bytes, or take for equal.
var awkward = []string{
	"a", "A", "b", "B", "Z", "z", "_", "-", "a-b", "a_b", "ab", "aB", "a b", " ", "é", "e\u0301", "E", "ä", "Ä", "ß", "ss",
	"ö", "o", "ÿ", "Ā", "ı", "i", "I", "İ", "日本", "日", "ｚ", "🏆", "\u200b", "10", "9", "09", "-1", "9007199254740993", "ª",
}

// crowd shows so many users on a day and on the day before, most of them tied, and returns these
// boards in their order.
func (h *testView) crowd(n int) (now, before []board.Entry) {
	h.t.Helper()
	var units []view.Unit
	for i := range n {
		user := fmt.Sprintf("%s.%d", awkward[i%len(awkward)], i/len(awkward))
		on, was := place(today, int64(1+i*5%3), int64(i*7%3)), place(today.Prev(), int64(i*3%4), int64(i%2))
		if i%11 == 0 {
			on.Packed = 0
		}
		units = append(units, person(unit(user, 7, 0, on, was), 1, "Name of "+user))
		if on.Packed != 0 {
			now = append(now, board.Entry{User: user, Packed: on.Packed})
		}
		if was.Packed != 0 {
			before = append(before, board.Entry{User: user, Packed: was.Packed})
		}
	}
	if _, err := h.Show(h.t.Context(), 0, units...); err != nil {
		h.t.Fatal(err)
	}
	slices.SortFunc(now, board.Compare)
	slices.SortFunc(before, board.Compare)
	return now, before
}

// rankOn is a user's rank, 0 for none.
func rankOn(entries []board.Entry, user string) int64 {
	return int64(slices.IndexFunc(entries, func(e board.Entry) bool { return e.User == user })) + 1
}

// standingOn is a user's standing as the order says.
func standingOn(now, before []board.Entry, user string) board.Standing {
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

func placesOf(entries []board.Entry, from, to int64) (places []board.Place) {
	for i := max(from, 0); i < min(to, int64(len(entries))); i++ {
		places = append(places, board.Place{Rank: i + 1, Entry: entries[i]})
	}
	return places
}

// Any view of a board, in any number of shards, is the piece of it that was asked for, with names.
func TestReadIsAPieceOfTheBoard(t *testing.T) {
	t.Parallel()
	stores, counts := map[int]*testView{}, []int{1, 2, 7}
	var now, before []board.Entry
	for _, shards := range counts {
		stores[shards] = setup(t, shards)
		now, before = stores[shards].crowd(150)
	}
	users := append(slices.Clone(awkward), "nobody")
	for i := range 3 {
		for _, id := range awkward {
			users = append(users, fmt.Sprintf("%s.%d", id, i))
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		h := stores[rapid.SampledFrom(counts).Draw(r, "shards")]
		v := board.View{
			Board: "activity", Period: today,
			Offset: rapid.OneOf(rapid.Int64Range(0, 160), rapid.Just[int64](math.MaxInt64-200)).Draw(r, "offset"),
			Limit:  rapid.Int64Range(0, 100).Draw(r, "limit"),
			User:   rapid.SampledFrom(append(users, "")).Draw(r, "user"),
			Around: rapid.Int64Range(0, 25).Draw(r, "around"),

			Users:    rapid.SliceOfNDistinct(rapid.SampledFrom(users), 0, 9, rapid.ID).Draw(r, "users"),
			Movement: rapid.Bool().Draw(r, "movement"),
		}
		if rapid.Bool().Draw(r, "after") {
			v.Offset, v.After.Rank = 0, 1
			v.After.Entry = rapid.SampledFrom(now).Draw(r, "entry")
			if rapid.Bool().Draw(r, "left") {
				v.After.User = rapid.SampledFrom(users).Draw(r, "who left")
			}
		}
		pages := harness.Must(h.ReadAll(t.Context(), []board.View{v, {Board: "steps", Period: today, Limit: 5}}))(r)
		compare(r, now, before, v, pages[0])
		if pages[1].Total != 0 || len(pages[1].Places) > 0 {
			r.Fatalf("another board has %+v", pages[1])
		}
		hidden(r, h, now, before)
	})
}

func compare(r *rapid.T, now, before []board.Entry, v board.View, page board.Page) {
	start := v.Offset
	if v.After.Rank > 0 {
		i, found := slices.BinarySearchFunc(now, v.After.Entry, board.Compare)
		if start = int64(i); found {
			start++
		}
	}
	want := board.Page{Total: int64(len(now)), Places: placesOf(now, start, start+v.Limit)}
	for _, user := range v.Users {
		want.Standings = append(want.Standings, standingOn(now, before, user))
	}
	if v.User != "" {
		want.Standing = new(standingOn(now, before, v.User))
		if rank := rankOn(now, v.User); rank > 0 {
			want.Neighbours = placesOf(now, rank-1-v.Around, rank+v.Around)
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
	if diff := cmp.Diff(want, got); diff != "" {
		r.Fatalf("%+v -want +got\n%s", v, diff)
	}
	for user, name := range names {
		if page.Names[user] != name {
			r.Fatalf("%+v: %q is called %q", v, user, page.Names[user])
		}
	}
}

// hidden compares where a user who is not on the boards would stand.
func hidden(r *rapid.T, h *testView, now, before []board.Entry) {
	packed, past := rapid.SampledFrom(now).Draw(r, "like").Packed, rapid.SampledFrom(before).Draw(r, "before like").Packed
	user := rapid.SampledFrom(awkward).Draw(r, "hidden") + "!"
	with := func(entries []board.Entry, packed board.Packed) []board.Entry {
		all := append(slices.Clone(entries), board.Entry{User: user, Packed: packed})
		slices.SortFunc(all, board.Compare)
		return all
	}
	v := board.View{Board: "activity", Period: today, User: user}
	got := harness.Must(h.RankOf(h.t.Context(), []board.View{v, v}, []board.Packed{packed, 0}, []board.Packed{past, 0}))(r)
	want := []board.Standing{
		standingOn(with(now, packed), with(before, past), user), *board.OffBoard(int64(len(now)), 0),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		r.Fatalf("%q would be (-want +got):\n%s", user, diff)
	}
}

// Hundreds of pages are walked while one user a page climbs from behind to the top: nobody who stands still
// is lost, and nobody is shown twice.
func TestAWalkLosesNobodyWhoStandsStill(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 3} {
		h := setup(t, shards)
		now, _ := h.crowd(1_600)
		still, climbing := now[:1_000], now[1_000:]
		shown, v := map[string]bool{}, board.View{Board: "activity", Period: today, Limit: 3}
		for {
			page := harness.Must(h.Read(t.Context(), v))(t)
			if len(page.Places) == 0 {
				break
			}
			for _, p := range page.Places {
				if shown[p.User] {
					t.Errorf("%d shards: %q is shown twice", shards, p.User)
				}
				shown[p.User] = true
			}
			v.After = page.Places[len(page.Places)-1]
			if n := len(climbing) - 1; n >= 0 {
				h.show(view.ShowApplied, person(unit(climbing[n].User, 8, 7, place(today, 1_000, 1)), 1, "N"))
				climbing = climbing[:n]
			}
		}
		for _, e := range still {
			if !shown[e.User] {
				t.Errorf("%d shards: %q is lost", shards, e.User)
			}
		}
	}
}

// A page deep in a board of several shards is found; the trips of each kind of read are as promised.
func TestDeepPagesAndTrips(t *testing.T) {
	t.Parallel()
	one, whole := counted(t, 1)
	one.crowd(10)
	three, sharded := counted(t, 3)
	now, _ := three.crowd(2_300)
	read := func(h *testView, v board.View) func() {
		v.Board, v.Period = "activity", today
		return func() {
			if _, err := h.Read(t.Context(), v); err != nil {
				t.Error(err)
			}
		}
	}
	after := board.Place{Rank: 1_000, Entry: now[1_000]}
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
	deep := board.View{Board: "activity", Period: today, Offset: 1_700, Limit: 50, Movement: true}
	page := harness.Must(three.Read(t.Context(), deep))(t)
	three.equal(placesOf(now, 1_700, 1_750), page.Places)
	three.equal("Name of "+page.Places[0].User, page.Names[page.Places[0].User])
}

// A score that Laurel has not written is an error that says so.
func TestDamagedScores(t *testing.T) {
	t.Parallel()
	h := setup(t, 1)
	h.show(view.ShowApplied, unit("ann", 7, 0, place(today, 5, 1)))
	h.client.Do(t.Context(), "ZADD", keyOf(0, "board:activity:day:2026-11-20"), "-0.5", "eve")
	for range 2 {
		if page, err := h.Read(t.Context(), board.View{Board: "activity", Period: today, Limit: 5}); err == nil {
			t.Error(page)
		}
	}
}
