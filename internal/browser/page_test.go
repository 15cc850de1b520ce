package browser_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"laurel/internal/browser"
	"laurel/internal/harness"
	"laurel/internal/testserver"
)

// everything is a page with each element in it.
const everything = `<main><h1>Forum</h1><laurel-board windows="day month" user="u2" periods more></laurel-board>
	<laurel-board windows="day" layout="podium"></laurel-board><laurel-board windows="day" layout="compact"></laurel-board>
	<laurel-standing user="me"></laurel-standing><laurel-heatmap user="me" table></laurel-heatmap><laurel-hot></laurel-hot>
	<laurel-hide user="me" token-url="/token"></laurel-hide><laurel-winners></laurel-winners></main>`

// filled answers all its requests.
const filled = `whole(); laurel.won = Array.from({length: 13}, (_, i) =>
	({Period: "20" + (25 - i) + "-10", EndsAt: "2026-11-01T00:00:00Z", Entries: several(2)}))`

// allDrawn is true when everything is there.
const allDrawn = `document.querySelector("laurel-hot") && [...document.querySelectorAll("main > *")].slice(1).every(
	e => e.shadowRoot?.querySelector(".board > :not([name=error])"))`

// Nothing of everything hinders anybody, in light, dark and forced colors, after 30 receipts too.
func TestAxe(t *testing.T) {
	t.Parallel()
	for name, features := range map[string][]string{
		"light": {"prefers-color-scheme", "light"}, "dark": {"prefers-color-scheme", "dark"},
		"forced colors": {"forced-colors", "active"},
	} {
		style := `<style>:root{color-scheme:light dark}body{background:Canvas;color:CanvasText}</style>`
		tab := show(t, style+everything, browser.Media(features...), chromedp.EmulateViewport(1280, 4000),
			first("laurel", filled))
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
	board := day("activity", names()...)
	for _, width := range []int64{320, 1280, 375}[:testserver.Times(1, 3)] {
		for _, dir := range []string{"ltr", "rtl"} {
			tab := show(t, `<div dir="`+dir+`"><laurel-board windows="day month" user="u2"></laurel-board>`+
				`<laurel-board windows="day" layout="podium"></laurel-board></div>`, chromedp.EmulateViewport(width, 3000),
				first("laurel", answering(t, board)))
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

// The keyboard alone reaches every control, and keeps its place over a reload.
func TestKeyboard(t *testing.T) {
	t.Parallel()
	tab := show(t, everything, chromedp.EmulateViewport(900, 3000), first("laurel", filled))
	browser.Wait(tab, t, allDrawn)
	reached := map[string]bool{}
	for range 50 {
		for _, key := range []string{"\t", kb.ArrowRight} { // whose handler leaves everything except toolbars alone
			harness.OK(t, chromedp.Do(tab, chromedp.KeyEvent(key)))
			reached[browser.Eval[string](tab, t, `{ const at = document.activeElement, part = at.shadowRoot?.activeElement;
				return at.localName + " " + (part?.type === "checkbox" ? "switch" : part?.textContent) }`)] = true
		}
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

// Frameworks set a property in place of an attribute where an element has both, so no attribute has a
// property's name.
func TestNoAttributeIsAProperty(t *testing.T) {
	t.Parallel()
	manifest := harness.Must(os.ReadFile("../../web/embed/custom-elements.json"))(t)
	tab := show(t, "", first("laurel"))
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

// shifts makes a page sum up how much of it moves by itself.
const shifts = `window.shift = 0; new PerformanceObserver((list) => list.getEntries().forEach(
	(e) => { if (!e.hadRecentInput) window.shift += e.value;
		(window.log ??= []).push(e.value.toFixed(3) + e.sources.map((s) => " " + s.node?.nodeName + s.currentRect.y)) })
	).observe({type: "layout-shift", buffered: true});`

// rooms is a script that returns the style by which a page keeps room for its elements before they are defined,
// as the snippets of /embed have it.
const rooms = `[...document.querySelectorAll("[id]")].map(
	(e) => "#" + e.id + ":not(:defined){display:block;min-height:" + e.room + "}").join("")`

// Nothing moves as elements fill, on a large screen, in a sidebar and on a phone.
func TestLayoutStaysPut(t *testing.T) {
	t.Parallel()
	article := strings.Repeat(`<p>What people say, in words of their own, about this and that and whatever comes.</p>`, 12)
	pages := map[string]struct {
		width int64
		html  string
	}{
		"desktop": {1200, `<laurel-standing id="a" user="u20"></laurel-standing>
			<laurel-board id="b" windows="day month" user="u20" more></laurel-board>` + article},
		"sidebar": {900, `<div style="display:grid;grid-template-columns:1fr 200px"><div>` + article + `</div><div>
			<laurel-board id="a" windows="day" layout="compact" limit="5"></laurel-board>
			<laurel-board id="b" windows="day" layout="podium" limit="3"></laurel-board>
			<laurel-heatmap id="c" user="me"></laurel-heatmap><p>Text</p></div></div>`},
		"phone": {375, `<laurel-board id="a" windows="day" limit="5"></laurel-board>
			<laurel-hot id="b" limit="2"></laurel-hot>` + article},
	}
	for name, p := range pages {
		for _, people := range []int64{10, 11}[:testserver.Times(1, 2)] {
			answers, size := first("laurel", fmt.Sprintf("whole(%d)", people)), chromedp.EmulateViewport(p.width, 800)
			tab := show(t, p.html, size, answers)
			browser.Wait(tab, t, drawn)
			style := browser.Eval[string](tab, t, rooms)
			tab = show(t, `<style>`+style+`</style>`+p.html, first(shifts), size, answers)
			browser.Wait(tab, t, drawn)
			browser.Eval[bool](tab, t, `{ await new Promise((done) => setTimeout(done, 600)); return true }`)
			shift := browser.Eval[float64](tab, t, `window.shift`)
			if t.Logf("%s, %d people: %.3f", name, people, shift); shift > .05 {
				t.Errorf("%s, %d people: the page shifts by %.3f: %s", name, people, shift,
					browser.Eval[[]string](tab, t, `window.log`))
			}
		}
	}
}

// A member's own act is on the page within 300 ms of the answer, if the machine does nothing else, and is sent at
// once.
func TestOwnActionShows(t *testing.T) {
	t.Parallel()
	tab := show(t, `<laurel-board windows="day" user="u5"></laurel-board>`, first("laurel", "whole()"))
	browser.Wait(tab, t, drawn)
	got := browser.Eval[[]float64](tab, t, `{ const { report } = await import("/embed/laurel.js");
		const begun = performance.now();
		let answered; document.addEventListener("laurel-receipts", () => { answered = performance.now() });
		report([{action: "like", target: "1"}], {token: "a.b.c"});
		while (`+root+`.querySelector(".mine .score").textContent !== "99") await new Promise(requestAnimationFrame);
		return [answered - begun, performance.now() - answered] }`)
	t.Logf("answered after %.0f ms, shown %.0f ms later", got[0], got[1])
	if got[0] > float64(testserver.Times(10_000, 1_500)) || got[1] > float64(testserver.Times(10_000, 300)) {
		t.Errorf("answered after %.0f ms, shown %.0f ms later", got[0], got[1])
	}
}

// Elements are read at once on each day: a browser takes the ms of a timer modulo 2 to the 32nd, which is 50 days.
func TestElementsAreReadOnEachDay(t *testing.T) {
	t.Parallel()
	for days := 0; days < 50; days += 12 {
		later := fmt.Sprintf("{ const now = Date.now; Date.now = () => now() + %d * 864e5; }", days)
		browser.Wait(show(t, `<laurel-board windows="day"></laurel-board>`, first("laurel", "whole()", later)), t, drawn)
	}
}
