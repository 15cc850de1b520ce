package httpapi_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/httpapi"
)

// tick makes a tick of those that do what goes on.
func (f *forum) tick() {
	f.TB.Helper()
	if _, err := f.Tick(f.TB.Context()); err != nil {
		f.TB.Fatal(err)
	}
}

// erasedFromStores fails if a store has an id that was erased.
func (f *forum) erasedFromStores(id string) {
	f.TB.Helper()
	if keys := testserver.Grep(f.TB, f.Redis, id); len(keys) > 0 {
		f.TB.Errorf("still in Redis: %q", keys)
	}
	if items := f.Table.Grep(f.TB, id); len(items) > 0 {
		f.TB.Errorf("still in the table: %q", items)
	}
}

// An erased user is nowhere, and stays as a place on final boards; others keep their
// ranks and points; afterwards it starts from nothing.
func TestErasure(t *testing.T) {
	t.Parallel()
	f := open(t)
	f.Did("zoe-the-erased like 1", "zoe-the-erased like 2", "zoe-the-erased follow bob", "ann like 1",
		"ann follow zoe-the-erased", "bob visit 1")
	f.Put("/v1/users/zoe-the-erased", f.Service(), `{"name":"Zoe"}`)
	f.Night(10)
	f.Did("zoe-the-erased visit 1", "ann visit 1", "bob like 2", "bob like 3")
	const path, then = "/v1/users/zoe-the-erased", today + "?period=2026-11-20"
	f.Says(f.Get(path+"/erasure", f.Service()), http.StatusNotFound, "")
	a := f.Delete(path, f.Service())
	if a.Status != http.StatusAccepted || !strings.Contains(a.Body, `"state":"running"`) {
		t.Errorf("%d %s", a.Status, a.Body)
	}
	f.Shows(today, "", `[{"rank":1,"score":4,"user":{"id":"bob"}},{"rank":2,"score":1,"user":{"id":"ann"}}]`)
	f.tick()
	const done = `{"state":"done","removed":{"boards":2,"followLists":1,"following":1,"ledgers":1,"profiles":1}}`
	f.Says(f.Get(path+"/erasure", f.Service()), http.StatusOK, done)
	f.erasedFromStores("zoe-the-erased")
	f.Shows(then, "", `[{"rank":1,"score":6,"user":{"id":null,"erased":true}},{"rank":2,"score":4,`+
		`"user":{"id":"ann"}},{"rank":3,"score":1,"user":{"id":"bob"}}]`)
	f.Shows(today+"/users/ann?period=2026-11-20&around=1", "", f.Entries(then, ""))
	f.Shows(today+"/users/zoe-the-erased?period=2026-11-20", "", "[]")
	f.Shows(friends+"?period=2026-11-20", f.User("ann"), `[{"rank":1,"boardRank":2,"score":4,"user":{"id":"ann"}}]`)
	f.Shows(today, "", `[{"rank":1,"score":4,"user":{"id":"bob"}},{"rank":2,"score":1,"user":{"id":"ann"}}]`)
	f.Says(f.Get("/v1/users/ann/following", f.User("ann")), http.StatusOK, `{"users":[],"total":0,"next":null}`)
	f.Says(f.Get(path, ""), http.StatusNotFound, "")
	if got := read[httpapi.Activity](t,
		f.Get("/v1/users/ann/activity?days=11", f.User("ann"))); got.Totals["follow"].Points != 2 {
		t.Errorf("ann's follow is worth %+v", got.Totals)
	}

	// What happened before is late; what is done now is a new user's.
	if got := f.Did("zoe-the-erased like 1")[0]; got.Status != "erased" {
		t.Errorf("late: %+v", got)
	}
	f.Now = f.Now.Add(time.Second)
	if got := f.Did("zoe-the-erased like 1")[0]; got.Status != "counted" || got.Scores["month"] != 2 {
		t.Errorf("afterwards: %+v", got)
	}
	if got := read[httpapi.Activity](t, f.Get(path+"/activity?days=31", f.Service())); got.Totals["like"].Count != 1 ||
		len(got.Totals) != 1 {
		t.Errorf("afterwards: %+v", got.Totals)
	}
	if strings.Contains(f.Out.String(), "zoe") {
		t.Errorf("logged: %s", f.Out)
	}
}

// A day that was closed, and is not final yet, has a place of the erased user when it is made.
func TestErasureBesideANight(t *testing.T) {
	t.Parallel()
	f := open(t)
	f.Did("zoe-the-erased like 1", "ann visit 1")
	f.ClosePeriod(harness.Period(t, "2026-11-20"))
	f.Now = f.Now.AddDate(0, 0, 10)
	if a := f.Delete("/v1/users/zoe-the-erased", f.Service()); a.Status != http.StatusAccepted {
		t.Errorf("%d %s", a.Status, a.Body)
	}
	f.Night(0)
	if e := read[httpapi.Erasure](t, f.Get("/v1/users/zoe-the-erased/erasure", f.Service())); e.State != "done" {
		t.Errorf("after the night %+v", e)
	}
	if page := f.Get(today+"?period=2026-11-20", ""); strings.Contains(page.Body, "zoe") {
		t.Errorf("the final board has the erased: %s", page.Body)
	}
	f.erasedFromStores("zoe-the-erased")
}
