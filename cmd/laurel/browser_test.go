package main

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"laurel/internal/browser"
	"laurel/internal/harness"
)

// The one Chromium of these tests starts for the first that opens a page.
var (
	startChromium = sync.OnceValues(func() (*browser.Chromium, error) {
		running, err := browser.Start()
		if err == nil {
			stopChromium = running.Stop
		}
		return running, err
	})
	stopChromium = func() {}
)

// browse ADDRESS [WIDTHxHEIGHT [dark|light [noscript]]]: a tab shows a page, at a screen's size. Violations of the
// page's policy are in window.forbidden, errors in window.wrong.
func (s *script) browse(args []string) {
	running, err := startChromium()
	s.Check(err)
	var width, height int64 = 900, 900
	if len(args) > 1 {
		_, err = fmt.Sscanf(args[1], "%dx%d", &width, &height)
		s.Check(err)
	}
	scheme := "light"
	if len(args) > 2 {
		scheme = args[2]
	}
	off := emulation.SetScriptExecutionDisabledParams{Value: len(args) > 3}
	const watch = `window.forbidden = []; window.wrong = [];
		for (const kind of ["error", "warn"]) console[kind] = (...all) => wrong.push(all.join(" "));
		addEventListener("error", (e) => wrong.push(e.message ?? e.target?.src), true);
		addEventListener("unhandledrejection", (e) => wrong.push(e.reason));
		addEventListener("securitypolicyviolation", (e) => forbidden.push(e.violatedDirective + " " + e.blockedURI));`
	s.tab = running.Open(s.tb, args[0], chromedp.EmulateViewport(width, height),
		browser.Media("prefers-color-scheme", scheme), browser.Command(emulation.SetScriptExecutionDisabled, off),
		browser.Command(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: watch}))
}

// javascript returns the scripts of arguments, or of files of scripts, as one expression.
func (s *script) javascript(args []string) string {
	parts := make([]string, len(args))
	for i, arg := range args {
		if parts[i] = arg; strings.HasSuffix(arg, ".js") {
			parts[i] = s.ReadFile(arg)
		}
	}
	return strings.Join(parts, " && ")
}

// shows SCRIPT|FILE.js...: all are true, soon.
func (s *script) shows(args []string) { browser.Wait(s.tab, s.tb, s.javascript(args)) }

// eval SCRIPT|FILE.js: stdout is the result of a script, as text.
func (s *script) eval(args []string) {
	text := browser.Eval[string](s.tab, s.tb, "String("+s.javascript(args)+")")
	_, _ = fmt.Fprintln(s.Stdout(), text)
}

// act SCRIPT|FILE.js: statements are done.
func (s *script) act(args []string) {
	browser.Eval[bool](s.tab, s.tb, "{ "+s.javascript(args)+"; return true }")
}

// accessible: nothing hinders people on the page.
func (s *script) accessible([]string) {
	for _, v := range browser.Violations(s.tab, s.tb) {
		s.Fatalf("%s", v)
	}
}

// frame: stdout is the address that the page's first frame shows.
func (s *script) frame([]string) {
	tree, err := chromedp.Run(s.tab, func(ctx context.Context, tab *chromedp.Target) (page.GetFrameTreeResult, error) {
		return cdp.Call(ctx, tab, page.GetFrameTree, cdp.Empty{})
	})
	if s.Check(err); len(tree.FrameTree.ChildFrames) == 0 {
		s.Fatalf("no frame")
	}
	frame := tree.FrameTree.ChildFrames[0].Frame
	_, _ = fmt.Fprintln(s.Stdout(), frame.UnreachableURL+frame.URL)
}

// picture NAME [PATH]: with LAUREL_PICTURES, a folder, the tab's picture is written there. A picture of docs is
// written with -update, and must have the width and the height of the tab; that of a path is the server's answer.
func (s *script) picture(args []string) {
	if len(args) > 1 {
		s.answered(filepath.Join(s.Getenv("ROOT"), args[0]), args[1])
		return
	}
	file, isDocs := filepath.Join(s.Getenv("ROOT"), args[0]), strings.HasPrefix(args[0], "docs/")
	if folder := os.Getenv("LAUREL_PICTURES"); !isDocs && folder != "" {
		file = filepath.Join(folder, args[0]+".png")
	}
	if isDocs && *harness.Update || !isDocs && os.Getenv("LAUREL_PICTURES") != "" {
		shown, err := chromedp.Run(s.tab, chromedp.CaptureScreenshot())
		s.Check(err)
		s.Check(os.WriteFile(file, shown, 0o644))
	}
	if !isDocs {
		return
	}
	content, err := os.ReadFile(file)
	s.Check(err)
	picture, err := png.DecodeConfig(bytes.NewReader(content))
	s.Check(err)
	size := browser.Eval[string](s.tab, s.tb, "`${innerWidth}x${innerHeight}`")
	large := len(content) > 80_000 && !*harness.Update
	if fmt.Sprintf("%dx%d", picture.Width, picture.Height) != size || large {
		s.Fatalf("%s is not as make pictures takes it, %s: %v, %d bytes", args[0], size, picture, len(content))
	}
}

// answered compares a picture of docs with the server's answer: it has the same size.
func (s *script) answered(file, path string) {
	a := s.ask(http.MethodGet, path, "")
	if *harness.Update {
		s.Check(os.WriteFile(file, []byte(a.Body), 0o644))
	}
	content, err := os.ReadFile(file)
	s.Check(err)
	before := func(text string) string { head, _, _ := strings.Cut(text, " role="); return head }
	if a.Status != http.StatusOK || before(string(content)) != before(a.Body) || len(content) > 20_000 {
		s.Fatalf("%s is not as -update takes it, %s: %d, %d bytes", file, before(a.Body), a.Status, len(content))
	}
}

// site FOLDER [POLICY]: a foreign site is at $SITE, with the folder's files, in which variables of the
// environment are replaced, and a Content-Security-Policy.
func (s *script) site(args []string) {
	folder := s.MkAbs(args[0])
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		if !strings.Contains(name, ".") {
			name = "index.html"
		}
		text, err := os.ReadFile(filepath.Join(folder, filepath.Base(name)))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		if len(args) > 1 {
			w.Header().Set("Content-Security-Policy", args[1])
		}
		kinds := map[string]string{".js": "text/javascript", ".html": "text/html; charset=utf-8"}
		w.Header().Set("Content-Type", kinds[filepath.Ext(name)])
		_, _ = w.Write([]byte(os.Expand(string(text), func(name string) string {
			if value := s.Getenv(name); value != "" {
				return value
			}
			return "$" + name
		})))
	}))
	s.tb.Cleanup(server.Close)
	s.Setenv("SITE", server.URL)
}

// proxy: $PROXY leads to the $URL of its last call.
func (s *script) proxy([]string) {
	if s.target == nil {
		s.target = new(atomic.Pointer[url.URL])
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			httputil.NewSingleHostReverseProxy(s.target.Load()).ServeHTTP(w, r)
		}))
		s.tb.Cleanup(server.Close)
		s.Setenv("PROXY", server.URL)
		return
	}
	address, err := url.Parse(s.Getenv("URL"))
	s.Check(err)
	s.target.Store(address)
}
