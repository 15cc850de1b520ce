package browser_test

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"laurel/internal/browser"
	"laurel/internal/harness"
	"laurel/shared/embed"
	"laurel/shared/httpapi"
)

// chromium is the one of these tests.
var chromium context.Context

func TestMain(m *testing.M) {
	running, stop, err := browser.Start()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	chromium = running //nolint:fatcontext // it is set once
	code := m.Run()
	stop()
	os.Exit(code)
}

// module serves the module as Laurel does.
var module = httpapi.New(httpapi.Options{Ledger: harness.UTC(), Now: time.Now}, httpapi.Query)

// A forum serves a page with elements, and answers them as a test says.
type forum struct {
	t   *testing.T
	url string

	mu      sync.Mutex
	boards  map[string]embed.Board // by name
	fail    func(w http.ResponseWriter, r *http.Request) bool
	asked   []string
	tokens  []string // of the requests that were asked with one
	policy  string
	page    string
	hidden  bool                     // what PUT visibility has set
	rules   object                   // in force
	did     object                   // today's actions, as /activity tells them
	own     []object                 // standings that the member alone sees
	won     []object                 // periods with their winners
	kept    []object                 // entries of the member
	token   string                   // what /token signs
	gateway bool                     // tokens are rejected as API Gateway does
	gate    chan struct{}            // until it is closed, what is late does not answer; nil for at once
	late    func(*http.Request) bool // nil for /v1/boards alone
	frame   func(io.Writer)          // writes the page of a frame
}

// now is when boards are read; the day ends at midnight.
var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// day returns a board of today with entries.
func day(name string, entries ...embed.Entry) embed.Board {
	return embed.Board{
		Name: name, Window: "day", Period: "2026-11-20", AsOf: now, StartsAt: now.Truncate(24 * time.Hour),
		EndsAt: now.Truncate(24 * time.Hour).Add(24 * time.Hour), Total: int64(len(entries)), Entries: entries,
		Labels: map[string]string{"en": "Activity", "zh": "活跃榜", "vi": "Hoạt động"},
		Unit:   map[string]string{"en": "points", "zh": "积分", "vi": "điểm"},
	}
}

// entry is a user with a name.
func entry(rank, score int64, name string) embed.Entry {
	return embed.Entry{Rank: rank, Score: score, ID: fmt.Sprintf("u%d", rank), Name: name}
}

// several returns entries of n users.
func several(n int64) (all []embed.Entry) {
	for i := range n {
		e := entry(i+1, 100-i, fmt.Sprintf("User %d", i+1))
		e.Link = "https://forum.example/u"
		e.Previous = (i + 2) % n
		all = append(all, e)
	}
	return all
}

// serve serves boards.
func serve(t *testing.T, boards ...embed.Board) *forum {
	t.Helper()
	f := &forum{t: t, boards: map[string]embed.Board{}, did: object{}, own: []object{}, rules: object{"versions": []object{
		{"actions": object{
			"visit":   object{"board": "activity", "points": 1, "cap": 100},
			"like":    object{"board": "activity", "points": 2, "cap": 50},
			"comment": object{"board": "activity", "points": 3, "cap": 30},
		}},
	}}}
	for _, b := range boards {
		f.boards[b.Name] = b
	}
	server := httptest.NewUnstartedServer(f)
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.Start()
	t.Cleanup(server.Close)
	f.url = server.URL
	return f
}

// ServeHTTP answers as Laurel does, and as the forum that has its elements.
func (f *forum) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	gate, late, hidden := f.gate, f.late, f.hidden
	f.mu.Unlock()
	if late == nil {
		late = func(r *http.Request) bool { return r.URL.Path == "/v1/boards" }
	}
	if gate != nil && late(r) {
		<-gate
		f.mu.Lock()
		defer f.mu.Unlock()
		if strings.HasSuffix(r.URL.Path, "/visibility") { // as it was when it was asked for
			_ = json.NewEncoder(w).Encode(object{"boards": map[bool]string{false: "shown", true: "hidden"}[hidden]})
			return
		}
	} else {
		f.mu.Lock()
		defer f.mu.Unlock()
	}
	w.Header().Set("Access-Control-Allow-Origin", "*")
	switch {
	case r.URL.Path == "/":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if f.policy != "" {
			w.Header().Set("Content-Security-Policy", f.policy)
		}
		_, _ = w.Write([]byte(f.page))
		return
	case strings.HasSuffix(r.URL.Path, ".html"):
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		f.frame(w)
		return
	case strings.HasPrefix(r.URL.Path, "/embed/"):
		module.ServeHTTP(w, r)
		return
	case !strings.HasPrefix(r.URL.Path, "/v1/") && r.URL.Path != "/token":
		http.NotFound(w, r)
		return
	}
	f.asked = append(f.asked, r.Method+" "+r.URL.RequestURI())
	if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		f.tokens = append(f.tokens, token)
	}
	w.Header().Set("Content-Type", "application/json")
	if f.fail != nil && f.fail(w, r) {
		return
	}
	_ = json.NewEncoder(w).Encode(f.answer(r))
}

// answer is what Laurel answers to a read.
func (f *forum) answer(r *http.Request) any {
	parts := strings.Split(r.URL.Path, "/")
	switch {
	case r.URL.Path == "/v1/boards":
		list := []any{}
		for name, b := range f.boards {
			list = append(list, object{"board": name, "windows": []string{"day", "month"}, "labels": b.Labels, "unit": b.Unit})
		}
		return object{"boards": list}
	case strings.HasSuffix(r.URL.Path, "/periods"):
		return object{"periods": []object{
			{"period": "2026-11-20", "endsAt": "2026-11-21T00:00:00Z"},
			{"period": "2026-11-19", "endsAt": "2026-11-20T00:00:00Z"},
		}}
	case r.URL.Path == "/v1/articles":
		return object{"articles": []object{
			{
				"id": "1", "title": "A title", "link": "https://forum.example/1", "votes": 17,
				"author": object{"id": "ann", "name": "Ann"},
			},
			{"id": "2", "title": "Another", "link": nil, "votes": 1, "author": object{"id": nil}},
		}}
	case strings.HasSuffix(r.URL.Path, "/days"):
		days := []object{}
		for i := range 31 {
			days = append(days, object{"day": now.AddDate(0, 0, -i).Format(time.DateOnly), "scores": object{"activity": i % 7}})
		}
		return object{"days": days}
	case strings.HasSuffix(r.URL.Path, "/visibility"):
		if r.Method == http.MethodPut {
			body, _ := io.ReadAll(r.Body)
			f.hidden = strings.Contains(string(body), `"hidden"`)
		}
		return object{"boards": map[bool]string{false: "shown", true: "hidden"}[f.hidden], "days": "private"}
	case r.URL.Path == "/v1/rules":
		return f.rules
	case strings.HasSuffix(r.URL.Path, "/activity"):
		return object{"days": []object{{"day": "2026-11-20", "actions": f.did}}}
	case strings.HasSuffix(r.URL.Path, "/winners"):
		limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
		from, _ := strconv.Atoi(r.URL.Query().Get("from"))
		to := min(from+limit, len(f.won))
		answer := object{"window": parts[4], "periods": f.won[from:to]}
		if to < len(f.won) {
			answer["next"] = fmt.Sprintf("%s?limit=%d&from=%d", r.URL.Path, limit, to)
		}
		return answer
	case strings.HasSuffix(r.URL.Path, "/entries"):
		return object{"entries": f.kept}
	case strings.HasSuffix(r.URL.Path, "/standings"):
		return object{"standings": f.own}
	case strings.HasSuffix(r.URL.Path, "/votes"):
		return object{"votes": []string{"2"}}
	case r.URL.Path == "/token":
		return object{"token": f.token}
	case r.URL.Path == "/v1/activities":
		var receipts []object
		for range 30 {
			receipts = append(receipts, object{
				"status": "counted", "points": 2, "board": "activity", "day": "2026-11-20",
				"scores": object{"day": 99, "month": 99},
			})
		}
		return object{"receipts": receipts}
	}
	return f.piece(r, f.boards[parts[3]])
}

// piece is the answer with a page of a board, or with a place and its neighbours.
func (f *forum) piece(r *http.Request, b embed.Board) object {
	parts := strings.Split(r.URL.Path, "/")
	zone := b.StartsAt.Location().String()
	answer := object{
		"board": b.Name, "window": b.Window, "period": b.Period, "timezone": zone, "startsAt": b.StartsAt, "asOf": b.AsOf,
		"endsAt": b.EndsAt, "final": false, "total": b.Total,
	}
	if b.EndsAt.IsZero() {
		answer["endsAt"] = nil
	}
	entries := b.Entries
	if len(parts) > 5 && !strings.HasSuffix(r.URL.Path, "/friends") {
		entries = b.Near
	} else if limit, err := strconv.Atoi(r.URL.Query().Get("limit")); err == nil {
		from, _ := strconv.Atoi(r.URL.Query().Get("offset"))
		to := min(from+limit, len(entries))
		if entries = entries[min(from, to):to]; to < len(b.Entries) {
			answer["next"] = fmt.Sprintf("%s?limit=%d&offset=%d", r.URL.Path, limit, to)
		}
	}
	if at := b.Standing; at != nil && len(parts) > 5 {
		answer["standing"] = object{"rank": some(at.Rank), "score": at.Score, "toNext": some(at.ToNext), "previousRank": nil}
	}
	list := []object{}
	for _, e := range entries {
		user := object{"id": e.ID}
		if e.ID == "" {
			user = object{"id": nil, "erased": true}
		}
		if e.Firsts > 0 {
			user["firsts"] = e.Firsts
		}
		for name, text := range map[string]string{"name": e.Name, "avatar": e.Avatar, "link": e.Link} {
			if text != "" {
				user[name] = text
			}
		}
		list = append(list, object{"rank": some(e.Rank), "score": e.Score, "user": user, "previousRank": some(e.Previous)})
	}
	answer["entries"] = list
	return answer
}

type object = map[string]any

// some is a number, or null for none.
func some(n int64) any {
	if n == 0 {
		return nil
	}
	return n
}

// requests returns how many requests had a text in them.
func (f *forum) requests(piece string) (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, a := range f.asked {
		if strings.Contains(a, piece) {
			n++
		}
	}
	return n
}

// set changes what is answered.
func (f *forum) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

// clock is a script by which a page's time stands still, but for tick(ms).
//
//go:embed testdata/clock.js
var clock string

// html returns a page with a body and the module.
func html(body string) string {
	return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
		`<title>A forum</title><script type="module" src="/embed/laurel.js"></script><body>` + body + `</body></html>`
}

// open opens a page with a body; before is done in the tab first.
func (f *forum) open(body string, before ...browser.Step) context.Context {
	f.t.Helper()
	f.page = html(body)
	return browser.Open(chromium, f.t, f.url+"/", before...)
}

// first has a page run a script before its own.
func first(script string) browser.Step {
	p := page.AddScriptToEvaluateOnNewDocumentParams{Source: script}
	return browser.Command(page.AddScriptToEvaluateOnNewDocument, p)
}

// timeless lets a page's time stand still.
func timeless() browser.Step { return first(clock) }

// root is the first board's.
const root = `document.querySelector("laurel-board").shadowRoot`

// drawn is a script that is true when an element has rows.
const drawn = `document.querySelector("laurel-board").shadowRoot?.querySelector("tbody tr, .place") != null`

// text is a script that returns the text of the first board.
const text = `(document.querySelector("laurel-board").shadowRoot?.textContent ?? "")`

// spoken returns what a screen reader has of a page, text after text.
func spoken(tab context.Context, t *testing.T) (all []string) {
	t.Helper()
	type result = accessibility.GetFullAXTreeResult
	tree, err := chromedp.Run(tab, func(ctx context.Context, tab *chromedp.Target) (result, error) {
		return cdp.Call(ctx, tab, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	})
	harness.OK(t, err)
	for _, n := range tree.Nodes {
		if n.Ignored || n.Role == nil || n.Name == nil {
			continue
		}
		var role, name string
		_ = json.Unmarshal(n.Role.Value, &role)
		_ = json.Unmarshal(n.Name.Value, &name)
		switch name = strings.TrimSpace(name); role {
		case "StaticText", "image", "table", "heading", "link", "columnheader", "cell", "paragraph", "row":
			all = append(all, role+" "+name)
		}
	}
	return all
}
