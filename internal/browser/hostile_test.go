package browser_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"laurel/internal/browser"
	"laurel/internal/harness"
	"laurel/shared/api/embed"
	"laurel/shared/api/httpapi"
	"laurel/shared/core/board"
)

// Behind a proxy that serves Laurel under a path, and removes the path, elements read boards of several pages and
// load their parts, and a frame has its script and renews itself. No request is outside the path.
func TestUnderAPath(t *testing.T) {
	t.Parallel()
	f := harness.NewForum(t, harness.Setup{Now: time.Now(), Clock: time.Now})
	for i := range 120 {
		f.Record(harness.Did(t, fmt.Sprintf("u%d visit 1", i), board.MomentOf(time.Now())))
	}
	const path = "/a/forum/laurel"
	api := http.StripPrefix(path, httpapi.New(f.Requests(), httpapi.Query))
	body := func(host string) string {
		src := "http://" + host + path
		return strings.ReplaceAll(html(`<laurel-winners src="`+src+`"></laurel-winners><laurel-hot src="`+src+`"></laurel-hot>
			<laurel-board src="`+src+`" windows="day month" limit="100" more periods></laurel-board>`),
			`"/embed/laurel.js"`, `"`+src+`/embed/laurel.js"`)
	}
	f.ServeBy(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, body(r.Host))
		case strings.HasPrefix(r.URL.Path, path+"/"):
			api.ServeHTTP(w, r)
		case r.URL.Path != "/favicon.ico":
			t.Errorf("%s is asked for beside the path", r.URL.Path)
		}
	}))
	tab := chromium.Open(t, f.URL, chromedp.EmulateViewport(900, 9000))
	browser.Wait(tab, t, root+`.querySelectorAll("tbody tr").length === 100`)
	browser.Eval[bool](tab, t, `{ [...`+root+`.querySelectorAll("button")]
		.find((b) => b.textContent === "Show more").click();
		return true }`)
	browser.Wait(tab, t, root+`.querySelectorAll("tbody tr").length > 100`)
	browser.Wait(tab, t, `["winners", "hot"].every((e) =>
		document.querySelector("laurel-" + e).shadowRoot.querySelector(".board"))`)
	frame := chromium.Open(t, f.URL+path+"/embed/activity/day")
	browser.Wait(frame, t, `[...document.querySelectorAll("*")].some((e) =>
		e.shadowRoot?.querySelectorAll("tbody tr").length > 9)`)
	files := browser.Eval[[]string](frame, t, `[...document.querySelectorAll("[src], link[href]")]
		.map((e) => e.src || e.href)`)
	beside := func(file string) bool { return !strings.HasPrefix(file, f.URL+path+"/embed/") }
	if slices.ContainsFunc(files, beside) {
		t.Error(files)
	}
}

// picture returns the picture of a part of a tab.
func picture(tab context.Context, t *testing.T, part page.Viewport) (png []byte) {
	t.Helper()
	harness.OK(t, chromedp.Do(tab, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		shot, err := cdp.Call(ctx, target, page.CaptureScreenshot, page.CaptureScreenshotParams{Clip: &part})
		png = shot.Data
		return err
	})))
	return png
}

// Marks that are stacked on each other stay in the row of their name, in elements, frames and pictures.
func TestStackedMarksStayInTheirRow(t *testing.T) {
	t.Parallel()
	boards := map[string]embed.Board{}
	for name, marks := range map[string]string{"plain": "", "stacked": strings.Repeat("\u0301\u0323\u20dd", 40)} {
		boards[name] = day("activity", entry(1, 9, "Ann"), entry(2, 8, "Zoe"+marks), entry(3, 7, "Bob"))
	}
	for kind, show := range map[string]func(b embed.Board) (html, script string){
		"element": func(b embed.Board) (string, string) {
			return html(`<laurel-board windows="day"></laurel-board>`), answering(t, b)
		},
		"frame": func(b embed.Board) (string, string) {
			var text strings.Builder
			harness.OK(t, embed.Page(&text, b, embed.Options{Lang: "en"}))
			return text.String(), ""
		},
		"picture": func(b embed.Board) (string, string) {
			var text strings.Builder
			harness.OK(t, embed.SVG(&text, b, embed.Options{Lang: "en"}))
			return `<!doctype html><body>` + text.String(), ""
		},
	} {
		var seen [][]byte
		for _, name := range []string{"plain", "stacked"} {
			text, script := show(boards[name])
			tab := chromium.Open(t, serve(t, func(w io.Writer) { _, _ = io.WriteString(w, text) }),
				chromedp.EmulateViewport(500, 400), first("laurel", script))
			rows := `document.querySelectorAll("svg svg, tbody tr")`
			if kind == "element" {
				browser.Wait(tab, t, drawn)
				rows = root + `.querySelectorAll("tbody tr")`
			}
			for _, i := range []int{0, 2} { // before and after it
				box := browser.Eval[[]float64](tab, t, fmt.Sprintf(`{ const r = %s[%d].getBoundingClientRect();
					return [r.x, r.y, r.width, r.height] }`, rows, i))
				seen = append(seen, picture(tab, t, page.Viewport{X: box[0], Y: box[1], Width: box[2], Height: box[3], Scale: 1}))
			}
		}
		for i := range 2 {
			if !bytes.Equal(seen[i], seen[i+2]) {
				t.Errorf("%s: marks reach into row %d", kind, 1+2*i)
			}
		}
	}
}

// Elements work on a page that has put words and functions into the prototypes of objects, lists and texts: they send
// no other requests, and show the same.
func TestOnAPageThatExtendsPrototypes(t *testing.T) {
	t.Parallel()
	const extend = `for (const kind of [Object, Array, String, Function]) {
		kind.prototype.extra = "x"; kind.prototype.each = kind.prototype.clone = function () { return this }; }`
	tab := show(t, everything, chromedp.EmulateViewport(900, 3000), first("laurel", filled, extend))
	browser.Wait(tab, t, allDrawn)
	asked := browser.Eval[[]string](tab, t, `laurel.asked.map((a) => a.what).filter((a) => /extra|clone|each/.test(a))`)
	if len(asked) > 0 {
		t.Error(asked)
	}
	if n := browser.Eval[int](tab, t, root+`.querySelectorAll("tbody tr").length`); n < 9 {
		t.Errorf("%d rows", n)
	}
}
