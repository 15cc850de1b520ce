package httpapi_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/app"
	"laurel/shared/archive"
	"laurel/shared/archive/embedded"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/nightly"
)

// oddIDs are ids that are hard on addresses, keys and logs.
var oddIDs = []string{"{0}", "a:b", `q"uote'`, "100%s", "%2F", "a/b", "🙂", "مرحبا", "é è", "}:pages:x", "-1", "a?b#c&d=e", "+", "<b>"}

// A town is a forum with everything about its people: a store, a table, and a handler
// at any time.
type town struct {
	tb     testing.TB
	client redis.UniversalClient
	ledger *ledger.Ledger
	live   *live.Store
	table  archive.Store
	*app.Kept
	now time.Time
}

// newTown is a town in UTC at noon, with the built-in rules.
func newTown(tb testing.TB) *town {
	tb.Helper()
	return newTownWith(tb, testserver.Redis(tb), ledger.New(activity.Default(), board.NewCalendar(time.UTC)), 1)
}

func newTownWith(tb testing.TB, client redis.UniversalClient, l *ledger.Ledger, shards int) *town {
	tb.Helper()
	table, err := embedded.New(time.Now)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = table.Close() })
	w := &town{tb: tb, client: client, ledger: l, live: live.New(client, l, shards), table: table, now: noon}
	w.keepOn(table)
	return w
}

// keepOn has everything that is kept beside Redis on a table.
func (w *town) keepOn(table archive.Store) {
	w.Kept = app.Keep(table, w.live, w.ledger.Rules(), slog.New(slog.DiscardHandler))
}

// open is the town's forum, with options changed.
func (w *town) open(change ...func(*httpapi.Options)) *forum {
	w.tb.Helper()
	now := w.now
	o := httpapi.Options{
		Store: w.live, Ledger: w.ledger, Now: func() time.Time { return now },
		Archive: w.Archive, HotDays: 3, HotMonths: 2, People: w.People, Eraser: w.Eraser,
	}
	for _, c := range change {
		c(&o)
	}
	f := openOptions(w.tb, o)
	f.client = w.client
	return f
}

// night is a nightly run, so many days from now, and the forum after it.
func (w *town) night(days int) *forum {
	w.tb.Helper()
	w.now = w.now.AddDate(0, 0, days)
	result, err := nightly.Run(w.tb.Context(), nightly.Options{
		Live: w.live, Archive: w.Archive, Erasures: w.Eraser, Rules: w.ledger.Rules(), Calendar: w.ledger.Calendar(),
		Now: board.MomentOf(w.now), HotDays: 3, HotMonths: 2,
	})
	if err != nil || len(result.Left) > 0 || len(result.Failed) > 0 || result.Erasures.Left > 0 {
		w.tb.Fatalf("%+v, %v", result, err)
	}
	return w.open()
}

// did reports what users did: "ann like 7", as the service, now.
func (f *forum) did(all ...string) []httpapi.Receipt {
	f.tb.Helper()
	acts := make([]string, len(all))
	for i, text := range all {
		user, rest, _ := strings.Cut(text, " ")
		action, target, _ := strings.Cut(rest, " ")
		field, quoted := "target", quote(target)
		if action == "steps" {
			field, quoted = "value", target
		}
		acts[i] = `{"user":` + quote(user) + `,"action":"` + action + `","` + field + `":` + quoted + `}`
	}
	return read[httpapi.Receipts](f.tb, f.post(f.service(), list(acts...))).Receipts
}

func quote(text string) string {
	data, _ := json.Marshal(text) // of a string
	return string(data)
}

func (f *forum) put(path, token, body string) answer {
	f.tb.Helper()
	return f.do(http.MethodPut, path, token, body)
}

func (f *forum) remove(path, token string) answer {
	f.tb.Helper()
	return f.do(http.MethodDelete, path, token, "")
}

// says checks an answer's status and body; "" is a problem of any words.
func (f *forum) says(a answer, status int, want string) {
	f.tb.Helper()
	if a.status != status {
		f.tb.Errorf("status %d, want %d: %s", a.status, status, a.body)
	}
	if want == "" {
		a.problem(f.tb)
		return
	}
	if got := strings.TrimSpace(a.body); got != want {
		f.tb.Errorf("answer (-want +got):\n%s", cmp.Diff(want, got))
	}
}

// entries is what a board's answer has for its entries, in JSON.
func (f *forum) entries(path, token string) string {
	f.tb.Helper()
	a := f.get(path, token)
	var b struct {
		Entries json.RawMessage `json:"entries"`
	}
	if err := json.Unmarshal([]byte(a.body), &b); err != nil || a.status != http.StatusOK {
		f.tb.Errorf("%s: %d %s", path, a.status, a.body)
	}
	return string(b.Entries)
}

// shows checks the entries of a board.
func (f *forum) shows(path, token, want string) {
	f.tb.Helper()
	if diff := cmp.Diff(want, f.entries(path, token)); diff != "" {
		f.tb.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// of is the address of a user, and more after it.
func of(user, more string) string { return "/v1/users/" + url.PathEscape(user) + more }

const (
	today   = "/v1/boards/activity/day"
	friends = "/v1/boards/activity/day/users/ann/friends"
)

func dayOf(tb testing.TB, name string) board.Period {
	tb.Helper()
	p, err := board.ParsePeriod(board.Day, name)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}
