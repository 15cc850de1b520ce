package doctor_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/run/doctor"
)

// part returns a stack with one part in this state, or one that is not known.
func part(l doctor.Line, err error) func(context.Context, func(string, doctor.Line, error)) {
	return func(_ context.Context, tell func(string, doctor.Line, error)) { tell("part", l, err) }
}

func smoking(t *testing.T, address string, s doctor.Smoke) doctor.Options {
	t.Helper()
	o := options(t, address)
	s.Wait = 20 * time.Second
	o.Smoke = &s
	return o
}

// traces fails the test if a user of the doctor remains, or others saw one.
func traces(t *testing.T, s *harness.Forum) {
	t.Helper()
	for key, value := range s.State() {
		if strings.Contains(key, "laurel-doctor-") || strings.Contains(value, "laurel-doctor-") {
			t.Errorf("%s has the user", key)
		}
	}
	s.Serve()
	for _, window := range []string{"day", "month"} {
		if got := s.Get("/v1/boards/activity/"+window, "").Body; strings.Contains(got, "laurel-doctor") {
			t.Errorf("on the board: %s", got)
		}
	}
}

// A deployment that is well records, queues and erases, and leaves no user. Parts that are not well fail, as do those
// that cannot be checked; missing ones are skipped.
func TestPartsOfADeployment(t *testing.T) {
	t.Parallel()
	s := serve(t, harness.Setup{})
	for name, c := range map[string]struct {
		stack func(context.Context, func(string, doctor.Line, error))
		want  map[string]string
	}{
		"all is well": {part(doctor.Well("it answers"), nil), map[string]string{
			"hidden user": "ok: whom no member sees", "records": "ok: bookmark: counted, 2 points",
			"reads": "ok: 2 points on the board activity", "queue": "ok: 4 points", "erasure": "ok: is on no board any more",
			"part": "ok: it answers",
		}},
		"no stack": {nil, map[string]string{
			"records": "ok: ", "archive function": "skipped: ", "alarms": "skipped: ", "dead letters": "skipped: ",
		}},
		"a rollback": {part(doctor.Fail("do", "FAILED: why"), nil), map[string]string{"part": "failure: FAILED: why"}},
		"not named": {
			part(doctor.Line{}, fmt.Errorf("the output: %w", doctor.ErrNotNamed)),
			map[string]string{"part": "skipped: not named"},
		},
		"not allowed": {part(doctor.Line{}, errors.New("AccessDenied")), map[string]string{"part": "failure: AccessDenied"}},
	} {
		if c.want["queue"] == "" {
			c.want["queue"] = "skipped: no queue route"
		}
		noQueue := strings.HasPrefix(c.want["queue"], "skipped")
		lines, well := results(t, smoking(t, s.URL, doctor.Smoke{Stack: c.stack, NoQueue: noQueue}))
		if well == strings.Contains(fmt.Sprint(c.want), "failure") {
			t.Errorf("%s: well %v", name, well)
		}
		c.want["erasure"] = "ok: "
		expect(t, name, lines, c.want)
	}
	traces(t, s)
}

// After any failure the user is erased; a user who was not hidden is not recorded.
func TestSmokeErasesAfterAFailure(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prefix string // how the request begins that fails, "METHOD path"
		want   map[string]string
		seen   string // the answer in place of a failure
	}{
		"hiding": {prefix: "PUT /v1/users/laurel-doctor-", want: map[string]string{
			"hidden user": "failure: PUT /v1/users/{user}/visibility: 500",
		}},
		"recording": {prefix: "POST /v1/activities", want: map[string]string{"records": "failure: POST /v1/activities: 500"}},
		"reading": {prefix: "GET /v1/boards/activity/month/users/", want: map[string]string{
			"reads": "failure: GET /v1/boards", "queue": "ok: ",
		}},
		"hiding in vain": {
			prefix: "GET /v1/boards/activity/month/users/", seen: `{"standing":{"rank":1},"entries":[]}`,
			want: map[string]string{"reads": "failure: the user is hidden, and others see it on the board activity"},
		},
		"the queue": {prefix: "POST /v1/queue", want: map[string]string{"queue": "failure: POST /v1/queue/activities: 500"}},
	} {
		s := serve(t, harness.Setup{})
		var mu sync.Mutex
		var asked []string
		address := answering(t, func(w http.ResponseWriter, r *http.Request) {
			request := r.Method + " " + r.URL.Path
			mu.Lock()
			asked = append(asked, request)
			mu.Unlock()
			switch {
			case !strings.HasPrefix(request, c.prefix):
				proxied(s.URL, w, r)
			case c.seen != "":
				says(http.StatusOK, "application/json", c.seen)(w, r)
			default:
				http.Error(w, "{}", http.StatusInternalServerError)
			}
		})
		lines, well := results(t, smoking(t, address, doctor.Smoke{}))
		c.want["erasure"] = "ok: is on no board any more"
		if expect(t, name, lines, c.want); well {
			t.Errorf("%s: it is well", name)
		}
		if recorded := strings.Contains(fmt.Sprint(asked), "POST /v1/activities"); recorded == (name == "hiding") {
			t.Errorf("%s: recorded %v", name, recorded)
		}
		traces(t, s)
	}
}

// An erasure that fails names the user to erase by hand, and a message that never counts ends the wait.
func TestSmokeThatStays(t *testing.T) {
	t.Parallel()
	s := serve(t, harness.Setup{})
	address := answering(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/v1/queue/activities":
			w.WriteHeader(http.StatusAccepted)
		case r.Method == http.MethodDelete:
			http.Error(w, `{"message":"Internal Server Error"}`, http.StatusInternalServerError)
		default:
			proxied(s.URL, w, r)
		}
	})
	o := smoking(t, address, doctor.Smoke{})
	o.Smoke.Wait = time.Second
	lines, well := results(t, o)
	expect(t, "", lines, map[string]string{
		"queue":   "failure: a message was taken, and does not count: not within 1s",
		"erasure": "failure: is not erased: DELETE /v1/users/{user}: 500",
	})
	if do := lines["erasure"].Do; well || !strings.Contains(do, "laurel erase --user laurel-doctor-") {
		t.Errorf("well %v: %s", well, do)
	}
}

// An interrupted test erases its user all the same.
func TestSmokeErasesWhenItIsEnded(t *testing.T) {
	t.Parallel()
	s := serve(t, harness.Setup{})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	address := answering(t, func(w http.ResponseWriter, r *http.Request) {
		proxied(s.URL, w, r)
		if r.Method == http.MethodPost && r.URL.Path == "/v1/activities" {
			stop()
		}
	})
	lines := map[string]doctor.Line{}
	if doctor.Run(ctx, smoking(t, address, doctor.Smoke{}), func(l doctor.Line) { lines[l.Check] = l }) {
		t.Error("it is well")
	}
	expect(t, "", lines, map[string]string{"erasure": "ok: is on no board any more"})
	traces(t, s)
}
