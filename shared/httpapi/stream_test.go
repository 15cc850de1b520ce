package httpapi_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
	"laurel/shared/ledger/reference"
)

// A walk is a forum with the reference beside it, that gets the same.
type walk struct {
	*forum
	place            reference.Forum
	ref              *reference.Ledger
	users            []string
	compared, finals *int
}

// Promise 1, through HTTP: random activities of two days, reported by the service in any
// order, some more than once, by several at once, and older ones that were imported, give
// the boards, standings, neighbours, friends, periods and days of the reference: with
// somebody hidden, and night after night, when the period before is final sooner than the
// one that is read.
func TestPromise1ThroughHTTP(t *testing.T) {
	t.Parallel()
	users := []string{"ada", "bob/bob", "{0}:q\"", "9007199254740993", "é è", "eve%20", "🙂", "-1"}
	reported, compared, finals := 0, 0, 0
	forums := testserver.Rounds(8, 80)
	for i := range forums {
		rng := rand.New(rand.NewPCG(uint64(i), 7))
		place, err := reference.NewForum(rng)
		if err != nil {
			t.Fatal(err)
		}
		acts := place.WithRestores(rng, place.Activities(rng, 8_000, users))
		// A moment of the stream is the middle of the two days, so that midnights, and at
		// times a month's end, are among them.
		now := acts[0].At + 24*3_600_000
		var recent, older []activity.Activity
		for _, a := range acts {
			if age := now - a.At; age > 48*3_600_000 && len(older) < 300 {
				older = append(older, a)
			} else if age >= 0 && age <= 48*3_600_000 {
				recent = append(recent, a)
			}
		}
		reported += len(recent)
		set := harness.Setup{Ledger: ledger.New(place.Rules, place.Calendar), Shards: 1 + i%3, Now: now.Time()}
		w := walk{
			&forum{harness.NewForum(t, set).Serve()}, place, reference.New(place.Rules, place.Calendar), users,
			&compared, &finals,
		}
		for _, a := range slices.Concat(older, recent) {
			w.ref.Add(a)
		}
		points := map[string]int64{}
		for j, r := range w.Record(older...) {
			points[older[j].User] += r.Points
		}
		w.deliver(reference.Deliver(rng, recent, 500), points)
		for _, user := range users {
			if got, want := points[user], w.ref.MonthPoints(user); got != want {
				t.Errorf("receipts of %s add up to %d, the month scores to %d", user, got, want)
			}
			w.compareDays(user, place.Calendar.Date(now))
			w.compareEntries(user)
		}
		for _, user := range users[:3] {
			targets := []string{users[3+rng.IntN(4)], fmt.Sprint("nobody-", rng.IntN(9))}
			body := `{"users":[{"id":` + quote(targets[0]) + `},{"id":` + quote(targets[1]) + `}]}`
			w.Says(w.Put(of(user, "/following"), w.Service(), body), http.StatusOK, `{"total":2}`)
			w.ref.Replace(user, targets, now)
		}
		hidden := users[rng.IntN(len(users))]
		for _, boards := range []string{"hidden", "shown"} {
			w.Says(w.Put(of(hidden, "/visibility"), w.User(hidden), `{"boards":"`+boards+`"}`), http.StatusOK,
				`{"boards":"`+boards+`","days":"private"}`)
			w.ref.SetHidden(hidden, boards == "hidden")
			w.compare(len(users))
		}
		for _, days := range []int{0, 2, 5, 35, 80} {
			w.Night(days)
			w.compare(1)
		}
		if t.Failed() {
			t.Fatalf("stream %d in %s at %s, %s hid", i, place.Calendar.Zone(), now, hidden)
		}
	}
	t.Logf("%d activities, %d answers compared, %d of final boards", reported, compared, finals)
	if reported < 600*forums || compared < 600*forums || finals < 85*forums {
		t.Error("they are too few to show anything")
	}
}

// deliver reports batches, four at a time, and adds the points of the receipts by user.
func (w walk) deliver(batches [][]activity.Activity, points map[string]int64) {
	w.TB.Helper()
	var mu sync.Mutex
	var wg sync.WaitGroup
	todo := make(chan []activity.Activity, len(batches))
	for _, b := range batches {
		todo <- b
	}
	close(todo)
	token := w.Service()
	for range 4 {
		wg.Go(func() {
			for batch := range todo {
				var acts []string
				for _, a := range batch {
					acts = append(acts, harness.Reported(a, true))
				}
				a := w.Post(token, list(acts...))
				var got httpapi.Receipts
				if err := json.Unmarshal([]byte(a.Body), &got); err != nil || len(got.Receipts) != len(batch) {
					w.TB.Errorf("status %d: %s", a.Status, a.Body)
					return
				}
				mu.Lock()
				for i, r := range got.Receipts {
					points[batch[i].User] += r.Points
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

// equal compares what the reference has with an answer, of a final board or not.
func (w walk) equal(want, got any, final bool, what ...any) {
	w.TB.Helper()
	if final {
		*w.finals++
	}
	if *w.compared++; !cmp.Equal(want, got) {
		w.TB.Errorf("%v (-reference +HTTP):\n%s", what, cmp.Diff(want, got))
	}
}

// compare compares every period of every board: its pages, the standings of so many
// users, and the friends of one; then the own standings.
func (w walk) compare(standings int) {
	w.TB.Helper()
	token := w.Service()
	for _, name := range w.place.Rules.Boards() {
		for _, window := range w.place.Rules.Windows(name) {
			address := fmt.Sprintf("/v1/boards/%s/%s", name, window)
			want := map[string]int64{}
			for n, p := range w.ref.Periods(name, window) {
				whole := w.compareBoard(name, p, address)
				if len(whole) > 0 {
					want[p.String()] = int64(len(whole))
				}
				for i := range standings {
					w.compareStanding(name, p, address, w.users[(n+i)%len(w.users)], whole)
				}
				user := w.users[n%len(w.users)] // another one for each
				mine := read[httpapi.FriendsBoard](w.TB,
					w.Get(address+of(user, "")[len("/v1"):]+"/friends?limit=100&period="+p.String(), token))
				w.equal(w.friends(name, p, user), mine.Entries, mine.Final, address, p, "friends of", user)
				w.compareOwn(mine, user, address+" "+p.String())
			}
			got := map[string]int64{}
			for _, p := range read[httpapi.Periods](w.TB, w.Get(address+"/periods?limit=100", "")).Periods {
				got[p.Period] = p.Total
			}
			w.equal(want, got, false, address)
		}
	}
	today := w.place.Calendar.Date(board.MomentOf(w.Now))
	for _, user := range w.users {
		for _, s := range read[httpapi.Standings](w.TB, w.Get(of(user, "/standings"), w.User(user))).Standings {
			window, err := board.ParseWindow(s.Window)
			if err != nil {
				w.TB.Fatal(err)
			}
			p := board.PeriodOf(window, today)
			own := w.position(p, w.ref.OwnStanding(s.Board, p, user))
			w.equal(own, s.Position, false, "own standing of", user, s.Board, s.Period)
		}
	}
}

// compareBoard compares the pages of a board, and returns what is on it.
func (w walk) compareBoard(name string, p board.Period, address string) (want []httpapi.Entry) {
	w.TB.Helper()
	for i, e := range w.ref.Board(name, p) {
		user := httpapi.User{ID: httpapi.UserID(e.User)}
		want = append(want, httpapi.Entry{
			Rank: int64(i + 1), Score: e.Packed.Score(), ReachedAt: w.reached(p, e.Packed.Ticks()), User: user,
		})
	}
	var got []httpapi.Entry
	for len(got) < len(want) {
		b := read[httpapi.Board](w.TB, w.Get(fmt.Sprintf("%s?period=%s&limit=3&offset=%d", address, p, len(got)), ""))
		if len(b.Entries) == 0 || b.Total != int64(len(want)) {
			break
		}
		got = append(got, b.Entries...)
	}
	w.equal(want, got, false, address, p)
	return want
}

// compareStanding compares a user's standing and neighbours on a board.
func (w walk) compareStanding(name string, p board.Period, address, user string, whole []httpapi.Entry) {
	w.TB.Helper()
	b := read[httpapi.Board](w.TB, w.Get(address+of(user, "")[len("/v1"):]+"?around=1&period="+p.String(), ""))
	want := &httpapi.Standing{User: whose(user), Position: w.position(p, w.ref.Standing(name, p, user))}
	w.equal(want, b.Standing, b.Final, address, p, "standing of", user)
	near := []httpapi.Entry{}
	if i := slices.IndexFunc(whole, func(e httpapi.Entry) bool { return string(e.User.ID) == user }); i >= 0 {
		near = whole[max(0, i-1):min(len(whole), i+2)]
	}
	w.equal(near, b.Entries, b.Final, address, p, "neighbours of", user)
}

func whose(id string) httpapi.User { return httpapi.User{ID: httpapi.UserID(id)} }

// reached is when a score was reached, as answers have it.
func (w walk) reached(p board.Period, ticks int64) string {
	at := w.place.Calendar.AtTicks(p, ticks).Time().In(w.place.Calendar.Zone())
	return at.Format("2006-01-02T15:04:05.000Z07:00")
}

func (w walk) position(of board.Period, s board.Standing) httpapi.Position {
	p := httpapi.Position{
		Score: s.Score, Total: s.Total, Percentile: s.Percentile, ToNext: s.ToNext, PreviousRank: s.PreviousRank,
	}
	if s.Rank > 0 {
		p.Rank, p.ReachedAt = &s.Rank, new(w.reached(of, s.Ticks))
	}
	return p
}

func (w walk) friends(name string, p board.Period, user string) []httpapi.Friend {
	var all []httpapi.Friend
	for _, e := range w.ref.Friends(name, p, user) {
		friend := httpapi.Friend{User: httpapi.User{ID: httpapi.UserID(e.User)}}
		if e.Rank > 0 {
			friend.Rank, friend.BoardRank, friend.Score = &e.Rank, &e.BoardRank, e.Packed.Score()
			friend.ReachedAt = new(w.reached(p, e.Packed.Ticks()))
		}
		all = append(all, friend)
	}
	return all
}

// compareOwn compares the own standing on a friends board with its entries, and pages of one.
func (w walk) compareOwn(all httpapi.FriendsBoard, user, what string) {
	w.TB.Helper()
	want := httpapi.FriendStanding{User: whose(user), Total: all.Total, ToNext: new(int64(1))}
	for i, e := range all.Entries {
		if e.User != want.User || e.Rank == nil {
			continue
		}
		want.Rank, want.BoardRank, want.Score, want.ReachedAt = e.Rank, e.BoardRank, e.Score, e.ReachedAt
		want.Percentile, want.ToNext = new(board.Percentile(*e.Rank, all.Total)), nil
		if i > 0 {
			want.ToNext = new(all.Entries[i-1].Score - e.Score + 1)
		}
	}
	w.equal(want, all.Standing, all.Final, what, "own among friends", user)
	path := "/v1" + strings.TrimPrefix(strings.Fields(what)[0], "/v1") + of(user, "")[len("/v1"):] +
		"/friends?limit=2&period=" +
		all.Period
	var paged []httpapi.Friend
	for path != "" {
		page := read[httpapi.FriendsBoard](w.TB, w.Get(path, w.User(user)))
		w.equal(all.Standing, page.Standing, page.Final, path)
		if paged, path = append(paged, page.Entries...), ""; page.Next != nil {
			path = *page.Next
		}
	}
	w.equal(all.Entries, paged, all.Final, what, "friends in pages", user)
}

// compareDays compares the days of a user.
// compareEntries compares the points of a user's entries, all pages of them, with the days.
func (w walk) compareEntries(user string) {
	w.TB.Helper()
	type scoreOf struct{ board, day string }
	got, last := map[scoreOf]int64{}, ""
	path := of(user, "/entries?limit=100")
	for n := int64(0); path != ""; {
		page := read[httpapi.KeptEntries](w.TB, w.Get(path, w.User(user)))
		for _, e := range page.Entries {
			got[scoreOf{e.Board, e.Day}] += e.Points
			latest := max(utc(e.First), utc(e.Last), utc(e.Undone), utc(e.Restored))
			if last != "" && latest > last || (e.State == "undone") != (e.Day == "") || e.State != "counted" && e.Points != 0 {
				w.TB.Errorf("an entry of %s after %s: %+v", user, last, e)
			}
			last = latest
		}
		if n += int64(len(page.Entries)); page.Next == nil {
			if n != page.Total {
				w.TB.Errorf("%d entries of %s, total %d", n, user, page.Total)
			}
			break
		}
		path = *page.Next
	}
	for at, points := range got {
		day, err := board.ParseDate(at.day)
		if want, _ := w.ref.Day(user, at.board, day); err == nil && points != want {
			w.TB.Errorf("entries of %s on %s of %s come to %d, want %d", user, at.day, at.board, points, want)
		}
	}
}

// utc returns a moment as a text of its own, which sorts as moments do.
func utc(moment string) string {
	m, _ := board.ParseMoment(moment)
	return fmt.Sprintf("%015d", m)
}

func (w walk) compareDays(user string, today board.Date) {
	w.TB.Helper()
	zone := w.place.Calendar.Zone().String()
	want := httpapi.Activity{User: whose(user), Timezone: zone, Totals: map[string]httpapi.Tally{}}
	for d := today; d > today-62; d-- {
		day := httpapi.Day{Day: d.String(), Scores: map[string]int64{}, Actions: map[string]httpapi.Tally{}}
		for _, name := range w.place.Rules.Boards() {
			day.Scores[name], _ = w.ref.Day(user, name, d)
		}
		for action, did := range w.ref.Actions(user, d) {
			day.Actions[action] = httpapi.Tally{Count: int64(did.Count), Points: did.Points}
			total := want.Totals[action]
			want.Totals[action] = httpapi.Tally{Count: total.Count + int64(did.Count), Points: total.Points + did.Points}
		}
		want.Days = append(want.Days, day)
	}
	w.equal(want, read[httpapi.Activity](w.TB, w.Get(of(user, "/activity?days=62"), w.User(user))), false, "days of", user)
}
