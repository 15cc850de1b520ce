package questions_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/api/httpapi"
	"laurel/shared/core/board"
)

// Boards and standings that HTTP answers are those of the reference, for every kind of question, on each of many days.
// LAUREL_QUESTIONS=20x60 plays 20 forums for 60 days, every other one of them on Redis.
func TestQuestionsAreAnsweredByTheReference(t *testing.T) {
	t.Parallel()
	forums, days, servers := 2, 12, 1
	if text := os.Getenv("LAUREL_QUESTIONS"); text != "" {
		if _, err := fmt.Sscanf(text, "%dx%d", &forums, &days); err != nil {
			t.Fatalf("LAUREL_QUESTIONS=%s: %v", text, err)
		}
		servers = 2
	}
	for seed := range forums {
		onRedis := seed%2 == servers-1 && servers > 1
		t.Run(fmt.Sprintf("%d, Redis %t", seed+1, onRedis), func(t *testing.T) {
			t.Parallel()
			newForum(t, uint64(seed)+1, onRedis).play(days)
		})
	}
}

// play plays days, and compares after each night and at some other times.
func (f *forum) play(days int) {
	f.Helper()
	for ; f.days < days && !f.Failed(); f.days++ {
		start, end := f.calendar.Start(f.today()).Time(), f.calendar.Start(f.today()+1).Time()
		times := make([]time.Duration, 3+f.rng.IntN(4))
		for i := range times {
			times[i] = time.Minute + time.Duration(f.rng.Int64N(int64(end.Sub(start)-2*time.Minute)))
		}
		slices.Sort(times)
		for _, after := range times {
			f.Set(start.Add(after.Truncate(time.Millisecond)))
			for range 1 + f.rng.IntN(3) {
				f.act()
			}
		}
		f.compare()
		f.night()
		f.compare()
	}
	f.Logf("%s from %s: %d days, %d activities, %d boards and %d standings compared", f.calendar.Zone(), f.first, f.days,
		f.reports, f.boards, f.standings)
}

// compare compares the boards of the last days and the present standings.
func (f *forum) compare() {
	f.Helper()
	if head := harness.Must(f.app.Items.Head(f.Context()))(f.T); head.Behind != nil {
		// A busy machine: Redis did not answer.
		f.Logf("%s: the view is behind: %s", f.moment(), head.Behind.Reason)
		f.ticks()
	}
	for _, p := range f.places() {
		back := board.Date(1)
		if w := p.period.Window(); w == board.Day {
			back = hotDays + 2
		} else if w != board.Contest {
			back = 40
		}
		if p.period.Last() >= f.today()-back || !p.period.Window().Tiles() {
			f.compareBoard(p)
		}
	}
	all := f.places()
	for _, user := range f.users {
		f.compareStandings(user)
		f.comparePublic(user, all[f.rng.IntN(len(all))])
	}
}

// lines writes a board, a line for each entry.
func (f *forum) lines(p place) []string {
	lines := []string{}
	if f.rules.OfTeams(p.board) {
		for i, t := range f.teams(p, "") {
			lines = append(lines, fmt.Sprint(i+1, " ", t.ID, " ", t.Label, " ", t.Members, " ", t.sum))
		}
		return lines
	}
	for i, e := range f.Board(p.board, p.period) {
		reached := f.calendar.Text(f.calendar.AtTicks(p.period, e.Packed.Ticks()))
		lines = append(lines, fmt.Sprint(i+1, " ", e.User, " ", e.Packed.Score(), " ", reached))
	}
	return lines
}

func (f *forum) compareBoard(p place) {
	f.Helper()
	want, final := f.finals[p]
	if !final {
		want = f.lines(p)
	}
	path := p.board + "/" + p.period.Window().String() + "?limit=100"
	if !p.period.Window().Rolls() {
		path += "&period=" + url.QueryEscape(p.period.String())
	}
	address, token := "/v1/boards/"+path, ""
	if f.rules.Board(p.board).Members {
		if a := f.Get(address, f.service); a.Status != http.StatusNotFound {
			f.Errorf("%s is public: %d", p, a.Status)
		}
		address, token = "/v1/private/boards/"+path, f.service
	}
	got := harness.JSON[httpapi.Board](f.T, f.Get(address, token))
	shown := []string{}
	for _, e := range got.Entries {
		if e.Team != nil {
			shown = append(shown, fmt.Sprint(e.Rank, " ", e.Team.ID, " ", e.Team.Label, " ", e.Team.Members, " ", e.Score))
		} else {
			shown = append(shown, fmt.Sprint(e.Rank, " ", *e.User.ID, " ", e.Score, " ", e.ReachedAt))
		}
	}
	if diff := cmp.Diff(want, shown); diff != "" {
		f.Errorf("%s: %s, final %t (-reference +GET):\n%s", f.moment(), p, final, diff)
	}
	if got.Final != final && len(want) > 0 || got.Total != int64(len(want)) || got.Period != p.period.String() {
		f.Errorf("%s: %s is answered as %s, final %t, total %d; want final %t, total %d", f.moment(), p, got.Period,
			got.Final, got.Total, final, len(want))
	}
	f.boards++
}

// compareStandings compares a user's standings, as the user reads them.
func (f *forum) compareStandings(user string) {
	f.Helper()
	want := []string{}
	for _, name := range f.rules.Boards() {
		for _, w := range f.rules.Windows(name) {
			p := place{name, f.rules.Period(name, w, f.today())}
			if _, final := f.finals[p]; !final && p.period.First() <= f.today() {
				want = append(want, f.standing(user, p))
			}
		}
	}
	got := harness.JSON[httpapi.Standings](f.T, f.Get("/v1/users/"+url.PathEscape(user)+"/standings", f.service))
	shown := []string{}
	for _, s := range got.Standings {
		line := fmt.Sprintf("%s %s %s: rank %s, score %d, toNext %s, total %d", s.Board, s.Window, s.Period, number(s.Rank),
			s.Score, number(s.ToNext), s.Total)
		if s.Team != nil {
			line += fmt.Sprintf(", %s of %d", s.Team.ID, s.Team.Members)
		}
		if s.Own != nil {
			line += fmt.Sprintf(", own %d", *s.Own)
		}
		shown = append(shown, line)
	}
	if diff := cmp.Diff(want, shown); diff != "" {
		f.Errorf("%s: standings of %s, %+v (-reference +GET):\n%s", f.moment(), user, *f.people[user], diff)
	}
	f.standings += len(want)
}

// comparePublic compares a user's standing on a board of people that is not final, as others read it.
func (f *forum) comparePublic(user string, p place) {
	f.Helper()
	if _, final := f.finals[p]; final || f.rules.Board(p.board).Members || f.rules.OfTeams(p.board) {
		return
	}
	path := "/v1/boards/" + p.board + "/" + p.period.Window().String() + "/users/" + url.PathEscape(user)
	got := harness.JSON[httpapi.Board](f.T, f.Get(path+"?period="+url.QueryEscape(p.period.String()), ""))
	want, toNext := "null", "null"
	entries := f.Board(p.board, p.period)
	index := slices.IndexFunc(entries, func(e board.Member) bool { return e.User == user })
	switch {
	case index >= 0:
		if want = strconv.Itoa(index + 1); index > 0 {
			toNext = fmt.Sprint(entries[index-1].Packed.Score() - entries[index].Packed.Score() + 1)
		}
	case f.Admits(user, p.board, p.period):
		toNext = "1"
	}
	if s := got.Standing; number(s.Rank) != want || number(s.ToNext) != toNext {
		f.Errorf("%s: others read of %s, %+v, on %s the rank %s and toNext %s, want %s and %s", f.moment(), user,
			*f.people[user], p, number(s.Rank), number(s.ToNext), want, toNext)
	}
	f.standings++
}

// standing returns a user's standing as the user reads it: a member who hides has the place that would be.
func (f *forum) standing(user string, p place) string {
	if f.rules.OfTeams(p.board) {
		return f.teamStanding(user, p)
	}
	entries := f.Board(p.board, p.period)
	sum, packed := f.Place(user, p.board, p.period)
	if packed != 0 && f.people[user].Suppressed && !f.people[user].excluded {
		own := board.Member{User: user, Packed: packed}
		i, _ := slices.BinarySearchFunc(entries, own, board.Compare)
		entries = slices.Insert(entries, i, own)
	}
	rank, score, toNext := "null", int64(0), "null"
	index := slices.IndexFunc(entries, func(e board.Member) bool { return e.User == user })
	switch {
	case index >= 0:
		rank, score = strconv.Itoa(index+1), packed.Score()
		if index > 0 {
			toNext = fmt.Sprint(entries[index-1].Packed.Score() - score + 1)
		}
	case f.Admits(user, p.board, p.period):
		toNext = fmt.Sprint(1 - min(sum, 0))
	}
	return fmt.Sprintf("%s %s %s: rank %s, score %d, toNext %s, total %d", p.board, p.period.Window(), p.period, rank,
		score, toNext, len(entries))
}

func number(n *int64) string {
	if n == nil {
		return "null"
	}
	return strconv.FormatInt(*n, 10)
}
