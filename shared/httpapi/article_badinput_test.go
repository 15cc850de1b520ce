package httpapi_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
)

// good is a whole article, of which a case replaces something.
const good = `{"id":"9","title":"T","link":"https://example.org/","author":{"id":"ann"},"groups":["go"],` +
	`"publishedAt":"2026-11-20T12:00:00Z"}`

func with(part, other string) string { return strings.Replace(good, part, other, 1) }

// group names so many groups, as JSON.
func groups(n int) string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("%q", fmt.Sprint("g", i))
	}
	return "[" + strings.Join(names, ",") + "]"
}

var badArticles = []badRequests{
	{"service POST /v1/articles", [][3]string{
		{"not JSON", "title", "400 body"},
		{"a name twice", with(`"id"`, `"title":"T","id"`), "400 body"},
		{"two documents", good + good, "400 body"},
		{"a form", "Content-Type: application/x-www-form-urlencoded", "415 header.Content-Type"},
		{"too long", with("T", strings.Repeat("x", 256<<10)), "413"},
		{"null", "null", "422 body"},
		{"an array", "[" + good + "]", "422 body"},
		{"nothing in it", "{}", "422 body.title body.author"},
		{"an unknown field", with(`"id"`, `"votes":5,"Title":"x","id"`), "422 body.votes body.Title"},
		{"an empty title", with(`"T"`, `""`), "422 body.title"},
		{"a blank title", with(`"T"`, `" \u00a0 "`), "422 body.title"},
		{"a title of 301 characters", with("T", strings.Repeat("日", 301)), "422 body.title"},
		{"a title of two lines", with("T", `a\nb`), "422 body.title"},
		{"a title that is a number", with(`"T"`, `5`), "422 body.title"},
		{"a script", with("https://example.org/", "javascript:alert(1)"), "422 body.link"},
		{"data", with("https://example.org/", "data:text/html,x"), "422 body.link"},
		{"ftp", with("https://", "ftp://"), "422 body.link"},
		{"a link without a host", with("https://example.org/", "/a"), "422 body.link"},
		{"an empty link", with("https://example.org/", ""), "422 body.link"},
		{"a link that is null", with(`"https://example.org/"`, "null"), "422 body.link"},
		{"an empty id", with(`"9"`, `""`), "422 body.id"},
		{"an id of dots", with(`"9"`, `".."`), "422 body.id"},
		{"an id of 129 bytes", with(`"9"`, `"`+strings.Repeat("x", 129)+`"`), "422 body.id"},
		{"an author of 65 bytes", with("ann", strings.Repeat("a", 65)), "422 body.author.id"},
		{"no author", with(`"author":{"id":"ann"},`, ""), "422 body.author"},
		{"21 groups", with(`["go"]`, groups(21)), "422 body.groups"},
		{
			"bad groups",
			with(`["go"]`, `["go",5,"","go","a\tb"]`),
			"422 body.groups[1] body.groups[2] body.groups[3] body.groups[4]",
		},
		{"a group instead of groups", with(`["go"]`, `"go"`), "422 body.groups"},
		{"a day instead of a moment", with("T12:00:00Z", ""), "422 body.publishedAt"},
		{"a moment in seconds", with(`"2026-11-20T12:00:00Z"`, "1795176000"), "422 body.publishedAt"},
		{"over 5 minutes ahead", with("12:00:00Z", "12:05:00.001Z"), "422 body.publishedAt"},
		{"over 48 hours back", with("20T12:00:00Z", "18T11:59:59.999Z"), "422 body.publishedAt"},
	}},
	{"service POST /v1/articles?x=1", [][3]string{
		{
			"all at once",
			`{"id":".","title":"","link":"x","author":{"id":""},"groups":[""],"publishedAt":"x","x":1}`,
			"422 body.groups[0] body.id body.title body.link body.author.id body.publishedAt body.x query.x",
		},
	}},
	{"service PUT /v1/articles/9", [][3]string{
		{"another id in the body of a PUT", strings.Replace(good, `"9"`, `"8"`, 1), "422 body.id"},
	}},
	{"service PUT /v1/articles/%2E%2E", [][3]string{
		{"a PUT at no id", `{"title":""}`, "422 body.title path.id"},
	}},
	{"service", [][3]string{
		{"deleting no id", "DELETE /v1/articles/%0A", "422 path.id"},
		{"an unknown sort", "/v1/articles?sort=best", "422 query.sort"},
		{"an empty group", "/v1/articles?group=", "422 query.group"},
		{"101 articles", "/v1/articles?limit=101&offset=-1", "422 query.limit query.offset"},
		{"two groups", "/v1/articles?group=a&group=b", "422 query.group"},
		{"a parameter of one article", "/v1/articles/1?x=1", "422 query.x"},
		{"a parameter of groups", "/v1/groups?limit=0&x=1", "422 query.limit query.x"},
		{"votes for nothing", "/v1/users/ann/votes", "422 query.article"},
		{
			"votes for bad ids",
			"/v1/users/ann/votes?article=&article=a&article=..&article=a",
			"422 query.article[0] query.article[2] query.article[3]",
		},
		{
			"votes for 101", "/v1/users/ann/votes?article=" + strings.ReplaceAll(numberedList(101, "%d"), ",", "&article="),
			"422 query.article",
		},
	}},
}

// Whatever is wrong with an article is listed with its location, all of it at once, and
// nothing is applied.
func TestBadArticles(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.publish(http.StatusCreated, simple("1", "ann"))
	p.refuses(t, badArticles)
}

// What is at the edge is taken, and a group that nobody has heard of is an empty
// list.
func TestArticlesAtTheEdge(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.publish(http.StatusCreated, fmt.Sprintf(`{"id":%q,"title":%q,"author":{"id":%q},"groups":%s,`+
		`"publishedAt":"2026-11-18T13:00:00+01:00"}`,
		strings.Repeat("i", 128), strings.Repeat("日", 300), strings.Repeat("a", 64), groups(20)))
	p.publish(http.StatusCreated, simple("a/b %", "ann", `,"publishedAt":"2026-11-20T12:05:00Z"`))
	if a := p.Get("/v1/articles/a%2Fb%20%25", ""); read[item](t, a).VotingOpen {
		t.Error("voting is open before the article is published")
	}
	for _, group := range []string{"unknown", "g%25"} {
		list := read[items](t, p.Get("/v1/articles?sort=new&group="+group, ""))
		if list.Total != 0 || list.Articles == nil || len(list.Articles) > 0 {
			t.Errorf("%s: %+v", group, list)
		}
	}
	if list := read[items](t, p.Get("/v1/articles?group=g19&offset=5", "")); list.Total != 1 || len(list.Articles) > 0 {
		t.Errorf("past the end: %+v", list)
	}
	var query []string
	for i := range 100 {
		query = append(query, fmt.Sprint("article=", i))
	}
	if a := p.Get("/v1/users/ann/votes?"+strings.Join(query, "&"), p.User("ann")); a.Body != `{"votes":[]}`+"\n" {
		t.Errorf("%d %s", a.Status, a.Body)
	}
}

// Who may do what with articles.
func TestArticlesAreTheServicesToChange(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.publish(http.StatusCreated, simple("1", "ann"))
	before := p.State()
	for _, c := range []struct{ method, path, body string }{
		{http.MethodPost, "/v1/articles", good},
		{http.MethodPut, "/v1/articles/1", `{"title":"x","author":{"id":"ann"}}`},
		{http.MethodDelete, "/v1/articles/1", ""},
		{http.MethodGet, "/v1/users/bob/votes?article=1", ""},
	} {
		for token, status := range map[string]int{"": http.StatusUnauthorized, p.User("ann"): http.StatusForbidden} {
			a := p.Do(c.method, c.path, token, c.body)
			if a.Problem(t); a.Status != status || a.Header.Get("Cache-Control") != "private, no-store" {
				t.Errorf("%s %s: %d, want %d", c.method, c.path, a.Status, status)
			}
		}
	}
	if !maps.Equal(before, p.State()) {
		t.Error("something was applied")
	}
	for _, path := range []string{"/v1/articles", "/v1/articles/1", "/v1/groups"} {
		a := p.Get(path, "")
		etag := a.Header.Get("ETag")
		if a.Status != http.StatusOK || a.Header.Get("Cache-Control") != "public, max-age=0, s-maxage=2" || etag == "" {
			t.Errorf("%s: %d %v", path, a.Status, a.Header)
		}
		if again := p.Get(path, "", "If-None-Match", etag); again.Status != http.StatusNotModified {
			t.Errorf("%s: %d", path, again.Status)
		}
	}
}
