package browser_test

import (
	"fmt"
	"net/http"
	"os"
	"testing"

	"github.com/chromedp/chromedp"

	"laurel/internal/browser"
	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/embed"
)

// everything is a page with each element in it.
const everything = `<main><h1>Forum</h1><laurel-board windows="day month" user="u2" periods more></laurel-board>
	<laurel-board windows="day" layout="podium"></laurel-board><laurel-board windows="day" layout="compact"></laurel-board>
	<laurel-standing user="me"></laurel-standing><laurel-heatmap user="me" table></laurel-heatmap><laurel-hot></laurel-hot>
	<laurel-hide user="me" token-url="/token"></laurel-hide></main>`

// whole returns a forum for everything.
func whole(t *testing.T) *forum {
	t.Helper()
	b := day("activity", several(10)...)
	b.Total, b.Near, b.Standing = 30, []embed.Entry{entry(20, 2, "Me")}, &embed.Standing{Rank: 20, Score: 2, ToNext: 3}
	f := serve(t, b)
	f.token = "a.b.c"
	return f
}

// allDrawn is true when everything is there.
const allDrawn = `document.querySelector("laurel-hot") && [...document.querySelectorAll("main > *")].slice(1).every(
	e => e.shadowRoot?.querySelector(".board > :not([name=error])"))`

// Nothing of everything hinders anybody, in light, dark and forced colors, after 30 receipts too.
func TestAxe(t *testing.T) {
	t.Parallel()
	f := whole(t)
	for name, features := range map[string][]string{
		"light": {"prefers-color-scheme", "light"}, "dark": {"prefers-color-scheme", "dark"},
		"forced colors": {"forced-colors", "active"},
	} {
		style := `<style>:root{color-scheme:light dark}body{background:Canvas;color:CanvasText}</style>`
		tab := f.open(style+everything, browser.Media(features...), chromedp.EmulateViewport(1280, 4000))
		browser.Wait(tab, t, allDrawn)
		browser.Eval[bool](tab, t, `{ const { report } = await import("/embed/laurel.js");
			report({action: "like", target: "1"}, {token: "a.b.c"});
			await new Promise(done => document.addEventListener("laurel-receipts", done)); return true }`)
		for _, v := range browser.Violations(tab, t) {
			t.Errorf("%s: %s", name, v)
		}
	}
}

// No page is wider than its screen, in either direction, at any size.
func TestNoSidewaysScroll(t *testing.T) {
	t.Parallel()
	f := serve(t, day("activity", names()...))
	for _, width := range []int64{320, 1280, 375}[:testserver.Times(1, 3)] {
		for _, dir := range []string{"ltr", "rtl"} {
			tab := f.open(`<div dir="`+dir+`"><laurel-board windows="day month" user="u2"></laurel-board>`+
				`<laurel-board windows="day" layout="podium"></laurel-board></div>`, chromedp.EmulateViewport(width, 3000))
			browser.Wait(tab, t, drawn)
			if browser.Eval[bool](tab, t, `document.documentElement.scrollWidth > innerWidth`) {
				t.Errorf("%d px, %s: the page scrolls sideways", width, dir)
			}
			if !browser.Eval[bool](tab, t, `{ const rows = [...`+root+`.querySelectorAll("tbody tr")].map(r => r.offsetHeight);
				return Math.max(...rows) - Math.min(...rows) < 3 && !window.hacked }`) {
				t.Errorf("%d px, %s: a name makes its row higher", width, dir)
			}
		}
	}
}

// A board has its name from the start, also when its rows arrive before it does.
func TestHeadingStays(t *testing.T) {
	t.Parallel()
	f := whole(t)
	f.gate = make(chan struct{})
	tab := f.open(`<laurel-board windows="day"></laurel-board>`)
	browser.Wait(tab, t, `(await new Promise(done => {
		const e = document.querySelector("laurel-board"), loaded = (l) => done(l.detail.answer.entries.length);
		e.reload ? e.addEventListener("laurel-load", loaded, {once: true}) : done(0); e.reload?.(); })) > 0`)
	early := browser.Eval[string](tab, t, `{ await new Promise(requestAnimationFrame); return `+text+` }`)
	close(f.gate)
	browser.Wait(tab, t, drawn)
	if early != "" || browser.Eval[string](tab, t, root+`.querySelector("h2").textContent`) != "ActivityToday" {
		t.Errorf("the board says %q before its name is known", early)
	}
}

// The keyboard alone reaches every control, and keeps its place over a reload.
func TestKeyboard(t *testing.T) {
	t.Parallel()
	f := whole(t)
	tab := f.open(everything, tall)
	browser.Wait(tab, t, allDrawn)
	reached := map[string]bool{}
	for range 50 {
		harness.OK(t, chromedp.Do(tab, chromedp.KeyEvent("\t")))
		reached[browser.Eval[string](tab, t, `{ const at = document.activeElement, part = at.shadowRoot?.activeElement;
			return at.localName + " " + (part?.type === "checkbox" ? "switch" : part?.textContent) }`)] = true
	}
	for _, control := range []string{
		"board Today", "board This month", "board User 1", "board User 10", "board Earlier", "board Show more",
		"hot A title", "hide switch",
	} {
		if !reached["laurel-"+control] {
			t.Errorf("Tab does not reach %s: %v", control, reached)
		}
	}
	press := func(focus, key, then string) {
		browser.Eval[bool](tab, t, `{ `+focus+`.focus(); return true }`)
		harness.OK(t, chromedp.Do(tab, chromedp.KeyEvent(key)))
		browser.Wait(tab, t, then)
	}
	const box = `document.querySelector("laurel-hide").shadowRoot.querySelector("input")`
	press(root+`.querySelectorAll("button")[1]`, "\r", root+`.host.getAttribute("window") === "month"`)
	press(box, " ", box+`.checked === false`)
	browser.Wait(tab, t, root+`.querySelector("tbody tr")`+` !== null`)
	kept := browser.Eval[bool](tab, t, `{ const e = `+root+`.host, a = e.shadowRoot.querySelectorAll("a")[4]; a.focus();
		e.reload(); await new Promise(done => e.addEventListener("laurel-load", done));
		await new Promise(done => setTimeout(done, 50));
		return e.shadowRoot.activeElement === a }`)
	if !kept {
		t.Error("the focus is lost when the board is read again")
	}
}

// A picture that fails gives way to the first letter.
func TestBrokenAvatar(t *testing.T) {
	t.Parallel()
	e := entry(1, 5, "zoe")
	f := serve(t)
	e.Avatar = f.url + "/none.png"
	f.boards["activity"] = day("activity", e)
	tab := f.open(`<laurel-board windows="day"></laurel-board>`)
	browser.Wait(tab, t, text+`.includes("Zzoe")`)
}

// What goes wrong is said, and tried again no sooner than it may be.
func TestErrors(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fail func(w http.ResponseWriter, r *http.Request) bool
		want string
	}{
		"404": {status(http.StatusNotFound, "0"), "Not available."},
		"429": {status(http.StatusTooManyRequests, "500"), "Not reachable."},
		"cut off": {func(w http.ResponseWriter, _ *http.Request) bool {
			_, _ = w.Write([]byte(`{"entries":[`))
			return true
		}, "Not reachable."},
		"offline": {func(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) }, "Not reachable."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := whole(t)
			f.fail = c.fail
			tab := f.open(`<laurel-board windows="day"></laurel-board>`, timeless())
			browser.Wait(tab, t, `await until(() => `+text+`.includes("`+c.want+`"))`)
			asked := f.requests("/boards/activity/day")
			browser.Eval[bool](tab, t, `{ await tick(50e3); await calm(); return true }`)
			if n := f.requests("/boards/activity/day"); n != asked {
				t.Errorf("%d requests within 50 seconds after %d", n, asked)
			}
			f.set(func() { f.fail = nil })
			browser.Eval[bool](tab, t, `{ await tick(600e3); await calm(); return true }`)
			browser.Wait(tab, t, drawn)
		})
	}
}

func status(status int, after string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Access-Control-Expose-Headers", "retry-after")
		w.Header().Set("Retry-After", after)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(`{"status":` + fmt.Sprint(status) + `}`))
		return true
	}
}

// Frameworks set a property in place of an attribute where an element has both, so no attribute has a
// property's name.
func TestNoAttributeIsAProperty(t *testing.T) {
	t.Parallel()
	manifest := harness.Must(os.ReadFile("../../web/embed/custom-elements.json"))(t)
	tab := whole(t).open(`<laurel-board></laurel-board>`)
	browser.Wait(tab, t, `!!customElements.get("laurel-hide")`)
	both := browser.Eval[[]string](tab, t, `(`+string(manifest)+`).modules.flatMap(m => m.declarations).flatMap(d => {
		if (!d.tagName) return [];
		const e = document.createElement(d.tagName);
		return d.attributes.filter(a => a.name in e && !(a.name in HTMLElement.prototype)).map(a => d.tagName + " " + a.name);
	})`)
	if len(both) > 0 {
		t.Error(both)
	}
}
