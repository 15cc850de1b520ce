package final_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/profile"
	"laurel/shared/store/final"
	"laurel/shared/store/items"
	"laurel/shared/store/table/embedded"
)

// rankIn returns a user's rank among entries, from 1; 0 without one.
func rankIn(entries []board.Member, user string) int64 {
	return int64(slices.IndexFunc(entries, func(e board.Member) bool { return e.User == user }) + 1)
}

// model answers a view from the whole board.
func model(v board.View, entries []board.Member) board.Page {
	places := make([]board.Place, len(entries))
	for i, e := range entries {
		places[i] = board.Place{Rank: int64(i + 1), Member: e}
	}
	n := int64(len(places))
	page := board.Page{Final: true, Total: n, Places: places[min(v.Offset, n):min(v.Offset+v.Limit, n)]}
	for _, user := range v.Users {
		standing, _ := board.Stand(places, rankIn(entries, user), n, 0, 0)
		page.Standings = append(page.Standings, *standing)
	}
	if v.User != "" {
		page.Standing, page.Neighbours = board.Stand(places, rankIn(entries, v.User), n, 0, v.Around)
	}
	return page
}

// Every view of a board is that of the whole board, even with users erased since.
func TestViewsAreThoseOfTheWholeBoard(t *testing.T) {
	t.Parallel()
	f, rng := newForum(t, embedded.New(time.Now)), rand.New(rand.NewPCG(1, 2))
	gone := map[string]bool{}
	var known []string
	for i := range 6_500 {
		if user := fmt.Sprint("user-", i); i%7 == 3 {
			gone[user] = true // there is no item: erased
		} else {
			known = append(known, user)
		}
	}
	f.know(t, known...)
	for closing, n := range []int{1, 99, 101, 2_100, 6_500} {
		today, keys := f.board(rng, n)
		f.make(t, "run", int64(closing), keys)
		for i, e := range today {
			if gone[e.User] {
				today[i].User = ""
			}
		}
		views(t, f, rng, today)
	}
}

func views(t *testing.T, f *forum, rng *rand.Rand, today []board.Member) {
	t.Helper()
	n := len(today)
	someone := func() string {
		edge := min(final.PageLen-rng.IntN(2), n-1) // of the first page, or of the second
		return []string{today[rng.IntN(n)].User, today[edge].User, today[n-1].User, today[0].User, "nobody"}[rng.IntN(5)]
	}
	for range testserver.Rounds(15, 40) {
		v := board.View{Board: "activity", Period: day, Limit: rng.Int64N(101), Around: rng.Int64N(26), User: someone()}
		v.Offset = []int64{0, rng.Int64N(int64(n) + 50), final.PageLen - 50, 1 << 31}[rng.IntN(4)]
		for range rng.IntN(4) {
			if user := someone(); user != "" && !slices.Contains(v.Users, user) {
				v.Users = append(v.Users, user)
			}
		}
		reader := f.finals
		if rng.IntN(2) == 0 { // one that knows nothing yet
			reader = f.process()
		}
		got, err := reader.Read(t.Context(), v)
		if err != nil {
			t.Fatalf("%d people, %+v: %v", n, v, err)
		}
		want := model(v, today)
		want.Names = got.Names
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.EquateComparable(board.Period{})); diff != "" {
			t.Fatalf("%d people, %+v (-model +final):\n%s", n, v, diff)
		}
		for _, user := range got.Users() {
			if name, err := profile.ParsePublic(got.Names[user]); err != nil || name.Name != "The "+user {
				t.Fatalf("%s is called %+v, %v", user, name, err)
			}
		}
		friends(t, reader, today, append(slices.Clone(v.Users), "nobody else"))
	}
}

func friends(t *testing.T, reader *final.Store, today []board.Member, users []string) {
	t.Helper()
	places, total, err := reader.Friends(t.Context(), "activity", day, users)
	if err != nil || total != int64(len(today)) {
		t.Fatal(total, err)
	}
	var want []board.Place
	for i, e := range today {
		if slices.Contains(users, e.User) {
			want = append(want, board.Place{Rank: int64(i + 1), Member: e})
		}
	}
	if diff := cmp.Diff(want, places, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
}

// The top is one read, a page one, a rank two at most; of a process that reads a board for the
// first time one more.
func TestReadsOfABoard(t *testing.T) {
	t.Parallel()
	f := newForum(t, embedded.New(time.Now))
	named, entries := f.board(rand.New(rand.NewPCG(2, 2)), indexed+final.PageLen)
	f.make(t, "run", 1, entries)
	for _, read := range []struct {
		view        board.View
		first, then int64
	}{
		{board.View{Limit: 100}, 1, 1},
		{board.View{Limit: 100, Offset: 5_000}, 2, 1},
		{board.View{Users: []string{named[4_000].User}}, 3, 2},
		{board.View{Users: []string{"nobody"}}, 2, 2},
	} {
		counted := &harness.Table{Table: f.Table}
		reader := final.New(counted, f.people, calendar, activity.Default())
		read.view.Board, read.view.Period = "activity", day
		for i, want := range []int64{read.first, read.then} {
			harness.Must(reader.Read(t.Context(), read.view))(t)
			if got := counted.Reads.Swap(0); got > want {
				t.Errorf("%+v: %d reads the %d. time, want %d", read.view, got, i+1, want)
			}
		}
	}
}

// A user who was erased after a period is nobody on its board, and a user who comes back is another one.
func TestErasedIsNobody(t *testing.T) {
	t.Parallel()
	f := newForum(t, embedded.New(time.Now))
	_, end := calendar.Bounds(day)
	people := map[string]items.Person{
		"a": {ID: "a"}, "b": {Erased: end}, "c": {ID: "c", Erased: end - 1}, "d": {ID: "d", Erased: end},
		"e": {ID: "e", Erased: end + 1, Erasing: true},
	}
	var entries []items.Member
	for _, id := range []string{"a", "b", "c", "d", "e", "f"} {
		entries = append(entries, items.Member{Key: f.head.KeyOf(id), Packed: board.Pack(9, int64(len(entries)))})
		if person, found := people[id]; found {
			f.people.Write(t.Context(), items.Change{Person: &items.PersonChange{Key: f.head.KeyOf(id), Value: &person}})
		}
	}
	f.make(t, "run", 1, entries)
	page, err := f.finals.Read(t.Context(), board.View{Board: "activity", Period: day, Limit: 10, User: "d"})
	harness.OK(t, err)
	var got []string
	for _, place := range page.Places {
		got = append(got, place.User)
	}
	if diff := cmp.Diff([]string{"a", "", "c", "", "", ""}, got); diff != "" || page.Standing.Rank != 0 {
		t.Errorf("d has rank %d (-want +got):\n%s", page.Standing.Rank, diff)
	}
	ranks, err := f.finals.Ranks(t.Context(), "activity", day, []string{"c", "d"})
	if diff := cmp.Diff(map[string]int64{"c": 3, "d": 0}, ranks); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// Final periods are listed newest first with the number of their users and the first of them; other periods are not
// final.
func TestPeriods(t *testing.T) {
	t.Parallel()
	f := newForum(t, embedded.New(time.Now))
	var want []final.Period
	p := day
	for i := range 5 {
		_, entries := f.board(rand.New(rand.NewPCG(1, 1)), 10-i)
		m := final.Making{Board: "activity", Period: p, Run: "run", Closing: 1}
		harness.Must(f.finals.Make(t.Context(), m, entries))(t)
		want = append(want, final.Period{Period: p, Total: int64(10 - i), Top: entries})
		p = p.Prev().Prev()
	}
	for _, testCase := range []struct {
		below board.Period
		limit int
		want  []final.Period
	}{{board.Period{}, 10, want}, {board.Period{}, 2, want[:2]}, {day.Prev(), 10, want[1:]}, {p, 10, []final.Period{}}} {
		got, err := f.finals.Periods(t.Context(), "activity", board.Day, testCase.below, testCase.limit)
		if diff := cmp.Diff(testCase.want, got, cmp.Comparer(func(a, b board.Period) bool { return a == b }),
			cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Errorf("below %s: %v (-want +got):\n%s", testCase.below, err, diff)
		}
		won, names, err := f.finals.Winners(t.Context(), got, 3)
		for i, p := range got {
			page, failed := f.finals.Read(t.Context(), board.View{Board: "activity", Period: p.Period, Limit: 3})
			if diff := cmp.Diff(page.Places, won[i]); diff != "" || err != nil || failed != nil {
				t.Errorf("winners of %s: %v, %v (-page +got):\n%s", p.Period, err, failed, diff)
			}
			for user, name := range page.Names {
				if names[user] != name {
					t.Errorf("%s is called %q, on the page %q", user, names[user], name)
				}
			}
		}
	}
	_, err := f.finals.Read(t.Context(), board.View{Board: "activity", Period: p, Limit: 1})
	if !errors.Is(err, final.ErrNotFinal) {
		t.Errorf("another period: %v", err)
	}
}
