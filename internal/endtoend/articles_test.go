package endtoend_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What articles are to a forum: they are published, voted for and found, change
// their groups, lose their author and are taken off.
func TestArticlesOfAForum(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	p := people{f.start(t, record), f.start(t, query)}
	p.put(t, service, "/v1/users/ann", `{"name":"Ann"}`, http.StatusOK)
	post := func(c caller, id, author string, status int) {
		t.Helper()
		body := fmt.Sprintf(`{"id":%q,"title":"Of %s","author":%q,"groups":["go"]}`, id, id, author)
		if r := ask(t, p.taking, http.MethodPost, "/v1/articles", body, c); r.status != status {
			t.Errorf("posting %s: %+v", id, r)
		}
	}
	post(user("ann"), "a1", "ann", http.StatusForbidden)
	post(service, "a1", "ann", http.StatusCreated)
	post(service, "a1", "ann", http.StatusOK) // the same again
	post(service, "a1", "bob", http.StatusConflict)
	post(service, "a2", "bob", http.StatusCreated)
	p.board(t, "day", "1 ann Ann 10, 2 bob 10")

	// A like is a vote and its own points; taken back it is neither.
	for range 2 {
		report(t, p.taking, user("cat"), `{"action":"like","target":"a2"}`)
	}
	report(t, p.taking, user("dan"), `{"action":"like","target":"a1"}`, `{"action":"unlike","target":"a1"}`)
	p.articles(t, "sort=hot", "a2 bob 2, a1 ann Ann 1")
	p.articles(t, "sort=hot&limit=1&offset=1", "a1 ann Ann 1")
	p.says(t, "/v1/users/cat/votes?article=a1&article=a2", user("cat"), `{"votes":["a2"]}`)
	p.refuses(t, http.MethodGet, "/v1/users/cat/votes?article=a1", user("dan"), http.StatusForbidden)

	// Groups are those it is put into; the author is who it was.
	p.put(t, service, "/v1/articles/a2", `{"title":"Of a2","author":"bob","groups":["news"]}`, http.StatusOK)
	p.put(t, service, "/v1/articles/a2", `{"title":"Of a2","author":"ann","groups":["news"]}`, http.StatusConflict)
	p.articles(t, "group=go", "a1 ann Ann 1")
	p.says(t, "/v1/groups", nobody, `{"groups":[{"name":"go","articles":1},{"name":"news","articles":1}]}`)

	// Who leaves takes name and votes along, and not the article; who deletes it takes
	// the author's points too.
	p.erase(t, "cat", `"votes":1`)
	p.erase(t, "ann", `"articles":1`)
	p.articles(t, "sort=new&group=go", "a1 erased 1")
	p.articles(t, "group=news", "a2 bob 1")
	for range 2 {
		if r := ask(t, p.taking, http.MethodDelete, "/v1/articles/a2", "", service); r.status != http.StatusOK {
			t.Errorf("deleting: %+v", r)
		}
	}
	p.refuses(t, http.MethodGet, "/v1/articles/a2", nobody, http.StatusNotFound)
	post(service, "a2", "bob", http.StatusConflict)
	p.board(t, "day", "")
	for _, gone := range []string{"ann", "cat"} {
		if keys := f.keys(t, gone); len(keys) > 0 {
			t.Errorf("Redis still has %q", keys)
		}
	}
	f.audit(t)
}

// articles checks a list: the articles with their authors and votes, a1 ann Ann 2.
func (p people) articles(t *testing.T, query, want string) {
	t.Helper()
	list := read[struct {
		Articles []struct {
			ID     string `json:"id"`
			Votes  int    `json:"votes"`
			Author struct {
				ID     string `json:"id"`
				Name   string `json:"name"`
				Erased bool   `json:"erased"`
			} `json:"author"`
		} `json:"articles"`
	}](t, ask(t, p.asking, http.MethodGet, "/v1/articles?"+query, "", nobody))
	var found []string
	for _, a := range list.Articles {
		words := []string{a.ID, a.Author.ID, a.Author.Name, fmt.Sprint(a.Votes)}
		if a.Author.Erased {
			words[1] = "erased"
		}
		found = append(found, strings.Join(slices.DeleteFunc(words, func(word string) bool { return word == "" }), " "))
	}
	if got := strings.Join(found, ", "); got != want {
		t.Errorf("%s has %s\nwant %s", query, got, want)
	}
}

// says checks an answer word by word.
func (p people) says(t *testing.T, address string, c caller, want string) {
	t.Helper()
	got := read[json.RawMessage](t, ask(t, p.asking, http.MethodGet, address, "", c))
	if diff := cmp.Diff(want, strings.TrimSpace(string(got))); diff != "" {
		t.Errorf("%s (-want +got):\n%s", address, diff)
	}
}
