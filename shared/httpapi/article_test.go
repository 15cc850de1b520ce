package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// An item is an article as an answer has it.
type item struct {
	ID          string         `json:"id"`
	Title       string         `json:"title"`
	Link        string         `json:"link"`
	Author      map[string]any `json:"author"`
	PublishedAt string         `json:"publishedAt"`
	Votes       int64          `json:"votes"`
	Score       int64          `json:"score"`
	Groups      []string       `json:"groups"`
	Interesting bool           `json:"interesting"`
	VotingOpen  bool           `json:"votingOpen"`
	Listed      *bool          `json:"listed"`
}

// items are a list as an answer has it.
type items struct {
	Sort     string `json:"sort"`
	Group    string `json:"group"`
	Total    int64  `json:"total"`
	Next     *string
	Articles []item `json:"articles"`
}

func (l items) ids() []string {
	ids := []string{}
	for _, a := range l.Articles {
		ids = append(ids, a.ID)
	}
	return ids
}

// publish posts an article that has to come to a status.
func (f *forum) publish(status int, body string) answer {
	f.TB.Helper()
	a := f.Do(http.MethodPost, "/v1/articles", f.Service(), body)
	if a.Status != status {
		f.TB.Fatalf("%s: %d %s", body, a.Status, a.Body)
	}
	return a
}

// simple is the body of an article with an id.
func simple(id, author string, more ...string) string {
	return fmt.Sprintf(`{"id":%q,"title":"About %s","author":{"id":%q}%s}`, id, id, author, strings.Join(more, ""))
}

// points are what a user has on the board of the month.
func (f *forum) points(user string) int64 {
	f.TB.Helper()
	var b struct {
		Standing struct {
			Score int64 `json:"score"`
		} `json:"standing"`
	}
	if err := json.Unmarshal([]byte(f.Get("/v1/boards/activity/month?user="+user, "").Body), &b); err != nil {
		f.TB.Fatal(err)
	}
	return b.Standing.Score
}

func TestArticleIsPublishedOnce(t *testing.T) {
	t.Parallel()
	p := open(t)
	body := `{"id":"1","title":"A title","link":"https://example.org/","author":{"id":"ann"},"groups":["news","go"],` +
		`"publishedAt":"2026-11-20T11:00:00Z"}`
	want := item{
		ID: "1", Title: "A title", Link: "https://example.org/", Author: map[string]any{"id": "ann"},
		PublishedAt: "2026-11-20T11:00:00.000Z",
		Votes:       1, Score: noon.Add(-time.Hour).Unix() + 432, Groups: []string{"go", "news"}, VotingOpen: true,
	}
	p.publish(http.StatusCreated, body)
	for range 2 {
		if diff := cmp.Diff(want, read[item](t, p.publish(http.StatusOK, body))); diff != "" {
			t.Errorf("posted (-want +got):\n%s", diff)
		}
	}
	// What it is called does not say which article it is, its author and moment do.
	if got := read[item](t, p.publish(http.StatusOK,
		strings.Replace(body, "A title", "Another", 1))); got.Title != "A title" {
		t.Errorf("sent again it is %+v", got)
	}
	p.publish(http.StatusConflict, strings.Replace(body, "ann", "bob", 1))
	p.publish(http.StatusConflict, strings.Replace(body, "11:00:00Z", "11:00:01Z", 1))
	// Without a moment it is now, and sent again the one that it has.
	p.publish(http.StatusCreated, simple("2", "ann"))
	p.Now = p.Now.Add(time.Minute)
	if got := read[item](t, p.publish(http.StatusOK, simple("2", "ann"))); got.PublishedAt != "2026-11-20T12:00:00.000Z" {
		t.Errorf("sent again without a moment: %+v", got)
	}
	p.publish(http.StatusConflict, simple("2", "bob"))
	if ann, bob := p.points("ann"), p.points("bob"); ann != 20 || bob != 0 {
		t.Errorf("ann has %d points and bob %d", ann, bob)
	}
	// Without an id each is another.
	var ids [2]string
	for i := range ids {
		p.publish(http.StatusCreated, `{"title":"No id","author":{"id":"cid"}}`)
		ids[i] = read[items](t, p.Get("/v1/articles?sort=new&limit=1", "")).Articles[0].ID
		p.Now = p.Now.Add(time.Minute)
	}
	if ids[0] == ids[1] || len(ids[0]) < 20 || p.points("cid") != 20 {
		t.Errorf("ids %q, cid has %d points", ids, p.points("cid"))
	}
}

func TestArticleChangesAndGoes(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.publish(http.StatusCreated, simple("1", "ann", `,"groups":["a","b"]`))
	put := func(status int, id, body string) answer {
		t.Helper()
		a := p.Do(http.MethodPut, "/v1/articles/"+id, p.Service(), body)
		if a.Status != status {
			t.Errorf("%s: %d %s", body, a.Status, a.Body)
		}
		return a
	}
	body := `{"title":"New","link":"http://x","author":{"id":"ann"},"groups":["c","b"]}`
	got := read[item](t, put(http.StatusOK, "1", body))
	if got.Title != "New" || got.Link != "http://x" || cmp.Diff([]string{"b", "c"}, got.Groups) != "" {
		t.Errorf("%+v", got)
	}
	put(http.StatusNotFound, "2", `{"title":"New","author":{"id":"ann"}}`)
	put(http.StatusConflict, "1", `{"title":"New","author":{"id":"bob"}}`)
	put(http.StatusConflict, "1", `{"title":"New","author":{"id":"ann"},"publishedAt":"2026-11-20T11:00:00Z"}`)
	groups := `{"groups":[{"name":"b","articles":1},{"name":"c","articles":1}],"total":2,"next":null}` + "\n"
	if a := p.Get("/v1/groups", ""); a.Body != groups {
		t.Error(a.Body)
	}
	p.Now = p.Now.AddDate(0, 0, 3) // publish could not be reported any more
	if n := p.points("ann"); n != 10 {
		t.Errorf("ann has %d points", n)
	}
	for range 2 {
		if a := p.Do(http.MethodDelete, "/v1/articles/1", p.Service(), ""); a.Status != http.StatusOK ||
			a.Body != `{"id":"1","deleted":true}`+"\n" {
			t.Errorf("%d %s", a.Status, a.Body)
		}
		p.Now = p.Now.Add(time.Hour)
	}
	if n := p.points("ann"); n != 0 {
		t.Errorf("ann has %d points for what is deleted", n)
	}
	put(http.StatusConflict, "1", `{"title":"New","author":{"id":"ann"}}`)
	p.publish(http.StatusConflict, simple("1", "ann"))
	for _, id := range []string{"1", "2"} {
		if a := p.Get("/v1/articles/"+id, ""); a.Status != http.StatusNotFound {
			t.Errorf("%s: %d %s", id, a.Status, a.Body)
		}
	}
	if a := p.Do(http.MethodDelete, "/v1/articles/2", p.Service(), ""); a.Status != http.StatusNotFound {
		t.Errorf("%d %s", a.Status, a.Body)
	}
	if a := p.Get("/v1/groups", ""); a.Body != `{"groups":[],"total":0,"next":null}`+"\n" {
		t.Error(a.Body)
	}
}
