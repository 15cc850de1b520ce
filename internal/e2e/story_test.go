package e2e_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/internal/e2e"
)

var (
	ann, bob, cat = e2e.User("ann"), e2e.User("bob"), e2e.User("cat")
	nobody        = e2e.Caller{}
)

// Activities are reported and boards are read; the nightly run moves yesterday, which
// is then read from the table.
func TestFromReportToArchive(t *testing.T) {
	t.Parallel()
	f := newForum(t, "HOT_DAYS=0")
	at, suffix, day := f.yesterday()
	f.report(ann, "counted 2, counted 3, duplicate 0", `{"action":"like","target":"a1"}`,
		`{"action":"comment","target":"a1","ref":"c1"}`, `{"action":"like","target":"a1"}`)
	f.report(e2e.Service, "counted 10, counted 2, counted 2", `{"user":"bob","action":"publish","target":"a1"`+suffix,
		`{"user":"ann","action":"like","target":"a2"`+suffix, `{"user":"cat","action":"like","target":"a2"`+suffix)
	f.report(e2e.Service, "revoked -2", `{"user":"cat","action":"unlike","target":"a2"`+suffix)
	f.board(day, "1 bob 10, 2 ann 2")
	f.expect(nobody, "GET /v1/boards/activity/"+day+"&user=ann", "", http.StatusOK,
		`"standing":{"user":{"id":"ann"},"rank":2,"score":2`)
	f.expect(ann, "GET /v1/users/ann/standings", "", http.StatusOK, `"user":{"id":"ann"}`, `"score":5`)
	f.audit()

	// By default yesterday stays for three days; this forum moves it tonight.
	f.night(f.start(archive, "HOT_DAYS=3"), `"left":[]`)
	f.board(day, "1 bob 10, 2 ann 2")
	moving := f.start(archive)
	f.night(moving, `"boards":[{"board":"activity","entries":2,`)
	f.noKeys(":day:" + at.Format("2006-01-02"))
	f.board(day, "1 bob 10, 2 ann 2 final")

	// What is final stays; a second run finds nothing; today goes on.
	f.report(e2e.Service, "too_late 0", `{"user":"ann","action":"like","target":"a3"`+suffix)
	f.night(moving, `"moved":[]`)
	f.board("day", "1 ann 5")
	f.audit()
}

// Users have names, follow others, hide, are excluded and come back; they are erased
// before a day is final and after it, by a request or by a message.
func TestPeople(t *testing.T) {
	t.Parallel()
	f := newForum(t, "HOT_DAYS=0")
	_, suffix, day := f.yesterday()
	f.report(e2e.Service, "counted 10, counted 3, counted 2, counted 1", `{"user":"bob","action":"publish","target":"a1"`+
		suffix,
		`{"user":"cat","action":"comment","target":"a1"`+suffix, `{"user":"ann","action":"like","target":"a1"`+suffix,
		`{"user":"dan","action":"visit","target":"a1"`+suffix)

	f.expect(ann, "PUT /v1/users/ann", `{"name":"Ann"}`, http.StatusForbidden)
	f.expect(e2e.Service, "PUT /v1/users/ann", `{"name":"Ann"}`, http.StatusOK)
	f.expect(e2e.Service, "PUT /v1/users", `{"users":[{"id":"bob","name":"Bob"},{"id":"dan","name":"Dan"}]}`,
		http.StatusOK)
	f.board(day, "1 bob Bob 10, 2 cat 3, 3 ann Ann 2, 4 dan Dan 1")

	// Friends are who is on the list, and who was followed by an activity.
	f.expect(ann, "PUT /v1/users/ann/following", `{"users":[{"id":"dan"},{"id":"eve"}]}`, http.StatusOK)
	f.report(ann, "counted 2", `{"action":"follow","target":"bob"}`)
	f.list(ann, "/v1/boards/activity/"+strings.Replace(day, "?", "/users/ann/friends?", 1),
		"1 bob Bob 10, 2 ann Ann 2, 3 dan Dan 1, 0 eve 0")
	f.expect(bob, "GET /v1/boards/activity/day/users/ann/friends", "", http.StatusForbidden)

	f.expect(bob, "PUT /v1/users/bob/visibility", `{"boards":"hidden"}`, http.StatusOK)
	f.expect(e2e.Service, "PUT /v1/users/cat/exclusion", "", http.StatusOK)
	f.board(day, "1 ann Ann 2, 2 dan Dan 1")
	f.report(cat, "excluded 0", `{"action":"like","target":"a2"}`)
	f.expect(bob, "PUT /v1/users/bob/visibility", `{"boards":"shown"}`, http.StatusOK)
	f.expect(e2e.Service, "DELETE /v1/users/cat/exclusion", "", http.StatusOK)
	f.board(day, "1 bob Bob 10, 2 cat 3, 3 ann Ann 2, 4 dan Dan 1")
	f.audit()

	// Who is erased before the nightly run is on no board; later, the place stays.
	f.expect(e2e.Service, "GET /v1/users/dan/erasure", "", http.StatusNotFound)
	f.expect(e2e.User("dan"), "DELETE /v1/users/dan", "", http.StatusForbidden)
	f.erase("dan")
	archives := f.start(archive)
	f.night(archives, `"left":[]`)
	f.board(day, "1 bob Bob 10, 2 cat 3, 3 ann Ann 2 final")
	f.erase("bob")
	f.deliver(e2e.Batch(f.now, e2e.Message{ID: "erase", Body: `{"erase":"cat"}`},
		e2e.Message{ID: "not the service's", Body: `{"erase":"ann"}`, Caller: ann}), "not the service's")
	f.erase("cat")
	f.board(day, "1 erased 10, 2 erased 3, 3 ann Ann 2 final")
	f.list(ann, "/v1/users/ann/following", "- eve 0")
	f.expect(nobody, "GET /v1/users/bob", "", http.StatusNotFound)
	f.noKeys("bob", "cat", "dan")
	f.audit()
}

// erase erases users and has ticks remove the rest, until that is said to be done.
func (f *forum) erase(ids ...string) {
	f.t.Helper()
	for _, id := range ids {
		f.expect(e2e.Service, "DELETE /v1/users/"+id, "", http.StatusAccepted, `"state":"running"`)
	}
	ticking, began := f.start(archive), time.Now()
	for _, id := range ids {
		for {
			f.tick(ticking)
			a := f.expect(e2e.Service, "GET /v1/users/"+id+"/erasure", "", http.StatusOK)
			if strings.Contains(a.Body, `"state":"done"`) {
				break
			}
			if time.Since(began) > time.Minute {
				f.t.Fatalf("the erasure of %s: %s", id, a.Body)
			}
			time.Sleep(2 * time.Second)
		}
	}
}

// tick has the archive function do what it does every few minutes.
func (f *forum) tick(function *e2e.Function) {
	f.t.Helper()
	if text, err := function.Invoke(f.t.Context(), []byte(`{"task":"schedule"}`)); err != nil {
		f.t.Errorf("a tick: %s, %v", text, err)
	}
}

// Articles are published, voted for and found, change their groups, lose their author
// and are deleted.
func TestArticles(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	f.expect(e2e.Service, "PUT /v1/users/ann", `{"name":"Ann"}`, http.StatusOK)
	post := func(c e2e.Caller, id, author string, status int) {
		t.Helper()
		body := fmt.Sprintf(`{"id":%q,"title":"Of %s","author":{"id":%q},"groups":["go"]}`, id, id, author)
		f.expect(c, "POST /v1/articles", body, status)
	}
	post(ann, "a1", "ann", http.StatusForbidden)
	post(e2e.Service, "a1", "ann", http.StatusCreated)
	post(e2e.Service, "a1", "ann", http.StatusOK) // the same again
	post(e2e.Service, "a1", "bob", http.StatusConflict)
	post(e2e.Service, "a2", "bob", http.StatusCreated)
	f.board("day", "1 ann Ann 10, 2 bob 10")

	// A like is a vote and has points of its own; an unlike takes both back.
	f.report(cat, "counted 2", `{"action":"like","target":"a2"}`)
	f.report(cat, "duplicate 0", `{"action":"like","target":"a2"}`)
	f.report(e2e.User("dan"), "counted 2, revoked -2", `{"action":"like","target":"a1"}`,
		`{"action":"unlike","target":"a1"}`)
	f.list(nobody, "/v1/articles?sort=hot", "a2 bob 2, a1 ann Ann 1")
	f.list(nobody, "/v1/articles?sort=hot&limit=1&offset=1", "a1 ann Ann 1")
	f.expect(cat, "GET /v1/users/cat/votes?article=a1&article=a2", "", http.StatusOK, `{"votes":["a2"]}`)
	f.expect(e2e.User("dan"), "GET /v1/users/cat/votes?article=a1", "", http.StatusForbidden)

	// Groups can change, the author cannot.
	body := `{"title":"Of a2","author":{"id":"%s"},"groups":["news"]}`
	f.expect(e2e.Service, "PUT /v1/articles/a2", fmt.Sprintf(body, "bob"), http.StatusOK)
	f.expect(e2e.Service, "PUT /v1/articles/a2", fmt.Sprintf(body, "ann"), http.StatusConflict)
	f.list(nobody, "/v1/articles?group=go", "a1 ann Ann 1")
	f.expect(nobody, "GET /v1/groups", "", http.StatusOK,
		`{"groups":[{"name":"go","articles":1},{"name":"news","articles":1}],`)

	// An erased user's name and votes go, the articles stay; a deleted article takes
	// the author's points with it.
	f.erase("cat", "ann")
	f.list(nobody, "/v1/articles?sort=new&group=go", "a1 erased 1")
	f.list(nobody, "/v1/articles?group=news", "a2 bob 1")
	for range 2 {
		f.expect(e2e.Service, "DELETE /v1/articles/a2", "", http.StatusOK)
	}
	f.expect(nobody, "GET /v1/articles/a2", "", http.StatusNotFound)
	post(e2e.Service, "a2", "bob", http.StatusConflict)
	f.board("day", "")
	f.noKeys("ann", "cat")
	f.audit()
}

// The first request of new stores may be one that reads. A cache that was emptied is filled
// again by the next tick, and nothing has changed.
func TestLostCache(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	f.board("day", "")
	f.expect(e2e.Service, "PUT /v1/users", `{"users":[{"id":"ann","name":"Ann"}]}`, http.StatusOK)
	f.expect(e2e.Service, "POST /v1/articles", `{"id":"a1","title":"One","author":{"id":"bob"},"groups":["go"]}`,
		http.StatusCreated)
	f.report(e2e.Service, "counted 2, counted 2, counted 2", `{"user":"ann","action":"like","target":"a1"}`,
		`{"user":"cat","action":"like","target":"a2"}`, `{"user":"ann","action":"follow","target":"bob"}`)
	f.expect(e2e.Service, "PUT /v1/users/cat/exclusion", "", http.StatusOK)
	f.board("day", "1 bob 10, 2 ann Ann 4")
	if err := f.redis.FlushDB(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	f.expect(nobody, "GET /v1/boards/activity/day", "", http.StatusServiceUnavailable)
	f.tick(f.start(archive))
	f.board("day", "1 bob 10, 2 ann Ann 4")
	f.list(nobody, "/v1/articles?group=go", "a1 bob 2")
	f.audit()
}
