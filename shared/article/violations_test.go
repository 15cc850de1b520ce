package article_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/ledger"
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
		{"a blank title", func(a *article.Article) { a.Title = " \u00a0 " }, []string{"title"}},
		{"a long title", func(a *article.Article) { a.Title = strings.Repeat("x", 301) }, []string{"title"}},
		{"a title of two lines", func(a *article.Article) { a.Title = "a\nb" }, []string{"title"}},
		{"a title that is not UTF-8", func(a *article.Article) { a.Title = "a\xff" }, []string{"title"}},
		{"script", func(a *article.Article) { a.Link = "javascript:alert(1)" }, []string{"link"}},
		{
			"a long link", func(a *article.Article) { a.Link = "https://example.org/" + strings.Repeat("x", 2_048) },
			[]string{"link"},
		},
		{"too many groups", func(a *article.Article) { a.Groups = groups(21) }, []string{"groups"}},
		{"bad groups", func(a *article.Article) {
			a.Groups = []string{"", "ok", "a\tb", strings.Repeat("x", 65), "ok", "\xff", strings.Repeat("x", 64)}
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

func invalidLink(link string) bool {
	return len(article.DetailViolations(article.Article{Title: "t", Link: link})) > 0
}

func TestLinks(t *testing.T) {
	t.Parallel()
	for _, good := range []string{
		"http://a", "https://example.org", "HTTPS://Example.org:8080/a/b?c=d&e=%20#f", "https://münchen.de/straße",
		"http://127.0.0.1/",
		"http://[::1]:80/x", "https://example.org?q=1", "https://example.org#x", "https://en.wikipedia.org/wiki/Go_(game)",
		"https://e.org/a|b",
		"https://example.org/?u=http://user@host/",
	} {
		if invalidLink(good) {
			t.Errorf("%q is refused", good)
		}
	}
	for _, bad := range []string{
		"javascript:alert(1)", "JavaScript://example.org/%0aalert(1)", "data:text/html,x", "ftp://example.org/",
		"//example.org/", "/a", "example.org",
		"http:example.org", "http:/example.org", "http://", "https:///path", "https://?q", "http://:80/", "http://a:b/",
		"http://a:/", "http://a:123456/", " http://a",
		"http://a b/", "http://a/\n", "java\nscript:x", "http:\\\\example.org", "https://user@example.org/",
		"https://good.org:pw@evil.org/", "https://a/\"onclick",
		"https://a/<b>", "https://.", "http://[::1", "http://[1]/", "http://a]/", "https://a\xff/", "https://a%41/",
	} {
		if !invalidLink(bad) {
			t.Errorf("%q is taken", bad)
		}
	}
}

// A link that is taken means to net/url what it looks like.
func FuzzLink(f *testing.F) {
	for _, seed := range []string{
		"https://example.org/a?b#c", "http://[::1]:80/", "http://a:80", "javascript:alert(1)",
		"http://a@b",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, link string) {
		if link == "" || invalidLink(link) {
			return
		}
		if strings.ContainsAny(link, "\t\r\n \\<>\"") || len(link) > activity.MaxURL {
			t.Errorf("%q is taken", link)
		}
		u, err := url.Parse(link)
		if err != nil {
			return // stricter with what stands behind the host
		}
		if (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || u.User != nil || u.Opaque != "" {
			t.Errorf("%q is taken: %+v", link, u)
		}
	})
}
