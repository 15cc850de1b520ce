package httpapi_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/archive"
	"laurel/shared/auth"
	"laurel/shared/board"
	"laurel/shared/erasure"
	"laurel/shared/httpapi"
)

// An erased user is nowhere, and stays as a place on final boards; others keep their
// ranks and points; afterwards it starts from nothing.
func TestErasure(t *testing.T) {
	t.Parallel()
	f := openFull(t)
	f.Did("zoe-the-erased like 1", "zoe-the-erased like 2", "zoe-the-erased follow bob", "ann like 1",
		"ann follow zoe-the-erased", "bob visit 1")
	f.Put("/v1/users/zoe-the-erased", f.Service(), `{"name":"Zoe"}`)
	f.Night(10)
	f.Did("zoe-the-erased visit 1", "ann visit 1", "bob like 2", "bob like 3")
	const path, then = "/v1/users/zoe-the-erased", today + "?period=2026-11-20"
	f.Says(f.Get(path+"/erasure", f.Service()), http.StatusNotFound, "")
	const done = `{"state":"done","removed":{"boards":2,"finalBoards":1,"followLists":1,"following":1,"months":1,` +
		`"pages":3,"profileCopies":1,"profiles":1},"journalUntil":"2027-01-05"}`
	f.Says(f.Delete(path, f.Service()), http.StatusOK, done)
	f.Says(f.Get(path+"/erasure", f.Service()), http.StatusOK, done)
	f.Says(f.Delete(path, f.Service()), http.StatusOK, done) // again: there was nothing more
	if keys := testserver.Grep(t, f.Redis, "zoe-the-erased"); len(keys) > 0 {
		t.Errorf("still in Redis: %q", keys)
	}

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
	if f.Out.Len() > 0 {
		t.Errorf("logged: %s", f.Out)
	}
}

// slowEraser has so little time that a call does no more than begin.
type slowEraser struct {
	*erasure.Eraser
	time time.Duration
}

func (e slowEraser) Erase(ctx context.Context, user string) (archive.Erasure, error) {
	ctx, cancel := context.WithTimeout(ctx, e.time)
	defer cancel()
	return e.Eraser.Erase(ctx, user)
}

// asked is a queue that keeps what was sent.
type asked struct {
	bodies []string
	from   []auth.Caller
}

func (q *asked) Send(_ context.Context, body []byte, from auth.Caller) (string, error) {
	q.bodies, q.from = append(q.bodies, strings.TrimSpace(string(body))), append(q.from, from)
	return "1", nil
}

// What takes longer goes on through the queue, and every night; meanwhile it tells
// how far it is.
func TestLongErasureGoesOnThroughTheQueue(t *testing.T) {
	t.Parallel()
	f, q := openFull(t), &asked{}
	slow := slowEraser{f.Kept.Eraser, 900 * time.Millisecond}
	f.Serve(func(o *httpapi.Options) { o.Eraser, o.Queue = slow, q })
	const user = `zoé:"{0}"`
	f.Did(user+" like 1", "ann like 1")
	f.Says(f.Put("/v1/users", f.Service(), `{"users":[{"id":`+quote(user)+`,"name":"Zoé"}]}`), http.StatusOK,
		`{"users":[{"id":`+quote(user)+`,"name":"Zoé"}]}`)
	f.Says(f.Delete(of(user, ""), f.Service()), http.StatusAccepted, `{"state":"running","removed":{}}`)
	f.Says(f.Get(of(user, "/erasure"), f.Service()), http.StatusOK, `{"state":"running","removed":{}}`)
	if len(q.bodies) != 1 || q.bodies[0] != `{"erase":`+quote(user)+`}` || !q.from[0].Service {
		t.Errorf("the queue was sent %q from %+v", q.bodies, q.from)
	}
	if idle, err := f.Kept.Erase(t.Context(), user, board.MomentOf(noon)); !idle || err != nil { // as the queue does
		t.Fatal(idle, err)
	}
	if e := read[httpapi.Erasure](t, f.Get(of(user, "/erasure"), f.Service())); e.State != "done" ||
		e.Removed["boards"] == 0 || e.Removed["profiles"] != 1 {
		t.Errorf("afterwards %+v", e)
	}

	// Without a queue the nightly run goes on.
	f.Serve(func(o *httpapi.Options) { o.Eraser = slow })
	f.Says(f.Delete("/v1/users/ann", f.Service()), http.StatusAccepted, `{"state":"running","removed":{}}`)
	f.Night(0)
	if e := read[httpapi.Erasure](t, f.Get("/v1/users/ann/erasure", f.Service())); e.State != "done" ||
		e.Removed["boards"] == 0 {
		t.Errorf("after the night %+v", e)
	}
}

// A day that was closed, and is not final yet, has the erased user until the nightly
// run makes it final: the erasure runs until then, and the queue is not asked.
func TestErasureWaitsForTheNight(t *testing.T) {
	t.Parallel()
	f := openFull(t)
	f.Did("zoe-the-erased like 1", "ann visit 1")
	harness.ClosePeriod(t, f.Store, "activity", harness.Period(t, "2026-11-20"))
	f.Now = f.Now.AddDate(0, 0, 10)
	q := &asked{}
	f.Serve(func(o *httpapi.Options) { o.Queue = q })
	if a := f.Delete("/v1/users/zoe-the-erased", f.Service()); a.Status != http.StatusAccepted || len(q.bodies) > 0 {
		t.Errorf("%d %s, and the queue got %q", a.Status, a.Body, q.bodies)
	}
	f.Night(0)
	if e := read[httpapi.Erasure](t, f.Get("/v1/users/zoe-the-erased/erasure", f.Service())); e.State != "done" ||
		e.Removed["finalBoards"] != 1 {
		t.Errorf("after the night %+v", e)
	}
	f.Shows(today+"?period=2026-11-20", "",
		`[{"rank":1,"score":2,"user":{"id":null,"erased":true}},{"rank":2,"score":1,"user":{"id":"ann"}}]`)
	if keys := testserver.Grep(t, f.Redis, "zoe-the-erased"); len(keys) > 0 {
		t.Errorf("still in Redis: %q", keys)
	}
}
