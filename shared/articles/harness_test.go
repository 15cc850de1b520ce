package articles_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/article"
	"laurel/shared/article/reference"
	"laurel/shared/articles"
	"laurel/shared/board"
	"laurel/shared/live"
)

const articleDay = board.Moment(86_400_000)

// published is an article by its id and author, with a title and a link of its
// own, in groups.
func published(id, author string, m board.Moment, groups ...string) article.Article {
	return article.Article{
		ID: id, Author: author, Published: m, Title: "About " + id, Link: "https://example.org/" + id,
		Groups: groups,
	}
}

// create creates an article and fails when it is not new.
func create(tb testing.TB, s *live.Store, a article.Article) {
	tb.Helper()
	if _, created, err := s.Articles().Create(tb.Context(), a); err != nil || !created {
		tb.Fatalf("create %q: created %v, %v", a.ID, created, err)
	}
}

// votesOf is how many votes an article has.
func votesOf(tb testing.TB, s *live.Store, id string) int64 {
	tb.Helper()
	a, err := s.Articles().Get(tb.Context(), id)
	if err != nil {
		tb.Fatal(err)
	}
	return a.Votes
}

// listed reads a list whole, so many at a time.
func listed(t harness.T, list func(article.View) (articles.List, error), by article.Sort, group string,
	limit int64,
) []article.Article {
	t.Helper()
	var all []article.Article
	for {
		piece, err := list(article.View{Sort: by, Group: group, Offset: int64(len(all)), Limit: limit})
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range piece.Articles {
			all = append(all, a.Article)
		}
		if len(piece.Articles) == 0 {
			if piece.Total != int64(len(all)) {
				t.Errorf("%s %q: total %d, but %d in its pieces", by, group, piece.Total, len(all))
			}
			return all
		}
	}
}

// ids are the ids of articles, in their order.
func ids(list []article.Article) string {
	var all []string
	for _, a := range list {
		all = append(all, a.ID)
	}
	return strings.Join(all, " ")
}

// hot is a group's hot list by ids.
func hot(tb testing.TB, s *live.Store, group string) string {
	tb.Helper()
	return ids(listed(tb, lister(tb, s), article.Hot, group, 100))
}

func lister(tb testing.TB, s *live.Store) func(article.View) (articles.List, error) {
	tb.Helper()
	return func(v article.View) (articles.List, error) { return s.Articles().List(tb.Context(), v) }
}

// edit gives an article another title, link and groups.
func edit(ctx context.Context, press *articles.Store, a article.Article) (article.Article, error) {
	return press.Edit(ctx, articles.Edit{Article: a})
}

// compareSite compares everything that is shown of articles with the reference:
// lists whole, of all and of each group, scores, groups and who has voted.
func compareSite(tb testing.TB, t harness.T, s *live.Store, site *reference.Site, groups, users []string,
	now board.Moment,
) {
	tb.Helper()
	t.Helper()
	press := s.Articles()
	for _, group := range append([]string{""}, groups...) {
		for _, by := range []article.Sort{article.Hot, article.New} {
			if diff := cmp.Diff(site.List(by, group), listed(t, lister(tb, s), by, group, 7)); diff != "" {
				t.Errorf("%s list of %q (-reference +store):\n%s", by, group, diff)
			}
		}
	}
	counts := map[string]int64{}
	got, err := press.Groups(tb.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range got {
		counts[g.Name] = g.Articles
	}
	if diff := cmp.Diff(site.Groups(), counts); diff != "" {
		t.Errorf("groups (-reference +store):\n%s", diff)
	}
	compareVotes(tb, t, s, site, users, now)
}

func compareVotes(tb testing.TB, t harness.T, s *live.Store, site *reference.Site, users []string, now board.Moment) {
	tb.Helper()
	t.Helper()
	press := s.Articles()
	for _, id := range site.IDs() {
		_, score, _ := site.Article(id)
		a, err := press.Get(tb.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if got := press.Rules().Score(a.Article); got != score {
			t.Errorf("score of %q: %d, want %d", id, got, score)
		}
	}
	for _, user := range users {
		var want []string
		for _, id := range site.IDs() {
			a, _, _ := site.Article(id)
			if site.Voted(user, id) && now < a.Published+7*articleDay && now >= a.Published {
				want = append(want, id)
			}
		}
		got, err := press.Voted(tb.Context(), user, site.IDs(), now)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("what %q has voted for (-reference +store):\n%s", user, diff)
		}
	}
}

// isArticleError fails when an error is not the one.
func isArticleError(tb testing.TB, what string, got, want error) {
	tb.Helper()
	if !errors.Is(got, want) {
		tb.Errorf("%s: %v, want %v", what, got, want)
	}
}

func articleStore(tb testing.TB) *live.Store {
	tb.Helper()
	return live.New(testserver.Redis(tb), harness.UTC(), 1)
}

// viewOf is the top of a group's hot list.
func viewOf(group string) article.View {
	return article.View{Sort: article.Hot, Group: group, Limit: 25}
}
