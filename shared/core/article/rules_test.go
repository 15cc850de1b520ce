package article_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
)

// standard are the constants that are built in.
func standard() article.Rules { return article.Rules(activity.Default().Articles()) }

const (
	second = board.Moment(1_000)
	day    = 86_400 * second
	noon   = board.Moment(1_795_176_000_000) // 2026-11-20T12:00:00Z
)

// A score is of whole seconds, and a day's votes are worth those of a day; an article is interesting from 200 votes on,
// takes them for a week, and has its author's own if the rules say so.
func TestRulesOfAnArticle(t *testing.T) {
	t.Parallel()
	rules := standard()
	for published, want := range map[board.Moment]int64{1_000_000: 1_432, 1_000_999: 1_432, 1_001_000: 1_433} {
		if got := rules.Score(article.Article{Published: published, Votes: 1}); got != want {
			t.Errorf("published at %d ms with a vote: %d, want %d", published, got, want)
		}
	}
	for votes, want := range map[int64]int64{1: 86_400, 200: 432, 86_400: 1} {
		other := rules
		if other.VotesPerDay = votes; other.VoteSeconds() != want {
			t.Errorf("%d votes a day: a vote is worth %d s, want %d", votes, other.VoteSeconds(), want)
		}
	}
	if rules.IsInteresting(article.Article{Votes: 199}) || !rules.IsInteresting(article.Article{Votes: 200}) {
		t.Error("interesting is not from 200 votes on")
	}
	a := article.Article{ID: "1", Author: "ann", Published: noon}
	for now, want := range map[board.Moment]bool{
		noon - 1: false, noon: true, noon + 7*day - 1: true, noon + 7*day: false,
	} {
		if got := rules.Open(a, now); got != want {
			t.Errorf("open %d ms after publishing: %v", now-noon, got)
		}
	}
	for own, want := range map[bool]int64{true: 1, false: 0} {
		if rules.OwnVote = own; rules.OwnVotes() != want {
			t.Errorf("own votes, %t: %d", own, rules.OwnVotes())
		}
	}
}

func TestVotesOfAnArticle(t *testing.T) {
	t.Parallel()
	rules := standard()
	a := article.Article{ID: "1", Author: "ann", Published: noon}
	for _, tt := range []struct {
		name, user, action, target string
		moment                     board.Moment
		restores, vote, stands     bool
	}{
		{"a like", "bob", "like", "1", noon + 5, false, true, true},
		{"an unlike", "bob", "unlike", "1", noon, false, true, false},
		{"a restored like that was not there", "bob", "like", "1", noon, true, true, false},
		{"the author's", "ann", "like", "1", noon, false, false, false},
		{"the author's undo", "ann", "unlike", "1", noon, false, false, false},
		{"another action", "bob", "bookmark", "1", noon, false, false, false},
		{"another target", "bob", "like", "2", noon, false, false, false},
		{"too early", "bob", "like", "1", noon - 1, false, false, false},
		{"the last moment", "bob", "like", "1", noon + 7*day - 1, false, true, true},
		{"closed", "bob", "like", "1", noon + 7*day, false, false, false},
		{"restored when closed", "bob", "like", "1", noon + 7*day, true, false, false},
	} {
		v, ok := rules.Vote(a, activity.Activity{
			User: tt.user, Action: tt.action, Target: tt.target, At: tt.moment, Restores: tt.restores,
		})
		if ok != tt.vote || v.Stands() != tt.stands || (ok && v.At() != tt.moment) {
			t.Errorf("%s: %d at %d, %v, stands: %v", tt.name, v, v.At(), ok, v.Stands())
		}
	}
}

// Section 4's moments, without the number they are kept as.
func TestVotesMergeInAnyOrder(t *testing.T) {
	t.Parallel()
	rules := standard()
	a := article.Article{ID: "1", Author: "ann", Published: noon}
	rapid.Check(t, func(t *rapid.T) {
		acts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) activity.Activity {
			moment := noon + board.Moment(rapid.IntRange(0, 5).Draw(t, "at"))
			kind := rapid.IntRange(0, 2).Draw(t, "kind")
			return activity.Activity{
				User: "bob", Action: []string{"like", "unlike", "like"}[kind], Target: "1", At: moment, Restores: kind == 2,
			}
		}), 0, 8).Draw(t, "acts")
		var last, undone, restored board.Moment
		var v article.Vote
		for _, act := range acts {
			switch {
			case act.Restores:
				restored = max(restored, act.At)
			case act.Action == "unlike":
				undone = max(undone, act.At)
			default:
				last = max(last, act.At)
			}
			one, _ := rules.Vote(a, act)
			v = v.And(one).And(one)
		}
		if want := last != 0 && (undone <= restored || undone < last); v.Stands() != want {
			t.Errorf("stands: %v, want %v", v.Stands(), want)
		}
		if v.At() != max(last, undone, restored) {
			t.Errorf("at %d, want %d", v.At(), max(last, undone, restored))
		}
	})
}

// Members of equal scores, in the order of their bytes, are the newer first, then
// by id; and so the two lists are their orders.
func TestMembersAreInOrder(t *testing.T) {
	t.Parallel()
	rules := standard()
	ids := []string{"a", "A", "b", "é", "e\u0301", "10", "9", "z", " ", "日本", strings.Repeat("x", 128)}
	moments := []board.Moment{board.Earliest, noon, noon + 1, noon + 999, noon + 432*second, board.Latest - 1}
	rng := rand.New(rand.NewPCG(1, 2))
	var all []article.Article
	for range 400 {
		all = append(all, article.Article{
			ID: ids[rng.IntN(len(ids))], Published: moments[rng.IntN(len(moments))],
			Votes: int64(rng.IntN(3)),
		})
	}
	compare := func(a, b article.Article, scoreA, scoreB int64) int {
		if scoreA != scoreB {
			return int(max(-1, min(1, scoreA-scoreB)))
		}
		return strings.Compare(a.Member(), b.Member())
	}
	sign := func(n int) int { return max(-1, min(1, n)) }
	for _, a := range all {
		if len(a.Member()) != article.AgeLen+len(a.ID) || a.Member()[article.AgeLen:] != a.ID {
			t.Fatalf("member %q of %q", a.Member(), a.ID)
		}
		for _, b := range all {
			if want, got := sign(rules.CompareHot(a, b)), compare(a, b, -rules.Score(a), -rules.Score(b)); got != want {
				t.Errorf("hot %+v and %+v: by members %d, want %d", a, b, got, want)
			}
			want, got := sign(article.CompareNew(a, b)), compare(a, b, -int64(a.Published), -int64(b.Published))
			if got != want {
				t.Errorf("new %+v and %+v: by members %d, want %d", a, b, got, want)
			}
		}
	}
}
