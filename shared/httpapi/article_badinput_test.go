package httpapi_test

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// good is a whole article, of which a case replaces something.
const good = `{"id":"9","title":"T","link":"https://example.org/","author":"ann","groups":["go"],"publishedAt":"2026-11-20T12:00:00Z"}`

func with(part, other string) string { return strings.Replace(good, part, other, 1) }

// group names so many groups, as JSON.
func groups(n int) string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("%q", fmt.Sprint("g", i))
	}
	return "[" + strings.Join(names, ",") + "]"
}

var badArticles = []badCase{
	{name: "not JSON", body: "title", status: 400, places: []string{"body"}},
	{name: "a name twice", body: with(`"id"`, `"title":"T","id"`), status: 400, places: []string{"body"}},
	{name: "two documents", body: good + good, status: 400, places: []string{"body"}},
	{name: "a form", body: "title=x", header: []string{"Content-Type", "application/x-www-form-urlencoded"}, status: 415, places: []string{"header.Content-Type"}},
	{name: "too long", body: with("T", strings.Repeat("x", 256<<10)), status: 413},
	{name: "null", body: "null", status: 422, places: []string{"body"}},
	{name: "an array", body: "[" + good + "]", status: 422, places: []string{"body"}},
	{name: "nothing in it", body: "{}", status: 422, places: []string{"body.title", "body.author"}},
	{name: "an unknown field", body: with(`"id"`, `"votes":5,"Title":"x","id"`), status: 422, places: []string{"body.votes", "body.Title"}},
	{name: "an empty title", body: with(`"T"`, `""`), status: 422, places: []string{"body.title"}},
	{name: "a blank title", body: with(`"T"`, `" \u00a0 "`), status: 422, places: []string{"body.title"}},
	{name: "a title of 301 characters", body: with("T", strings.Repeat("日", 301)), status: 422, places: []string{"body.title"}},
	{name: "a title of two lines", body: with("T", `a\nb`), status: 422, places: []string{"body.title"}},
	{name: "a title that is a number", body: with(`"T"`, `5`), status: 422, places: []string{"body.title"}},
	{name: "a script", body: with("https://example.org/", "javascript:alert(1)"), status: 422, places: []string{"body.link"}},
	{name: "data", body: with("https://example.org/", "data:text/html,x"), status: 422, places: []string{"body.link"}},
	{name: "ftp", body: with("https://", "ftp://"), status: 422, places: []string{"body.link"}},
	{name: "a link without a host", body: with("https://example.org/", "/a"), status: 422, places: []string{"body.link"}},
	{name: "an empty link", body: with("https://example.org/", ""), status: 422, places: []string{"body.link"}},
	{name: "a link that is null", body: with(`"https://example.org/"`, "null"), status: 422, places: []string{"body.link"}},
	{name: "an empty id", body: with(`"9"`, `""`), status: 422, places: []string{"body.id"}},
	{name: "an id of dots", body: with(`"9"`, `".."`), status: 422, places: []string{"body.id"}},
	{name: "an id of 129 bytes", body: with(`"9"`, `"`+strings.Repeat("x", 129)+`"`), status: 422, places: []string{"body.id"}},
	{name: "an author of 65 bytes", body: with("ann", strings.Repeat("a", 65)), status: 422, places: []string{"body.author"}},
	{name: "no author", body: with(`"author":"ann",`, ""), status: 422, places: []string{"body.author"}},
	{name: "21 groups", body: with(`["go"]`, groups(21)), status: 422, places: []string{"body.groups"}},
	{name: "bad groups", body: with(`["go"]`, `["go",5,"","go","a\tb"]`), status: 422, places: []string{"body.groups[1]", "body.groups[2]", "body.groups[3]", "body.groups[4]"}},
	{name: "a group instead of groups", body: with(`["go"]`, `"go"`), status: 422, places: []string{"body.groups"}},
	{name: "a day instead of a moment", body: with("T12:00:00Z", ""), status: 422, places: []string{"body.publishedAt"}},
	{name: "a moment in seconds", body: with(`"2026-11-20T12:00:00Z"`, "1795176000"), status: 422, places: []string{"body.publishedAt"}},
	{name: "over 5 minutes ahead", body: with("12:00:00Z", "12:05:00.001Z"), status: 422, places: []string{"body.publishedAt"}},
	{name: "over 48 hours back", body: with("20T12:00:00Z", "18T11:59:59.999Z"), status: 422, places: []string{"body.publishedAt"}},
	{name: "all at once", body: `{"id":".","title":"","link":"x","author":"","groups":[""],"publishedAt":"x","x":1}`, path: "/v1/articles?x=1", status: 422, places: []string{
		"body.groups[0]", "body.title", "body.author", "body.x", "body.id", "body.publishedAt", "body.link", "query.x",
	}},

	{name: "an id in the body of a PUT", method: http.MethodPut, path: "/v1/articles/9", body: good, status: 422, places: []string{"body.id"}},
	{name: "a PUT at no id", method: http.MethodPut, path: "/v1/articles/%2E%2E", body: `{"title":""}`, status: 422, places: []string{"body.title", "body.author", "path.id"}},
	{name: "deleting no id", method: http.MethodDelete, path: "/v1/articles/%0A", status: 422, places: []string{"path.id"}},
	{name: "an unknown sort", method: http.MethodGet, path: "/v1/articles?sort=best", status: 422, places: []string{"query.sort"}},
	{name: "an empty group", method: http.MethodGet, path: "/v1/articles?group=", status: 422, places: []string{"query.group"}},
	{name: "101 articles", method: http.MethodGet, path: "/v1/articles?limit=101&offset=-1", status: 422, places: []string{"query.limit", "query.offset"}},
	{name: "two groups", method: http.MethodGet, path: "/v1/articles?group=a&group=b", status: 422, places: []string{"query.group"}},
	{name: "a parameter of one article", method: http.MethodGet, path: "/v1/articles/1?x=1", status: 422, places: []string{"query.x"}},
	{name: "a parameter of groups", method: http.MethodGet, path: "/v1/groups?limit=1", status: 422, places: []string{"query.limit"}},
	{name: "votes for nothing", method: http.MethodGet, path: "/v1/users/ann/votes", status: 422, places: []string{"query.article"}},
	{name: "votes for bad ids", method: http.MethodGet, path: "/v1/users/ann/votes?article=&article=a&article=..&article=a", status: 422, places: []string{"query.article[0]", "query.article[2]", "query.article[3]"}},
	{name: "votes for 101", method: http.MethodGet, path: "/v1/users/ann/votes?article=" + strings.Join(strings.Split(strings.Repeat("x", 101), ""), "0&article=0"), status: 422, places: nil},
}

// Whatever is wrong with an article is named by its place, all of it at once, and
// nothing is applied.
func TestBadArticles(t *testing.T) {
	t.Parallel()
	p := openPress(t)
	p.publish(http.StatusCreated, simple("1", "ann"))
	before := p.state()
	for _, c := range badArticles {
		a := p.do(cmp.Or(c.method, http.MethodPost), cmp.Or(c.path, "/v1/articles"), p.service(), c.body, c.header...)
		problem := a.problem(t)
		if a.status != c.status {
			t.Errorf("%s: status %d, want %d: %s", c.name, a.status, c.status, a.body)
		}
		if got := problem.places(); !slices.Equal(got, c.places) && c.places != nil {
			t.Errorf("%s: faults at %q, want %q: %s", c.name, got, c.places, a.body)
		}
		if after := p.state(); !maps.Equal(before, after) {
			t.Fatalf("%s: something was applied", c.name)
		}
	}
	if p.log.Len() > 0 {
		t.Errorf("bad input is no error of ours: %s", p.log)
	}
}

// What is at the edge is taken, and a group that nobody has heard of is an empty
// list.
func TestArticlesAtTheEdge(t *testing.T) {
	t.Parallel()
	p := openPress(t)
	p.publish(http.StatusCreated, fmt.Sprintf(`{"id":%q,"title":%q,"author":%q,"groups":%s,"publishedAt":"2026-11-18T13:00:00+01:00"}`,
		strings.Repeat("i", 128), strings.Repeat("日", 300), strings.Repeat("a", 64), groups(20)))
	p.publish(http.StatusCreated, simple("a/b %", "ann", `,"publishedAt":"2026-11-20T12:05:00Z"`))
	if a := p.get("/v1/articles/a%2Fb%20%25", ""); read[item](t, a).VotingOpen {
		t.Error("voting is open before the article is published")
	}
	for _, group := range []string{"unknown", "%ff", "g%0A"} {
		if list := read[items](t, p.get("/v1/articles?sort=new&group="+group, "")); list.Total != 0 || list.Articles == nil || len(list.Articles) > 0 {
			t.Errorf("%s: %+v", group, list)
		}
	}
	if list := read[items](t, p.get("/v1/articles?group=g19&offset=5", "")); list.Total != 1 || len(list.Articles) > 0 {
		t.Errorf("past the end: %+v", list)
	}
	var query []string
	for i := range 100 {
		query = append(query, fmt.Sprint("article=", i))
	}
	if a := p.get("/v1/users/ann/votes?"+strings.Join(query, "&"), p.user("ann")); a.body != `{"votes":[]}`+"\n" {
		t.Errorf("%d %s", a.status, a.body)
	}
}

// Who may do what with articles.
func TestArticlesAreTheServicesToChange(t *testing.T) {
	t.Parallel()
	p := openPress(t)
	p.publish(http.StatusCreated, simple("1", "ann"))
	before := p.state()
	for _, c := range []badCase{
		{method: http.MethodPost, path: "/v1/articles", body: good},
		{method: http.MethodPut, path: "/v1/articles/1", body: `{"title":"x","author":"ann"}`},
		{method: http.MethodDelete, path: "/v1/articles/1"},
		{method: http.MethodGet, path: "/v1/users/bob/votes?article=1"},
	} {
		for token, status := range map[string]int{"": http.StatusUnauthorized, p.user("ann"): http.StatusForbidden} {
			a := p.do(c.method, c.path, token, c.body)
			if a.problem(t); a.status != status || a.header.Get("Cache-Control") != "private, no-store" {
				t.Errorf("%s %s: %d, want %d", c.method, c.path, a.status, status)
			}
		}
	}
	if !maps.Equal(before, p.state()) {
		t.Error("something was applied")
	}
	for _, path := range []string{"/v1/articles", "/v1/articles/1", "/v1/groups"} {
		a := p.get(path, "")
		etag := a.header.Get("ETag")
		if a.status != http.StatusOK || a.header.Get("Cache-Control") != "public, max-age=0, s-maxage=2" || etag == "" {
			t.Errorf("%s: %d %v", path, a.status, a.header)
		}
		if again := p.get(path, "", "If-None-Match", etag); again.status != http.StatusNotModified {
			t.Errorf("%s: %d", path, again.status)
		}
	}
}
