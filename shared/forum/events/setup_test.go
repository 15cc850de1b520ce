package events_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/signatures"
	"laurel/shared/forum/events"
	"laurel/shared/store/items"
	"laurel/shared/store/table/embedded"
)

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// A receiver is a server that notes each request, and answers as it is set.
type receiver struct {
	*httptest.Server
	t  *testing.T
	mu sync.Mutex

	got    []string // ids of those that were answered by a success, in order
	bodies map[string]string
	answer func(w http.ResponseWriter, r *http.Request, n int) (status int) // of the n-th request; 0: it was answered
	asked  int
	now    func() time.Time
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, _ := io.ReadAll(q.Body)
	secrets := signatures.Secrets{activity.StandardHooks: {secret}}
	if err := secrets.Verify(activity.StandardHooks, q.Header.Get, body, r.now()); err != nil {
		r.t.Errorf("signature: %v", err)
	}
	r.mu.Lock()
	r.asked++
	n := r.asked
	r.mu.Unlock()
	status := r.answer(w, q, n)
	if status == 0 {
		return
	}
	w.WriteHeader(status)
	if status > 299 || q.Context().Err() != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.got = append(r.got, q.Header.Get("webhook-id"))
	r.bodies[q.Header.Get("webhook-id")] = string(body)
}

// takes answers the first requests in a way, and takes those after them.
func takes(after int, first func(http.ResponseWriter, *http.Request) int) func(
	http.ResponseWriter, *http.Request, int) int {
	return func(w http.ResponseWriter, q *http.Request, n int) int {
		if n <= after {
			return first(w, q)
		}
		return http.StatusNoContent
	}
}

// answers returns a status.
func answers(status int) func(http.ResponseWriter, *http.Request) int {
	return func(http.ResponseWriter, *http.Request) int { return status }
}

// hangs answers when nobody waits for it any more.
func hangs(_ http.ResponseWriter, q *http.Request) int {
	<-q.Context().Done()
	return http.StatusOK
}

// ids are those that arrived, without repetitions that follow each other.
func (r *receiver) ids() (ids []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range r.got {
		if len(ids) == 0 || ids[len(ids)-1] != id {
			ids = append(ids, id)
		}
	}
	return ids
}

func (r *receiver) body(id string) (b events.Body[events.Data]) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := json.Unmarshal([]byte(r.bodies[id]), &b); err != nil {
		r.t.Errorf("%s: %v: %s", id, err, r.bodies[id])
	}
	return b
}

// A forum is a table with events of two people's board, and a clock that the test moves.
type forum struct {
	*testing.T
	*harness.Clock
	table *harness.Table
	*items.Store
	head *items.Head
	log  *harness.Log
}

func newForum(t *testing.T) *forum {
	t.Helper()
	f := &forum{T: t, Clock: harness.NewClock(harness.Noon), log: &harness.Log{}}
	f.table = &harness.Table{Table: embedded.New(f.Now)}
	f.Store = items.New(f.table, "UTC", f.Now)
	f.head = harness.Must(f.Head(t.Context()))(t)
	return f
}

// receiver returns one that has the forum's time of waits.
func (f *forum) receiver(answer func(http.ResponseWriter, *http.Request, int) int) *receiver {
	f.Helper()
	r := &receiver{t: f.T, answer: answer, bodies: map[string]string{}, now: f.Real}
	r.Server = httptest.NewServer(r)
	f.Cleanup(r.Close)
	return r
}

var day = board.PeriodOf(board.Day, board.DateOf(2026, 11, 20))

// event puts an event of a day to an address, of some people, and returns its id.
func (f *forum) event(address string, p board.Period, kind string, users ...string) string {
	f.Helper()
	e := &items.Event{
		EventKey: items.EventKey{
			Address: address, ID: f.head.EventID(address, kind, "activity", p, 0),
			At: board.NewCalendar(time.UTC).Start(p.Last() + 1),
		},
		Type: kind, Board: "activity", Period: p, Total: int64(len(users)), Since: board.MomentOf(f.Real()),
	}
	for i, user := range users {
		e.Entries = append(e.Entries, items.Member{Key: f.head.KeyOf(user), Packed: board.Pack(int64(10-i), 5_000)})
	}
	harness.OK(f, f.WriteUnlessChanged(f.Context(), items.Change{Event: e}))
	return e.ID
}

// days puts an event of each of some days to an address, and returns their ids in order.
func (f *forum) days(address string, n int) (ids []string) {
	f.Helper()
	for p := day; len(ids) < n; p = p.Next() {
		ids = append(ids, f.event(address, p, activity.EventPeriodFinal, "ann"))
	}
	return ids
}

func (f *forum) person(user string, change func(*items.Person)) {
	f.Helper()
	_, _, err := f.ChangePerson(f.Context(), f.head.KeyOf(user), user, func(_ *items.Head, p *items.Person) error {
		change(p)
		return nil
	})
	harness.OK(f, err)
}

func nobody(*items.Person) {}

// to is an address that takes everything.
func eventAddress(name, url string) activity.EventAddress {
	return activity.EventAddress{Name: name, URL: url, Types: activity.EventTypes()}
}

// sender returns one on the forum's table, or another way to it.
func (f *forum) sender(store *items.Store, addresses ...activity.EventAddress) *events.Sender {
	secrets := signatures.Secrets{}
	for _, a := range addresses {
		secrets[a.Name] = []string{secret}
	}
	return events.New(events.Options{
		Items: store, Calendar: board.NewCalendar(time.UTC), Rules: activity.Default(),
		Guests:    activity.Default(),
		Addresses: addresses, Secrets: secrets,
		Private: true, Timeout: 300 * time.Millisecond, Real: f.Real, Log: slog.New(slog.NewJSONHandler(f.log, nil)),
	})
}

// run runs a sender once. The run has to succeed.
func (f *forum) run(s *events.Sender) events.Result {
	f.Helper()
	return harness.Must(s.Run(f.Context()))(f)
}

// waiting returns the events of an address.
func (f *forum) waiting(address string) []items.EventRow {
	f.Helper()
	return harness.Must(f.Events(f.Context(), address, 1_000))(f)
}

func (f *forum) logged(text string) int { return strings.Count(f.log.String(), text) }
