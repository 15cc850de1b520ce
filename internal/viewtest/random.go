package viewtest

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"laurel/internal/harness"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/view"
)

// forum is the truth that a view is to follow: people and ledgers with their revisions.
type forum struct {
	users []*member
	made  []*task // units that are on their way
}

type member struct {
	id         string
	person     int64
	suppressed bool
	withheld   bool     // and excluded, too
	team       int      // 0 for none
	revision   [2]int64 // of the ledgers of October and November
	score      [2]int64
}

// task is a writer between its write and its show.
type task struct {
	member *member
	month  int    // the month that was written; -1: the person
	was    member // before the write
	now    member // as it was read: the own month as it was written
	read   bool
}

var months = []board.MonthOf{October, November}

// places are those of a user's month: its day, itself, the year; the first ones on a board of people, the others on
// one of teams, on which who hides stays.
func (m *member) places(i int) []ledger.Shown {
	scores := []int64{m.score[i], m.score[i], m.score[0] + m.score[1]}
	var people, teams []ledger.Shown
	for j, w := range []board.Window{board.Day, board.Month, board.Year} {
		period, score := board.PeriodOf(w, months[i].First()), scores[j]
		teams = append(teams, ledger.Shown{Board: houses, Period: period, Packed: board.PackMember(score, m.team)})
		if m.withheld {
			teams[j].Packed = 0
		}
		if m.suppressed {
			score = 0
		}
		people = append(people, Place(period, score, int64(j)+1))
	}
	return append(people, teams...)
}

func (m *member) monthUnit(i int, was int64) view.MonthUnit {
	return view.MonthUnit{MonthRevision: m.ledger(i), Was: was, Places: m.places(i)}
}

func (m *member) ledger(i int) view.MonthRevision {
	return view.MonthRevision{Month: months[i], Revision: m.revision[i]}
}

// unit is the task's unit: of one month the changes, or all.
func (k *task) unit(whole bool) view.Unit {
	now := k.now
	u := view.Unit{
		User: now.id, Key: Head.KeyOf(now.id), Person: now.person,
		Suppressed: now.suppressed, Name: fmt.Sprint("Name ", now.person), Whole: whole || k.month < 0,
	}
	for i := range months {
		m := now.monthUnit(i, now.revision[i])
		if i == k.month {
			m.Was, m.Changed = k.was.revision[i], !u.Whole
			was := k.was.places(i)
			for j := len(was) - 1; j >= 0 && m.Changed; j-- { // the year may be another by another month
				if m.Places[j].Packed == was[j].Packed && m.Places[j].Period.Window() != board.Year {
					m.Places = slices.Delete(m.Places, j, j+1)
				}
			}
		}
		if u.Whole || i == k.month {
			u.Months = append(u.Months, m)
		} else {
			u.Others = append(u.Others, now.ledger(i))
		}
	}
	return u
}

// testRandomUnits: units that come late, twice, in any order or never, of users, months and statuses that change
// meanwhile. After comparing, the boards agree with the latest revisions.
func testRandomUnits(t *testing.T, open func(testing.TB) *View) {
	t.Helper()
	h := open(t)
	rapid.Check(t, func(r *rapid.T) {
		h.Fill()
		f := &forum{}
		for i := range 2 {
			f.users = append(f.users, &member{id: fmt.Sprint("user-", i)})
		}
		for range rapid.IntRange(1, 40).Draw(r, "steps") {
			f.step(r, h)
		}
		for len(f.made) > 0 {
			f.show(r, h)
		}
		f.catchUp(r, h)
		f.compare(r, h)
	})
}

// step is one thing that happens.
func (f *forum) step(r *rapid.T, h *View) {
	m := rapid.SampledFrom(f.users).Draw(r, "user")
	kind := rapid.SampledFrom([]string{"report", "report", "status", "read", "show", "show", "crash"}).Draw(r, "what")
	switch {
	case kind == "report":
		i := rapid.IntRange(0, 1).Draw(r, "month")
		was := *m
		m.revision[i] += rapid.Int64Range(1, 5).Draw(r, "by")
		m.score[i] = rapid.Int64Range(0, 3).Draw(r, "score")
		f.made = append(f.made, &task{member: m, month: i, was: was, now: *m})
	case kind == "status":
		m.person++
		m.suppressed = rapid.Bool().Draw(r, "suppressed")
		m.withheld = m.suppressed && rapid.Bool().Draw(r, "withheld")
		m.team = rapid.IntRange(0, 3).Draw(r, "team")
		f.made = append(f.made, &task{member: m, month: -1, now: *m})
	case kind == "crash" && len(f.made) > 0:
		i := rapid.IntRange(0, len(f.made)-1).Draw(r, "who")
		f.made = slices.Delete(f.made, i, i+1)
	case kind == "read" && len(f.made) > 0:
		f.read(rapid.SampledFrom(f.made).Draw(r, "reader"))
	case len(f.made) > 0:
		f.show(r, h)
	}
}

// read reads all that a task shows beside its own writes.
func (f *forum) read(k *task) {
	own := k.now
	k.now, k.read = *k.member, true
	if k.month >= 0 {
		k.now.revision[k.month], k.now.score[k.month] = own.revision[k.month], own.score[k.month]
	}
}

// show shows the unit of some task, perhaps twice; a stale task reads and shows all again.
func (f *forum) show(r *rapid.T, h *View) {
	i := rapid.IntRange(0, len(f.made)-1).Draw(r, "which")
	k := f.made[i]
	if !k.read {
		f.read(k)
	}
	u := k.unit(rapid.Bool().Draw(r, "whole"))
	results := harness.Must(h.Show(h.T.Context(), 0, u))(r)
	switch {
	case results[0] != view.ShowApplied:
		f.made[i] = &task{member: k.member, month: -1, now: *k.member, read: rapid.Bool().Draw(r, "at once")}
	case rapid.Bool().Draw(r, "done"):
		f.made = slices.Delete(f.made, i, i+1)
	}
}

// catchUp shows the users with other revisions than the view has seen, as comparing does.
func (f *forum) catchUp(r *rapid.T, h *View) {
	for _, m := range f.users {
		key := Head.KeyOf(m.id)
		people, seen, err := h.Seen(h.T.Context(), months, key.Bucket())
		harness.OK(r, err)
		field := [8]byte(key[:8])
		if people[field] == m.person && seen[October][field] == m.revision[0] && seen[November][field] == m.revision[1] {
			continue
		}
		k := task{member: m, month: -1, now: *m}
		if got, err := h.Show(h.T.Context(), 0, k.unit(true)); err != nil || got[0] != view.ShowApplied {
			r.Fatal(got, err)
		}
	}
}

// compare compares all boards, and the suppressed users, with the truth.
func (f *forum) compare(r *rapid.T, h *View) {
	for _, m := range f.users {
		if u := h.UserOf(m.id); u.Suppressed != m.suppressed {
			r.Fatal(*m, u)
		}
	}
	for i := range months {
		for j := range 3 {
			var want []board.Member
			names := map[string]string{}
			for _, m := range f.users {
				if p := m.places(i)[j]; p.Packed != 0 {
					want = append(want, board.Member{User: m.id, Packed: p.Packed})
					names[m.id] = fmt.Sprint("Name ", m.person)
				}
			}
			slices.SortFunc(want, board.Compare)
			page := h.Whole(f.users[0].places(i)[j].Period)
			var got []board.Member
			for _, p := range page.Places {
				got = append(got, p.Member)
			}
			if !slices.Equal(want, got) || fmt.Sprint(names) != fmt.Sprint(page.Names) {
				r.Fatalf("%v\nwant %v %v\ngot %v %v", f.users, want, names, got, page.Names)
			}
			f.compareTeams(r, h, i, j+3)
		}
	}
}

// compareTeams compares one of the boards of teams with the sums of its members.
func (f *forum) compareTeams(r *rapid.T, h *View, month, place int) {
	v := board.View{Board: houses, Period: f.users[0].places(month)[place].Period}
	sums, seen, members := map[string]int64{}, map[string]int64{}, map[string]board.Membership{}
	for _, m := range f.users {
		v.Users = append(v.Users, m.id)
		packed := m.places(month)[place].Packed
		if packed == 0 {
			continue
		}
		group := []string{"red", "blue", "green"}[m.team-1]
		sums[group] += packed.Score()
		if !m.suppressed {
			seen[group]++
			members[m.id] = board.Membership{Group: group, Own: packed.Score()}
		}
	}
	page := harness.Must(h.Read(h.T.Context(), v))(r)
	for i, team := range page.Teams.Places {
		if sums[team.Group] != team.Sum || seen[team.Group] != team.Members || team.Rank != int64(i)+1 {
			r.Fatalf("%v\nwant %v %v\ngot %v", f.users, sums, seen, page.Teams.Places)
		}
		last := page.Teams.Places[max(0, i-1)]
		if last.Sum < team.Sum || last.Sum == team.Sum && last.Group > team.Group {
			r.Fatal("out of order", page.Teams.Places)
		}
		delete(sums, team.Group)
	}
	if len(sums) > 0 || fmt.Sprint(members) != fmt.Sprint(page.Members) || page.Total != int64(len(page.Teams.Places)) {
		r.Fatal("missing teams or members", sums, members, page.Members, page.Total)
	}
	if n, err := h.CheckTotals(h.T.Context(), houses, v.Period, false); n != 0 || err != nil {
		r.Fatal("totals differ from members", n, err)
	}
}

// testRandomVotes: votes of users that come late and twice, also before the article and taken back, among
// articles that change until their votes are final, or are gone: counts and lists agree with the latest revisions.
func testRandomVotes(t *testing.T, open func(testing.TB) *View) {
	t.Helper()
	h := open(t)
	ids, users := []string{"a", "b", "c"}, []string{"bob", "cid", "dan"}
	rapid.Check(t, func(r *rapid.T) {
		h.Fill()
		revision, latest, pages := int64(0), map[string]view.VotesUnit{}, map[string]view.ArticleUnit{}
		var showings []view.Showing
		for range rapid.IntRange(1, 20).Draw(r, "steps") {
			revision++
			if rapid.Bool().Draw(r, "article") {
				u := PageOf(rapid.SampledFrom(ids).Draw(r, "id"), revision,
					rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"g", "h"}), 0, 2, rapid.ID).Draw(r, "groups")...)
				slices.Sort(u.Groups)
				u.Unlisted = rapid.Bool().Draw(r, "unlisted")
				u.State = max(pages[u.ID].State, rapid.SampledFrom([]article.State{
					article.Voting, article.Voting, article.Voting, article.VotesFinal, article.Deleted,
				}).Draw(r, "state"))
				if u.State == article.VotesFinal {
					u.Votes = rapid.Int64Range(1, 5).Draw(r, "final votes")
				}
				pages[u.ID] = u
				showings = append(showings, view.Showing{Articles: []view.ArticleUnit{u}})
				continue
			}
			user := rapid.SampledFrom(users).Draw(r, "user")
			u := Votes(user, revision, rapid.SliceOfNDistinct(rapid.SampledFrom(ids), 0, 3, rapid.ID).Draw(r, "votes")...)
			latest[user] = u
			showings = append(showings, view.Showing{Votes: []view.VotesUnit{u}})
		}
		showings = append(showings, showings...)
		for _, one := range rapid.Permutation(showings).Draw(r, "order") {
			if _, err := h.ShowAll(t.Context(), 0, one); err != nil {
				r.Fatal(err)
			}
		}
		compareLists(r, h, ids, latest, pages)
	})
}

func compareLists(r *rapid.T, h *View, ids []string, votes map[string]view.VotesUnit,
	pages map[string]view.ArticleUnit,
) {
	for _, group := range []string{"", "g", "h"} {
		want := map[string]int64{}
		for _, id := range ids {
			page, isShown := pages[id]
			if !isShown || !page.Listed() || group != "" && !slices.Contains(page.Groups, group) {
				continue
			}
			if want[id] = page.Votes; page.State == article.VotesFinal {
				continue
			}
			want[id] = 1
			for _, u := range votes {
				if slices.ContainsFunc(u.Articles, func(a view.VotedArticle) bool { return a.ID == id }) {
					want[id]++
				}
			}
		}
		found := harness.Must(h.List(h.T.Context(), article.View{Sort: article.Hot, Group: group, Limit: 100}))(r)
		got := map[string]int64{}
		for i, a := range found.Articles {
			got[a.ID] = a.Votes
			if i > 0 && found.Articles[i-1].Votes < a.Votes {
				r.Fatalf("group %q is not by votes: %+v", group, found.Articles)
			}
		}
		if fmt.Sprint(want) != fmt.Sprint(got) || found.Total != int64(len(want)) {
			r.Fatalf("group %q: want %v, got %v", group, want, got)
		}
	}
}
