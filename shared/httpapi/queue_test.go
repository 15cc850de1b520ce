package httpapi_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/auth"
	"laurel/shared/httpapi"
)

// box is a queue that remembers what it was sent.
type box struct {
	sent []string
	err  error
}

// Send remembers a message and its sender.
func (b *box) Send(_ context.Context, body []byte, from auth.Caller) (string, error) {
	if b.err != nil {
		return "", b.err
	}
	b.sent = append(b.sent, fmt.Sprintf("%s %t %s", from.User, from.Service, body))
	return "id-1", nil
}

// openQueue is a forum without a store, with a queue.
func openQueue(t *testing.T, q httpapi.Queue) *forum {
	t.Helper()
	return openWith(t, harness.Setup{}, func(o *httpapi.Options) { o.Recorder, o.Queue = nil, q })
}

func (f *forum) enqueue(token, body string, headers ...string) answer {
	f.TB.Helper()
	return f.Do(http.MethodPost, "/v1/queue/activities", token, body, headers...)
}

// A report is put onto the queue as it is, with whose it is, and nobody reads it.
func TestQueue(t *testing.T) {
	t.Parallel()
	q := &box{}
	f := openQueue(t, q)
	for _, a := range []answer{
		f.enqueue(f.User("ann"), list(like)),
		f.enqueue(f.Service(), `{"anything":`),
	} {
		if a.Status != http.StatusAccepted || !strings.Contains(a.Body, "<MessageId>id-1</MessageId>") ||
			a.Header.Get("Content-Type") != "text/xml" || a.Header.Get("Cache-Control") != "private, no-store" {
			t.Errorf("%d %v %q", a.Status, a.Header, a.Body)
		}
	}
	if diff := cmp.Diff([]string{"ann false " + list(like), ` true {"anything":`}, q.sent); diff != "" {
		t.Errorf("sent (-want +got):\n%s", diff)
	}
}

// An invalid message is refused, and is not on the queue.
func TestQueueRefuses(t *testing.T) {
	t.Parallel()
	q := &box{}
	f := openQueue(t, q)
	for name, c := range map[string]struct {
		answer answer
		status int
		places string
	}{
		"nobody":   {f.enqueue("", list(like)), 401, ""},
		"nothing":  {f.enqueue(f.User("ann"), ""), 400, "body"},
		"no UTF-8": {f.enqueue(f.User("ann"), "\xff"), 400, "body"},
		"a form":   {f.enqueue(f.User("ann"), list(like), "Content-Type", "text/plain"), 415, "header.Content-Type"},
		"too much": {f.enqueue(f.User("ann"), strings.Repeat("x", 256<<10+1)), 413, ""},
		"unknown parameter": {
			f.Do(http.MethodPost, "/v1/queue/activities?delay=1", f.User("ann"), list(like)), 422,
			"query.delay",
		},
	} {
		p := c.answer.Problem(t)
		if c.answer.Status != c.status || strings.Join(p.Locations(), " ") != c.places {
			t.Errorf("%s: %d %s", name, c.answer.Status, c.answer.Body)
		}
	}
	if len(q.sent) > 0 {
		t.Errorf("sent %q", q.sent)
	}
}

// A full queue asks to come again; a broken one tells nobody why; where there is
// none, the answer says where the queue is.
func TestQueueUnavailable(t *testing.T) {
	t.Parallel()
	full := openQueue(t, &box{err: fmt.Errorf("%w: 3 wait", httpapi.ErrQueueFull)})
	if a := full.enqueue(full.User("ann"), list(like)); a.Problem(t).Detail != "the queue is full; try again" ||
		a.Status != http.StatusServiceUnavailable || a.Header.Get("Retry-After") != "1" {
		t.Errorf("full: %d %v %s", a.Status, a.Header, a.Body)
	}
	broken := openQueue(t, &box{err: errors.New("secret")})
	if a := broken.enqueue(broken.User("ann"), list(like)); a.Problem(t).Status != http.StatusInternalServerError ||
		strings.Contains(a.Body, "secret") || !strings.Contains(broken.Out.String(), "secret") {
		t.Errorf("broken: %d %s", a.Status, a.Body)
	}
	none := openQueue(t, nil)
	if a := none.enqueue(none.User("ann"), list(like)); a.Problem(t).Status != http.StatusNotImplemented ||
		!strings.Contains(a.Body, "use POST /v1/activities") {
		t.Errorf("none: %d %s", a.Status, a.Body)
	}
}
