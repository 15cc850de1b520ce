package endtoend_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/runtimeapi"
)

// What people are to a forum: they have names, follow others and stand among them;
// they hide, are excluded and come back; they leave, before a day is final and after
// it, asked for by a request or through the queue.
func TestPeopleComeAndGo(t *testing.T) {
	t.Parallel()
	f := newForum(t, "HOT_DAYS=0")
	p := people{f.start(t, record), f.start(t, query)}
	before := f.now.Add(-24 * time.Hour)
	day := "day?period=" + before.Format(time.DateOnly)
	at := fmt.Sprintf(`,"at":%q}`, before.Format(time.RFC3339))
	report(t, p.taking, service,
		`{"user":"bob","action":"publish","target":"a1"`+at, `{"user":"cat","action":"comment","target":"a1"`+at,
		`{"user":"ann","action":"like","target":"a1"`+at, `{"user":"dan","action":"visit","target":"a1"`+at)

	// Names are put by the forum alone, and are on the board.
	p.put(t, user("ann"), "/v1/users/ann", `{"name":"Ann"}`, http.StatusForbidden)
	p.put(t, service, "/v1/users/ann", `{"name":"Ann"}`, http.StatusOK)
	p.put(t, service, "/v1/users", `{"users":[{"id":"bob","name":"Bob"},{"id":"dan","name":"Dan"}]}`, http.StatusOK)
	p.board(t, day, "1 bob Bob 10, 2 cat 3, 3 ann Ann 2, 4 dan Dan 1")

	// Friends: those of the list, and those of the activity.
	p.put(t, user("ann"), "/v1/users/ann/following", `{"users":["dan","eve"]}`, http.StatusOK)
	report(t, p.taking, user("ann"), `{"action":"follow","target":"bob"}`)
	p.list(t, "/v1/boards/activity/"+strings.Replace(day, "?", "/users/ann/friends?", 1), user("ann"),
		"1 bob Bob 10, 2 ann Ann 2, 3 dan Dan 1, 0 eve 0")
	p.refuses(t, http.MethodGet, "/v1/boards/activity/day/users/ann/friends", user("bob"), http.StatusForbidden)

	// Off the boards and back: by themselves, and by an operator.
	p.put(t, user("bob"), "/v1/users/bob/visibility", `{"boards":"hidden"}`, http.StatusOK)
	p.put(t, service, "/v1/users/cat/exclusion", "", http.StatusOK)
	p.board(t, day, "1 ann Ann 2, 2 dan Dan 1")
	if diff := cmp.Diff([]string{"excluded 0"}, report(t, p.taking, user("cat"), `{"action":"like","target":"a2"}`)); diff != "" {
		t.Errorf("who is excluded (-want +got):\n%s", diff)
	}
	p.put(t, user("bob"), "/v1/users/bob/visibility", `{"boards":"shown"}`, http.StatusOK)
	if r := ask(t, p.taking, http.MethodDelete, "/v1/users/cat/exclusion", "", service); r.status != http.StatusOK {
		t.Errorf("%+v", r)
	}
	p.board(t, day, "1 bob Bob 10, 2 cat 3, 3 ann Ann 2, 4 dan Dan 1")
	f.audit(t)

	// Who leaves before the night is on no board; who leaves after it keeps the place.
	p.refuses(t, http.MethodGet, "/v1/users/dan/erasure", service, http.StatusNotFound)
	if r := ask(t, p.taking, http.MethodDelete, "/v1/users/dan", "", user("dan")); r.status != http.StatusForbidden {
		t.Errorf("%+v", r)
	}
	p.erase(t, "dan", `"profiles":1`)
	p.board(t, day, "1 bob Bob 10, 2 cat 3, 3 ann Ann 2")
	night := `{"time":"` + f.now.Format(time.RFC3339) + `"}`
	if text, err := f.start(t, archive).Invoke(t.Context(), []byte(night)); err != nil || !strings.Contains(string(text), `"entries":3,`) {
		t.Errorf("the night: %s, %v", text, err)
	}
	p.board(t, day, "1 bob Bob 10, 2 cat 3, 3 ann Ann 2")
	p.erase(t, "bob", `"finalBoards":1`)
	if failed := deliver(t, p.taking, sqsEvent(t, f.now, message{id: "leave", body: `{"erase":"cat"}`}, message{id: "not you", sub: "ann", body: `{"erase":"ann"}`})); !cmp.Equal(failed, []string{"not you"}) {
		t.Errorf("failures: %q", failed)
	}
	p.board(t, day, "1 erased 10, 2 erased 3, 3 ann Ann 2")
	p.list(t, "/v1/users/ann/following", user("ann"), "0 eve 0")
	p.refuses(t, http.MethodGet, "/v1/users/bob", nobody, http.StatusNotFound)
	for _, gone := range []string{"bob", "cat", "dan"} {
		if keys := f.keys(t, gone); len(keys) > 0 {
			t.Errorf("Redis still has %q", keys)
		}
	}
	f.audit(t)
}

// people is the two functions that know of them.
type people struct{ taking, asking *runtimeapi.Function }

func (p people) put(t *testing.T, c caller, address, body string, status int) {
	t.Helper()
	if r := ask(t, p.taking, http.MethodPut, address, body, c); r.status != status {
		t.Errorf("PUT %s: %d %s", address, r.status, r.body)
	}
}

// refuses checks that a read ends in a problem.
func (p people) refuses(t *testing.T, method, address string, c caller, status int) {
	t.Helper()
	if r := ask(t, p.asking, method, address, "", c); r.status != status || r.header.Get("Content-Type") != "application/problem+json" {
		t.Errorf("%s %s: %+v", method, address, r)
	}
}

// erase has a user erased, and checks that the other function tells the same of it.
func (p people) erase(t *testing.T, id, removed string) {
	t.Helper()
	r := ask(t, p.taking, http.MethodDelete, "/v1/users/"+id, "", service)
	told := ask(t, p.asking, http.MethodGet, "/v1/users/"+id+"/erasure", "", service)
	if r.status != http.StatusOK || !strings.Contains(r.body, `"state":"done"`) || !strings.Contains(r.body, removed) || told.body != r.body {
		t.Errorf("erasing %s: %+v, told as %+v", id, r, told)
	}
}

func (p people) board(t *testing.T, address, want string) {
	t.Helper()
	p.list(t, "/v1/boards/activity/"+address, nobody, want)
}

// list checks who is on a board or a list, with rank, name and score: 1 ann Ann 7.
func (p people) list(t *testing.T, address string, c caller, want string) {
	t.Helper()
	type who struct {
		ID     string `json:"id"`
		Name   string `json:"name"`
		Erased bool   `json:"erased"`
	}
	answer := read[struct {
		Entries []struct {
			Rank  int `json:"rank"`
			Score int `json:"score"`
			User  who `json:"user"`
		} `json:"entries"`
		Users []who `json:"users"`
	}](t, ask(t, p.asking, http.MethodGet, address, "", c))
	var places []string
	place := func(rank int, u who, score int) {
		name := strings.TrimRight(u.ID+" "+u.Name, " ")
		if u.Erased {
			name += "erased"
		}
		places = append(places, fmt.Sprintf("%d %s %d", rank, name, score))
	}
	for _, e := range answer.Entries {
		place(e.Rank, e.User, e.Score)
	}
	for _, u := range answer.Users {
		place(0, u, 0)
	}
	if got := strings.Join(places, ", "); got != want {
		t.Errorf("%s has %s\nwant %s", address, got, want)
	}
}
