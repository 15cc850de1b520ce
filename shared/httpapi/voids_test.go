package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/shared/httpapi"
	"laurel/shared/people"
	"laurel/shared/record"
)

const spam = "/v1/targets/spam/void"

// A void target takes what anybody earned on it, by the next pass: until then everything
// counts and it can be withdrawn, from then on what arrives late is superseded, and what is
// done after it counts.
func TestVoidTarget(t *testing.T) {
	t.Parallel()
	f := open(t)
	points := func(step, want string) {
		t.Helper()
		var got []string
		for _, e := range read[httpapi.Board](t, f.Get(today, "")).Entries {
			got = append(got, fmt.Sprint(e.User.ID, " ", e.Score))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %q, want %s", step, got, want)
		}
	}
	f.publish(http.StatusCreated, simple("spam", "cid"))
	f.Did("ann like spam", "ann comment spam", "ann visit other", "bob bookmark spam", "bob follow spam")
	before := "cid 10, ann 6, bob 4"
	points("done", before)

	f.Says(f.Get(spam, f.Service()), http.StatusNotFound, "")
	f.Says(f.Put(spam, f.User("ann"), `{}`), http.StatusForbidden, "")
	f.Says(f.Put(spam, f.Service(), `{"until":"2026-11-20T12:05:00.001Z"}`), http.StatusUnprocessableEntity, "")
	const waiting = `{"target":"spam","until":"2026-11-20T12:00:00.000Z","state":"waiting"}`
	f.Says(f.Put(spam, f.Service(), ``), http.StatusOK, waiting)
	f.Says(f.Put(spam, f.Service(), `{"until":"2026-11-20T11:00:00+01:00"}`), http.StatusOK, waiting) // the later stays
	f.Says(f.Get(spam, f.Service()), http.StatusOK, waiting)
	points("declared", before)
	f.Says(f.Delete(spam, f.Service()), http.StatusOK, `{"target":"spam","state":"withdrawn"}`)
	f.Says(f.Delete(spam, f.Service()), http.StatusNotFound, "")
	f.Says(f.Put(spam, f.Service(), `{"until":"2026-11-20T12:00:00Z"}`), http.StatusOK, waiting)

	pass := func(wait time.Duration) {
		t.Helper()
		if _, err := f.Recorder.VoidPass(t.Context(), wait); err != nil {
			t.Fatal(err)
		}
	}
	pass(time.Hour)
	running := strings.Replace(waiting, "waiting", "running", 1)
	f.Says(f.Get(spam, f.Service()), http.StatusOK, running)
	begun := f.Delete(spam, f.Service())
	if p := begun.Problem(t); begun.Status != http.StatusConflict || p.Code != "void_begun" {
		t.Errorf("withdrawn while it runs: %d %s", begun.Status, begun.Body)
	}
	pass(0)
	f.Says(f.Get(spam, f.Service()), http.StatusOK, strings.Replace(waiting, "waiting", "done", 1))
	points("void", "bob 2, ann 1")
	if f.votes("spam") != 2 {
		t.Errorf("%d votes, which stay", f.votes("spam"))
	}
	f.Now = f.Now.Add(time.Hour)
	for _, act := range []struct{ activity, status string }{
		{`{"user":"dan","action":"like","target":"spam","at":"2026-11-20T12:00:00Z"}`, "superseded"},
		{`{"user":"dan","action":"like","target":"spam","at":"2026-11-20T12:00:00.001Z"}`, "counted"},
		{`{"user":"ann","action":"like","target":"spam","restores":true}`, "counted"},
		{`{"user":"bob","action":"bookmark","target":"spam"}`, "counted"},
	} {
		if got := read[httpapi.Receipts](t, f.Post(f.Service(), list(act.activity))).Receipts[0].Status; got != act.status {
			t.Errorf("%s: %s", act.activity, got)
		}
	}
	points("done again", "bob 4, ann 3, dan 2")
	for _, e := range read[people.UserData](t, f.Get("/v1/users/ann/export", f.Service())).Entries {
		if e.Target == "spam" && e.UndoneAt != "2026-11-20T12:00:00Z" {
			t.Errorf("exported: %+v", e)
		}
	}
	audited, err := f.Recorder.Compare(t.Context(), record.CompareOptions{Audit: true})
	if err != nil || audited.Differ > 0 {
		t.Errorf("%+v, %v", audited, err)
	}
}
