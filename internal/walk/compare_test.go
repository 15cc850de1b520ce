package walk_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/ledger"
)

// places returns every period of a board that anybody has points in, or had when it was
// closed.
func (f *forum) places() (all []place) {
	for at := range f.model.final {
		all = append(all, at)
	}
	for at := range f.model.frozen {
		all = append(all, at)
	}
	for _, name := range f.Rules.Boards() {
		for _, w := range f.Rules.Windows(name) {
			for _, p := range f.model.Periods(name, w) {
				all = append(all, place{name, p})
			}
		}
	}
	f.sort(all)
	return slices.Compact(all)
}

func (*forum) sort(all []place) {
	slices.SortFunc(all, func(a, b place) int {
		return slices.Compare([]string{a.board, a.String()}, []string{b.board, b.String()})
	})
}

// compare compares every answer with the model's.
func (f *forum) compare() {
	f.Helper()
	f.Logf("%s compare", f.moment())
	f.fresh(f.App)
	erasing, err := f.Kept.Archive.Erasing(f.Context())
	f.must(err)
	for _, at := range f.places() {
		want := f.model.whole(at)
		_, final := f.model.final[at]
		f.compareBoard(at, want, final)
		f.compareAnswer(at, want, final, erasing)
	}
	f.compareUsers()
	f.compareArticles()
	if f.Failed() {
		f.FailNow()
	}
}

// compareBoard compares the stored boards, to the tick.
func (f *forum) compareBoard(at place, want []board.Entry, final bool) {
	f.Helper()
	entries := f.Store.Entries(f.Context(), at.board, at.period)
	if final {
		entries = f.Kept.Archive.Entries(f.Context(), at.board, at.period)
	}
	var got []board.Entry
	for e, err := range entries {
		f.must(err)
		got = append(got, e)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		f.Errorf("board %s, final %t (-reference +stored):\n%s", at, final, diff)
	}
}

// compareAnswer compares what the API answers of a board.
func (f *forum) compareAnswer(at place, want []board.Entry, final bool, _ []string) {
	f.Helper()
	user := f.user()
	var got struct {
		Final   bool
		Total   int
		Entries []struct {
			Rank, Score int64
			User        struct{ ID string }
		}
		Standing struct {
			Rank  *int64
			Score int64
		}
	}
	f.get("/v1/boards/"+at.board+"/"+at.period.Window().String()+"?limit=100&period="+at.period.String()+"&user="+
		url.QueryEscape(user), &got)
	rank, score := int64(0), int64(0)
	ok := got.Final == final && got.Total == len(want) && len(got.Entries) == len(want)
	for i, e := range want {
		if ok {
			g := got.Entries[i]
			ok = g.Rank == int64(i+1) && g.Score == e.Packed.Score() && g.User.ID == e.User
		}
		if e.User == user {
			rank, score = int64(i+1), e.Packed.Score()
		}
	}
	if !ok {
		f.Errorf("board %s, final %t, is answered as %+v; want %+v", at, final, got, want)
	}
	if standing := got.Standing; (standing.Rank == nil) != (rank == 0) || standing.Score != score ||
		(rank > 0 && *standing.Rank != rank) {
		f.Errorf("the standing of %s on %s is answered as %+v; want %d with %d", user, at, standing, rank, score)
	}
}

func (f *forum) get(path string, into any) {
	f.Helper()
	r := httptest.NewRequestWithContext(f.Context(), http.MethodGet, path, nil)
	r.Header.Set("Authorization", "Bearer "+f.token)
	w := httptest.NewRecorder()
	f.handler.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		f.Errorf("%s: %d %s", path, w.Code, w.Body)
		return
	}
	f.must(json.Unmarshal(w.Body.Bytes(), into))
}

// compareUsers compares what is told of users: their follow lists, friends, standings and
// what they did.
func (f *forum) compareUsers() {
	f.Helper()
	today := f.Calendar.Date(f.moment())
	for _, user := range f.users {
		following := harness.Following(f.T, f.Store, user, 0, 100).Users
		if diff := cmp.Diff(append([]string{}, f.model.Following(user)...), append([]string{}, following...)); diff != "" {
			f.Errorf("%s follows (-reference +stored):\n%s", user, diff)
		}
		for _, w := range []board.Window{board.Day, board.Month} {
			at := place{"activity", board.PeriodOf(w, today)}
			if len(f.model.frozen[at].shards) > 0 {
				continue
			}
			friends := harness.FriendsOf(f.T, f.Store, board.View{Board: at.board, Period: at.period, User: user, Limit: 100})
			if diff := cmp.Diff(f.model.Friends(at.board, at.period, user), friends.Friends); diff != "" {
				f.Errorf("friends of %s on %s (-reference +stored):\n%s", user, at, diff)
			}
			own, err := f.Store.OwnStandings(f.Context(), user, []board.View{{Board: at.board, Period: at.period}})
			f.must(err)
			want := f.model.OwnStanding(at.board, at.period, user)
			want.PreviousRank, own[0].PreviousRank = nil, nil // of a period that may be closed
			if diff := cmp.Diff(want, own[0]); diff != "" {
				f.Errorf("standing of %s on %s (-reference +stored):\n%s", user, at, diff)
			}
		}
		f.compareDays(user, today)
	}
}

func (f *forum) compareDays(user string, today board.Date) {
	f.Helper()
	days, err := f.Store.Days(f.Context(), user, today-40, today)
	f.must(err)
	for _, day := range days {
		month := board.PeriodOf(board.Month, day.Day)
		if f.model.closed[f.Store.ShardOf(user)].Has("", month) {
			continue
		}
		want := map[string]ledger.Tally{}
		for action, tally := range f.model.Actions(user, day.Day) {
			want[action] = ledger.Tally{Count: int64(tally.Count), Points: tally.Points}
		}
		if diff := cmp.Diff(want, day.Actions); diff != "" {
			f.Errorf("what %s did on %s (-reference +stored):\n%s", user, day.Day, diff)
		}
	}
}

func (f *forum) compareArticles() {
	f.Helper()
	for _, view := range []article.View{
		{Sort: article.Hot}, {Sort: article.New}, {Sort: article.Hot, Group: "h"}, {Sort: article.New, Group: "i"},
	} {
		view.Limit = 100
		ids, votes := f.model.list(view)
		list, err := f.Store.Articles().List(f.Context(), view)
		f.must(err)
		var gotIDs []string
		var gotVotes []int64
		for _, a := range list.Articles {
			gotIDs, gotVotes = append(gotIDs, a.ID), append(gotVotes, a.Votes)
		}
		if diff := cmp.Diff([]any{ids, votes, int64(len(ids))}, []any{gotIDs, gotVotes, list.Total}); diff != "" {
			f.Errorf("articles %+v (-reference +stored):\n%s", view, diff)
		}
	}
}
