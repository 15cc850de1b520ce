package browser_test

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"laurel/internal/browser"
	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/api/httpapi"
)

// chromium is the one of these tests.
var chromium *browser.Chromium

func TestMain(m *testing.M) {
	running, err := browser.Start()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	chromium = running
	code := m.Run()
	running.Stop()
	os.Exit(code)
}

// module serves the module as Laurel does.
var module = httpapi.New(httpapi.Options{Ledger: harness.UTC(), Now: time.Now}, httpapi.Query)

// html returns a page with a body and the module.
func html(body string) string {
	return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
		`<title>A forum</title><script type="module" src="/embed/laurel.js"></script><body>` + body + `</body></html>`
}

// serve returns the address of a forum with the module and one page, which is its frames, too.
func serve(t *testing.T, write func(io.Writer)) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/" || strings.HasSuffix(r.URL.Path, ".html"):
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			write(w)
		case strings.HasPrefix(r.URL.Path, "/embed/"):
			module.ServeHTTP(w, r)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// scripts are tests of elements, and the script that answers them in place of Laurel.
//
//go:embed testdata
var scripts embed.FS

// first makes a page run scripts before its own: files of testdata, without their suffixes, or texts.
func first(all ...string) browser.Step {
	var source strings.Builder
	for _, script := range all {
		if text, err := scripts.ReadFile("testdata/" + script + ".js"); err == nil {
			script = string(text)
		}
		source.WriteString(script + "\n")
	}
	p := page.AddScriptToEvaluateOnNewDocumentParams{Source: source.String()}
	return browser.Command(page.AddScriptToEvaluateOnNewDocument, p)
}

// show opens a page with a body; before is done in the tab first.
func show(t *testing.T, body string, before ...browser.Step) context.Context {
	t.Helper()
	return chromium.Open(t, serve(t, func(w io.Writer) { _, _ = io.WriteString(w, html(body)) }), before...)
}

// Elements pass the tests in testdata, each in a tab of its own.
func TestElements(t *testing.T) {
	t.Parallel()
	open := func(t *testing.T) context.Context {
		t.Helper()
		minutes := fmt.Sprintf("const minutes = %d;", testserver.Times(15, 60))
		return show(t, "", chromedp.EmulateViewport(900, 3000),
			first("laurel", "clock", "frame", minutes, "board", "layout", "member", "polite", "private", "states", "features",
				"history", "teams"))
	}
	for _, name := range browser.Eval[[]string](open(t), t, `Object.keys(tests)`) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, wrong := range browser.Eval[[]string](open(t), t, fmt.Sprintf("run(%q)", name)) {
				t.Error(wrong)
			}
		})
	}
}

// drawn is a script that is true when the first board has rows.
const drawn = `document.querySelector("laurel-board").shadowRoot?.querySelector("tbody tr, .place") != null`

// root is the first board's.
const root = `document.querySelector("laurel-board").shadowRoot`

// spoken returns the texts that a screen reader has of a page, in order, without buttons, which only scripts make.
func spoken(tab context.Context, t *testing.T) (all []string) {
	t.Helper()
	type result = accessibility.GetFullAXTreeResult
	tree, err := chromedp.Run(tab, func(ctx context.Context, tab *chromedp.Target) (result, error) {
		return cdp.Call(ctx, tab, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	})
	harness.OK(t, err)
	buttons := map[accessibility.NodeID]bool{}
	for _, n := range tree.Nodes {
		if n.Role != nil && string(n.Role.Value) == `"button"` {
			buttons[n.NodeID] = true
		}
		if buttons[n.ParentID] {
			continue
		}
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
