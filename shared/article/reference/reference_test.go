package reference_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/article/reference"
	"laurel/shared/board"
)

const (
	noon = board.Moment(1_795_176_000_000) // 2026-11-20T12:00:00Z
	day  = board.Moment(86_400_000)
)

func site() *reference.Site { return reference.New(activity.Default().Articles()) }

func by(author, id string, at board.Moment, groups ...string) article.Article {
	return article.Article{ID: id, Author: author, Published: at, Title: id, Groups: groups}
}

func list(s *reference.Site, by article.Sort, group string) string {
	var all []string
	for _, a := range s.List(by, group) {
		all = append(all, a.ID)
	}
	return strings.Join(all, " ")
}

// What is written down here was worked out by hand from the design.
func TestVotesByHand(t *testing.T) {
	t.Parallel()
	type like struct {
		user string
		at   board.Moment
		undo bool
	}
	for name, tt := range map[string]struct {
		likes []like
		want  int64
	}{
		"none but the author's own":   {nil, 1},
		"one":                         {[]like{{"bob", noon, false}}, 2},
		"the same again":              {[]like{{"bob", noon, false}, {"bob", noon + 1, false}}, 2},
		"two users":                   {[]like{{"bob", noon, false}, {"eve", noon, false}}, 3},
		"taken back":                  {[]like{{"bob", noon, false}, {"bob", noon + 1, true}}, 1},
		"taken back before it came":   {[]like{{"bob", noon + 1, true}, {"bob", noon, false}}, 1},
		"taken back, and again":       {[]like{{"bob", noon, false}, {"bob", noon + 2, false}, {"bob", noon + 1, true}}, 2},
		"at an equal moment":          {[]like{{"bob", noon, false}, {"bob", noon, true}}, 1},
		"the author's, taken back":    {[]like{{"ann", noon, false}, {"ann", noon + 1, true}}, 1},
		"before it was published":     {[]like{{"bob", noon - 1, false}}, 1},
		"the last moment":             {[]like{{"bob", noon + 7*day - 1, false}}, 2},
		"when voting is closed":       {[]like{{"bob", noon + 7*day, false}}, 1},
		"taken back when it is":       {[]like{{"bob", noon, false}, {"bob", noon + 7*day, true}}, 2},
		"taken back before its start": {[]like{{"bob", noon, false}, {"bob", noon - 1, true}}, 2},
	} {
		s := site()
		s.Create(by("ann", "1", noon))
		for _, l := range tt.likes {
			s.Like(l.user, "1", l.at, l.undo)
		}
		if a, score, _ := s.Article("1"); a.Votes != tt.want || score != 1_795_176_000+432*tt.want {
			t.Errorf("%s: %d votes, score %d, want %d votes", name, a.Votes, score, tt.want)
		}
	}
}

func TestRestoresByHand(t *testing.T) {
	t.Parallel()
	s := site()
	s.Restore("bob", "1", noon+3) // of no article yet: nothing
	s.Create(by("ann", "1", noon))
	s.Like("bob", "1", noon, false)
	s.Like("bob", "1", noon+2, true)
	for i, restored := range []struct {
		user  string
		at    board.Moment
		votes int64
	}{{"bob", noon + 1, 1}, {"eve", noon + 2, 1}, {"bob", noon + 2, 2}, {"eve", noon - 1, 2}} {
		s.Restore(restored.user, "1", restored.at)
		if a, _, _ := s.Article("1"); a.Votes != restored.votes {
			t.Errorf("step %d: %d votes, want %d", i, a.Votes, restored.votes)
		}
	}
}

func TestListsByHand(t *testing.T) {
	t.Parallel()
	s := site()
	s.Like("bob", "old", noon, false) // of no article yet: no vote
	s.Create(by("ann", "old", noon, "go"))
	s.Create(by("ann", "b", noon+432_000))
	s.Create(by("ann", "a", noon+432_000, "go"))
	if got, want := list(s, article.Hot, ""), "a b old"; got != want {
		t.Errorf("hot: %s, want %s", got, want)
	}
	s.Like("bob", "old", noon, false)
	if got, want := list(s, article.Hot, ""), "a b old"; got != want { // equal: the newer first
		t.Errorf("hot with a vote: %s, want %s", got, want)
	}
	s.Like("eve", "old", noon, false)
	if got, want := list(s, article.Hot, ""), "old a b"; got != want {
		t.Errorf("hot with two: %s, want %s", got, want)
	}
	if got, want := list(s, article.New, ""), "a b old"; got != want {
		t.Errorf("new: %s, want %s", got, want)
	}
	s.Change("a", "a", "", "redis")
	if got := list(s, article.Hot, "go") + "|" + list(s, article.New, "redis") + "|" +
		list(s, article.New, "never"); got != "old|a|" {
		t.Errorf("groups: %s", got)
	}
	if diff := cmp.Diff(map[string]int64{"go": 1, "redis": 1}, s.Groups()); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
}

func TestIDsAreTakenForGood(t *testing.T) {
	t.Parallel()
	s := site()
	for i, tt := range []struct {
		got, want bool
	}{
		{s.Delete("1"), false},
		{s.Change("1", "t", ""), false},
		{s.Create(by("ann", "1", noon)), true},
		{s.Create(by("ann", "1", noon)), true},
		{s.Create(by("eve", "1", noon)), false},
		{s.Create(by("ann", "1", noon+1)), false},
		{s.Delete("1"), true},
		{s.Delete("1"), true},
		{s.Create(by("ann", "1", noon)), false},
	} {
		if tt.got != tt.want {
			t.Errorf("step %d: %v", i, tt.got)
		}
	}
}

func Example() {
	s := reference.New(activity.Default().Articles())
	s.Create(article.Article{ID: "42", Author: "ann", Published: noon})
	s.Like("bob", "42", noon, false)
	a, score, _ := s.Article("42")
	fmt.Println(a.Votes, "votes, score", score)
	// Output: 2 votes, score 1795176864
}
