package httpapi_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/stream"
	"laurel/internal/testserver"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
	"laurel/shared/ledger/reference"
)

// Promise 1 for what is read of people: after random activities and lists, friends
// boards and standings are the reference's: live with somebody hidden, then night
// after night, when the period before is final sooner than the one that is read.
func TestPromise1ReadsOfPeople(t *testing.T) {
	t.Parallel()
	users := []string{"ada", "bob/bob", "{0}:q\"", "9007199254740993", "é è", "eve%20", "🙂"}
	compared, finals := 0, 0
	for i := range 6 {
		rng := rand.New(rand.NewPCG(uint64(i), 41))
		place, err := stream.NewForum(rng)
		if err != nil {
			t.Fatal(err)
		}
		w := newTownWith(t, testserver.Redis(t), ledger.New(place.Rules, place.Calendar), 1+i%3)
		ref := reference.New(place.Rules, place.Calendar)
		acts := place.Activities(rng, 500, users)
		last := acts[0].At
		for _, a := range acts {
			last = max(last, a.At)
			ref.Add(a)
		}
		for _, r := range w.live.Record(t.Context(), acts, ledger.Arrival{Now: last, AnyAge: true}) {
			if r.Err != nil {
				t.Fatal(r.Err)
			}
		}
		w.now = last.Time()
		f := w.open()
		for _, user := range users[:3] {
			targets := []string{users[3+rng.IntN(4)], "nobody-" + fmt.Sprint(rng.IntN(9))}
			f.says(f.put(of(user, "/following"), f.service(), `{"users":[`+quote(targets[0])+`,`+quote(targets[1])+`]}`), http.StatusOK, `{"user":`+quote(user)+`,"total":2}`)
			ref.Replace(user, targets, last)
		}
		hidden := users[rng.IntN(len(users))]
		for _, boards := range []string{"hidden", "shown"} {
			f.says(f.put(of(hidden, "/visibility"), f.user(hidden), `{"boards":"`+boards+`"}`), http.StatusOK, `{"user":`+quote(hidden)+`,"boards":"`+boards+`"}`)
			ref.SetHidden(hidden, boards == "hidden")
			f.comparePeople(w, place, ref, users, &compared, &finals)
		}
		for _, days := range []int{0, 2, 3, 35} {
			w.night(days).comparePeople(w, place, ref, users, &compared, &finals)
		}
		if t.Failed() {
			t.Fatalf("stream %d in %s, %s hid", i, place.Calendar.Zone(), hidden)
		}
	}
	t.Logf("%d answers compared, %d of final boards", compared, finals)
	if compared < 1_000 || finals < 200 {
		t.Error("they are too few to show anything")
	}
}

func (f *forum) comparePeople(w *town, place stream.Forum, ref *reference.Ledger, users []string, compared, finals *int) {
	f.tb.Helper()
	token := f.service()
	for _, name := range place.Rules.Boards() {
		for _, window := range place.Rules.Windows(name) {
			for n, p := range ref.Periods(name, window) {
				user := users[n%len(users)] // another one for each
				address := fmt.Sprintf("/v1/boards/%s/%s%s", name, window, of(user, "")[len("/v1"):])
				b := read[httpapi.Board](f.tb, f.get(address+"?period="+p.String(), token))
				if diff := cmp.Diff(standing(ref, name, p, user), b.Standing); diff != "" {
					f.tb.Errorf("%s of %s (-reference +HTTP):\n%s", address, p, diff)
				}
				mine := read[httpapi.FriendsBoard](f.tb, f.get(address+"/friends?limit=100&period="+p.String(), token))
				if diff := cmp.Diff(friendsOf(ref, name, p, user), mine.Entries); diff != "" {
					f.tb.Errorf("%s friends of %s, final %t (-reference +HTTP):\n%s", address, p, mine.Final, diff)
				}
				if *compared += 2; mine.Final {
					*finals++
				}
			}
		}
	}
	today := place.Calendar.Date(board.MomentOf(w.now))
	for _, user := range users {
		got := read[httpapi.Standings](f.tb, f.get(of(user, "/standings"), f.user(user)))
		for _, s := range got.Standings {
			window, err := board.ParseWindow(s.Window)
			if err != nil {
				f.tb.Fatal(err)
			}
			own := positionOf(ref.OwnStanding(s.Board, board.PeriodOf(window, today), user))
			if diff := cmp.Diff(own, s.Position); diff != "" {
				f.tb.Errorf("own standing of %s on %s %s (-reference +HTTP):\n%s", user, s.Board, s.Period, diff)
			}
		}
		*compared++
	}
}

func positionOf(s board.Standing) httpapi.Position {
	p := httpapi.Position{Score: s.Score, Total: s.Total, Percentile: s.Percentile, ToNext: s.ToNext, PreviousRank: s.PreviousRank}
	if s.Rank > 0 {
		p.Rank = &s.Rank
	}
	return p
}

func friendsOf(ref *reference.Ledger, name string, p board.Period, user string) []httpapi.Friend {
	var all []httpapi.Friend
	for _, e := range ref.Friends(name, p, user) {
		friend := httpapi.Friend{User: httpapi.User{ID: httpapi.UserID(e.User)}}
		if e.Rank > 0 {
			friend.Rank, friend.BoardRank, friend.Score = &e.Rank, &e.BoardRank, e.Packed.Score()
		}
		all = append(all, friend)
	}
	return all
}
