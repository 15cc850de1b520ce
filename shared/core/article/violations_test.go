package article_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
)

func groups(n int) []string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprint("group-", i))
	}
	return all
}

func TestEveryViolationOfAnArticleIsListed(t *testing.T) {
	t.Parallel()
	good := article.Article{
		ID: "1", Author: "ann", Title: "A title", Link: "https://example.org/", Published: noon,
		Groups: []string{"go"},
	}
	tests := []struct {
		name   string
		change func(*article.Article)
		want   []string
	}{
		{"fine", func(*article.Article) {}, nil},
		{"no link, no groups", func(a *article.Article) { a.Link, a.Groups = "", nil }, nil},
		{"the most", func(a *article.Article) { a.Title, a.Groups = strings.Repeat("日", 300), groups(20) }, nil},
		{"nothing", func(a *article.Article) { *a = article.Article{} }, []string{"title", "id", "author", "publishedAt"}},
		{"a long title", func(a *article.Article) { a.Title = strings.Repeat("x", 301) }, []string{"title"}},
		{"script", func(a *article.Article) { a.Link = "javascript:alert(1)" }, []string{"link"}},
		{"too many groups", func(a *article.Article) { a.Groups = groups(21) }, []string{"groups"}},
		{"bad groups", func(a *article.Article) {
			a.Groups = []string{"", "ok", "a\tb", strings.Repeat("é", 33), "ok", "\xff", strings.Repeat("x", 64)}
		}, []string{"groups[0]", "groups[2]", "groups[3]", "groups[4]", "groups[5]"}},
		{"ids", func(a *article.Article) { a.ID, a.Author = "..", strings.Repeat("a", 65) }, []string{"id", "author"}},
		{"5 minutes ahead", func(a *article.Article) { a.Published = noon + 300*second }, nil},
		{"more", func(a *article.Article) { a.Published = noon + 300*second + 1 }, []string{"publishedAt"}},
		{"48 h back", func(a *article.Article) { a.Published = noon - 2*day }, nil},
		{"longer back", func(a *article.Article) { a.Published = noon - 2*day - 1 }, []string{"publishedAt"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := good
			tt.change(&a)
			var got []string
			for _, v := range article.Violations(a, ledger.Arrival{Now: noon}) {
				got = append(got, v.Location)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
		})
	}
	old := good
	old.Published = board.Earliest
	if found := article.Violations(old, ledger.Arrival{Now: noon, AnyAge: true}); found != nil {
		t.Errorf("imported: %+v", found)
	}
	if old.Published--; len(article.Violations(old, ledger.Arrival{Now: noon, AnyAge: true})) != 1 {
		t.Error("older than the oldest moment is taken")
	}
}
