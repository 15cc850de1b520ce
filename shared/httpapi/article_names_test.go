package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
)

// rename gives a user a name.
func (f *forum) rename(user, name string) {
	f.TB.Helper()
	if a := f.Do(http.MethodPut, "/v1/users/"+user, f.Service(),
		fmt.Sprintf(`{"name":%q}`, name)); a.Status != http.StatusOK {
		f.TB.Fatalf("%d %s", a.Status, a.Body)
	}
}

// author is an article's author as the article and the list both have it.
func (f *forum) author(id string) map[string]any {
	f.TB.Helper()
	one := read[item](f.TB, f.Get("/v1/articles/"+id, ""))
	for _, a := range read[items](f.TB, f.Get("/v1/articles", "")).Articles {
		if diff := cmp.Diff(one, a); a.ID == id && diff != "" {
			f.TB.Errorf("%s (-alone +listed):\n%s", id, diff)
		}
	}
	return one.Author
}

func TestAuthorsHaveNames(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.publish(http.StatusCreated, simple("1", "ann"))
	p.publish(http.StatusCreated, simple("2", "bob"))
	p.rename("bob", "Bob")
	for range 2 {
		if diff := cmp.Diff(map[string]any{"id": "ann"}, p.author("1")); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(map[string]any{"id": "bob", "name": "Bob"}, p.author("2")); diff != "" {
			t.Error(diff)
		}
	}
	p.rename("ann", "Ann Lee")
	p.rename("bob", "Robert")
	p.rename("cid", "Cid")
	if ann, bob := p.author("1"), p.author("2"); ann["name"] != "Ann Lee" || bob["name"] != "Robert" {
		t.Errorf("%v and %v", ann, bob)
	}
}

// An erasure takes the author off, and the votes back; the article stays.
func TestErasedAuthor(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.rename("ann", "Ann Lee")
	p.publish(http.StatusCreated, simple("1", "ann"))
	p.publish(http.StatusCreated, simple("2", "bob"))
	p.act("ann", "like", "2")
	p.act("bob", "like", "1")
	p.author("1") // fills the copy
	a := p.Do(http.MethodDelete, "/v1/users/ann", p.Service(), "")
	if a.Status != http.StatusAccepted || !strings.Contains(a.Body, `"votes":1`) {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	p.tick()
	if a = p.Get("/v1/users/ann/erasure", p.Service()); !strings.Contains(a.Body, `"articles":1`) {
		t.Errorf("%s", a.Body)
	}
	if diff := cmp.Diff(map[string]any{"id": nil, "erased": true}, p.author("1")); diff != "" {
		t.Error(diff)
	}
	if one, two := p.votes("1"), p.votes("2"); one != 2 || two != 1 {
		t.Errorf("%d and %d votes, want 2 and 1", one, two)
	}
	for key, value := range p.State() {
		if strings.Contains(key, "ann") || strings.Contains(value, "Ann Lee") {
			t.Errorf("%s has something of ann", key)
		}
	}
	p.publish(http.StatusConflict, simple("1", "ann", `,"publishedAt":"2026-11-20T12:00:00Z"`))
}

// What has left for the archive answers as before but that voting is over, with the
// author's name, and without it after an erasure; it can be deleted, and not changed.
func TestArticleInTheArchive(t *testing.T) {
	t.Parallel()
	c := open(t)
	c.rename("ann", "Ann Lee")
	for i := range 5 {
		c.publish(http.StatusCreated,
			simple(fmt.Sprint(i), "ann", fmt.Sprintf(`,"groups":["g"],"publishedAt":"2026-11-20T11:00:0%dZ"`, i)))
	}
	c.act("bob", "like", "0")
	was := read[item](t, c.Get("/v1/articles/0", ""))
	c.articleNight(75) // its month is final
	c.articleNight(1)
	if on := read[items](t, c.Get("/v1/articles", "")).ids(); cmp.Diff([]string{"0", "4", "3"}, on) != "" {
		t.Fatalf("on the list are %q", on)
	}
	was.VotingOpen, was.Author = false, map[string]any{"id": "ann", "name": "Ann Lee"}
	for _, id := range []string{"0", "1"} {
		a := c.Get("/v1/articles/"+id, "")
		if got := read[item](t, a); id == "0" && cmp.Diff(was, got) != "" {
			t.Errorf("(-before +after):\n%s", cmp.Diff(was, got))
		}
		if a.Header.Get("ETag") == "" {
			t.Error("no ETag")
		}
	}
	put := func(id, author string) int {
		body := fmt.Sprintf(`{"title":"x","author":{"id":%q}}`, author)
		return c.Do(http.MethodPut, "/v1/articles/"+id, c.Service(), body).Status
	}
	for range 2 {
		if a := c.Do(http.MethodDelete, "/v1/articles/1", c.Service(), ""); a.Status != http.StatusOK {
			t.Errorf("%d %s", a.Status, a.Body)
		}
	}
	if a := c.Get("/v1/articles/1", ""); a.Status != http.StatusNotFound {
		t.Errorf("deleted: %d %s", a.Status, a.Body)
	}
	if status := put("1", "ann"); status != http.StatusConflict {
		t.Errorf("put of a deleted one: %d", status)
	}
	c.publish(http.StatusConflict, simple("1", "eve"))
	c.publish(http.StatusConflict, simple("2", "eve"))
	c.publish(http.StatusOK, simple("2", "ann")) // it is there, at the moment that it has
	c.Delete("/v1/users/ann", c.Service())
	c.tick()
	for _, id := range []string{"0", "2", "4"} {
		if diff := cmp.Diff(map[string]any{"id": nil, "erased": true},
			read[item](t, c.Get("/v1/articles/"+id, "")).Author); diff != "" {
			t.Errorf("%s: %s", id, diff)
		}
	}
}

// A hot list of 25, with titles and the authors' names, is one round trip.
func TestHotListIsOneRoundTrip(t *testing.T) {
	t.Parallel()
	client, w := testserver.CountedRedis(t)
	p := &forum{harness.NewForum(t, harness.Setup{Redis: client, Shards: 4}).Serve()}
	for i := range 30 {
		user := fmt.Sprint("user-", i)
		if i%3 > 0 { // some have no name
			p.rename(user, "Name "+user)
		}
		p.publish(http.StatusCreated, simple(fmt.Sprint("a", i), user, `,"groups":["all"]`))
	}
	for _, path := range []string{
		"/v1/articles", "/v1/articles?sort=new&group=all&limit=100", "/v1/articles/a1",
		"/v1/groups",
	} {
		p.Get(path, "") // fills the copies
		before := w.Count()
		a := p.Get(path, "")
		if n := w.Count() - before; n != 1 || a.Status != http.StatusOK {
			t.Errorf("%s: %d round trips, %d", path, n, a.Status)
		}
		if path == "/v1/articles" &&
			(strings.Count(a.Body, `"name":"Name user-`) < 15 || strings.Count(a.Body, `"title":"About a`) != 25) {
			t.Errorf("%s", a.Body)
		}
	}
}
