package httpapi_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// With Redis away everything about people says so, and when to try again.
func TestRedisAwayForPeople(t *testing.T) {
	t.Parallel()
	server := testserver.OwnRedis(t)
	client, err := redisstore.Dial(server.URL(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	f := newTownWith(t, client, ledger.New(activity.Default(), board.NewCalendar(time.UTC)), 1).open()
	f.did("ann follow bob")
	server.Stop()
	for name, a := range map[string]answer{
		"friends":         f.get(friends, f.service()),
		"a list":          f.get("/v1/users/ann/following", f.service()),
		"a list replaced": f.put("/v1/users/ann/following", f.service(), `{"users":["bob"]}`),
		"hiding":          f.put("/v1/users/ann/visibility", f.service(), `{"boards":"hidden"}`),
		"excluding":       f.put("/v1/users/ann/exclusion", f.service(), ""),
		"erasing":         f.remove("/v1/users/ann", f.service()),
		"a profile put":   f.put("/v1/users/ann", f.service(), `{"name":"Ann"}`),
		"a profile":       f.get("/v1/users/ann", ""),
	} {
		p := a.problem(t)
		if a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") != "1" || strings.Contains(p.Detail, "dial") {
			t.Errorf("%s: status %d, %v: %s", name, a.status, a.header, a.body)
		}
	}
	// What was begun is known, and goes on.
	f.says(f.get("/v1/users/ann/erasure", f.service()), http.StatusOK, `{"state":"running","removed":{}}`)
}

// With the table away boards have the names that Redis knows; what takes the table
// says so.
func TestTableAwayForPeople(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	items := &watchedItems{Store: w.table}
	w.table = items
	w.keepOn(items)
	f := w.open()
	f.did("ann like 1", "bob visit 1")
	f.put("/v1/users/ann", f.service(), `{"name":"Ann"}`)
	items.away.Store(true)
	f.shows(today, "", `[{"rank":1,"score":2,"user":{"id":"ann","name":"Ann"}},{"rank":2,"score":1,"user":{"id":"bob"}}]`)
	f.says(f.get("/v1/users/ann", ""), http.StatusOK, `{"id":"ann","name":"Ann"}`)
	for name, a := range map[string]answer{
		"a profile that Redis does not know": f.get("/v1/users/bob", ""),
		"erasing":                            f.remove("/v1/users/ann", f.service()),
		"an erasure":                         f.get("/v1/users/ann/erasure", f.service()),
	} {
		p := a.problem(t)
		if a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") != "1" || strings.Contains(p.Detail, "secret") {
			t.Errorf("%s: status %d: %s", name, a.status, a.body)
		}
	}
	items.away.Store(false)
	f.says(f.get("/v1/users/bob", ""), http.StatusNotFound, "")
	f.shows(today+"?limit=1", "", `[{"rank":1,"score":2,"user":{"id":"ann","name":"Ann"}}]`)
}

// Others that are first too often are no fault of the caller's, nor ours.
func TestTooManyAtOnceIsSaid(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	w.keepOn(contended{w.table})
	a := w.open().remove("/v1/users/ann", w.open().service())
	if a.problem(t); a.status != http.StatusServiceUnavailable {
		t.Errorf("%d: %s", a.status, a.body)
	}
}

// contended is a store in which another is always first.
type contended struct{ archive.Store }

// Replace finds what another wrote.
func (contended) Replace(context.Context, archive.Item, []byte) error { return archive.ErrExists }
