package browser_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	gocmp "github.com/google/go-cmp/cmp"

	"laurel/internal/browser"
	"laurel/shared/embed"
)

// answers are boards of all kinds: 10, in 3 languages.
func answers() (all []embed.Board) {
	past := day("past")
	past.Total = 40
	final := day("final", several(4)...)
	final.AsOf = final.EndsAt.AddDate(0, 0, 9)
	own := day("own", several(3)...)
	own.Total, own.Standing = 90, &embed.Standing{Rank: 9, Score: 7, ToNext: 2}
	own.Near = []embed.Entry{entry(8, 8, "Above"), entry(9, 7, "Myself"), entry(10, 6, "Below")}
	own.Near[1].ID = "me"
	tie := []embed.Entry{entry(1, 5, "Ann"), entry(2, 5, "Bob"), entry(3, 5, "Cid")}
	erased := []embed.Entry{{Rank: 1, Score: 3}, entry(2, 1, "Bob")}
	all = []embed.Board{
		day("empty"), past, final, own, day("ties", tie...), day("erased", erased...), day("one", entry(1, 1_234_567, "One")),
		day("names", entry(1, 5, strings.Repeat("W", 100)), entry(2, 4, "<script>alert(1)</script>"), entry(3, 3, "🙂🙂"), entry(4, 2, "")),
		day("rtl", entry(1, 5, "محمد علي"), entry(2, 4, "ليلى")), day("ten", several(10)...),
	}
	for i := range all {
		if all[i].Standing == nil {
			all[i].Standing = &embed.Standing{} // not on the board
		}
	}
	return all
}

// The module and the renderers in Go say the same, whatever there is to say, in each language.
func TestBothRenderersSayTheSame(t *testing.T) {
	t.Parallel()
	boards := answers()
	f := serve(t, boards...)
	var elements, fragments strings.Builder
	for _, lang := range []string{"en", "zh", "vi"} {
		for _, b := range boards {
			fmt.Fprintf(&elements, `<laurel-board board="%s" windows="day" user="me" lang="%s"></laurel-board>`, b.Name, lang)
			if err := embed.Fragment(&fragments, b, embed.Options{Lang: lang, Limit: 10, User: "me"}); err != nil {
				t.Fatal(err)
			}
		}
	}
	tall := chromedp.EmulateViewport(900, 30_000)
	byModule := f.open(elements.String(), tall)
	browser.Wait(byModule, t, `[...document.querySelectorAll("laurel-board")].every(b => b.shadowRoot.querySelector("h2"))`)
	browser.Wait(byModule, t, `[...document.querySelectorAll("[board=own]")].every(b => b.shadowRoot.textContent.includes("Below"))`)
	browser.Wait(byModule, t, `document.querySelector("[lang=vi]").shadowRoot.querySelector("h2").textContent.includes("Hoạt động")`)
	byGo := f.open(fragments.String(), tall, browser.Command(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}))
	if diff := gocmp.Diff(spoken(byGo, t), spoken(byModule, t)); diff != "" {
		t.Errorf("Go and the module say different things (-Go +module):\n%s", diff)
	}
}

// everything is a page with each element in it.
const everything = `<main><h1>Forum</h1><laurel-board windows="day month" user="u2" periods more></laurel-board>
	<laurel-board windows="day" layout="podium"></laurel-board><laurel-board windows="day" layout="compact"></laurel-board>
	<laurel-standing user="me"></laurel-standing><laurel-heatmap user="me" table></laurel-heatmap><laurel-hot></laurel-hot>
	<laurel-hide user="me"></laurel-hide></main>`

// whole returns a forum for everything.
func whole(t *testing.T) *forum {
	t.Helper()
	b := day("activity", several(10)...)
	b.Total, b.Near, b.Standing = 30, []embed.Entry{entry(20, 2, "Me")}, &embed.Standing{Rank: 20, Score: 2, ToNext: 3}
	return serve(t, b)
}

// allDrawn is true when everything is there.
const allDrawn = `document.querySelector("laurel-hide, laurel-hot") && [...document.querySelectorAll("main > *")].slice(1).every(
	e => e.localName === "laurel-hide" || e.shadowRoot.querySelector(".board"))`

// Nothing of everything hinders anybody, in light, dark and forced colors, after 30 receipts too.
func TestAxe(t *testing.T) {
	t.Parallel()
	f := whole(t)
	for name, features := range map[string][]string{
		"light": {"prefers-color-scheme", "light"}, "dark": {"prefers-color-scheme", "dark"}, "forced colors": {"forced-colors", "active"},
	} {
		style := `<style>:root{color-scheme:light dark}body{background:Canvas;color:CanvasText}</style>`
		tab := f.open(style+everything, browser.Media(features...), chromedp.EmulateViewport(1280, 4000))
		browser.Wait(tab, t, allDrawn)
		browser.Eval[bool](tab, t, `{ const { report } = await import("/embed/laurel.js"); report({action: "like", target: "1"}, {token: "a.b.c"});
			await new Promise(done => document.addEventListener("laurel-receipts", done)); return true }`)
		for _, v := range browser.Violations(tab, t) {
			t.Errorf("%s: %s", name, v)
		}
	}
}

// No page is wider than its screen, in either direction, at any size.
func TestNoSidewaysScroll(t *testing.T) {
	t.Parallel()
	boards := answers()
	f := serve(t, append(boards, day("activity", boards[7].Entries...))...)
	for _, width := range []int64{320, 375, 1280} {
		for _, dir := range []string{"ltr", "rtl"} {
			tab := f.open(`<div dir="`+dir+`"><laurel-board windows="day month" user="u2"></laurel-board><laurel-board windows="day" layout="podium"></laurel-board></div>`,
				chromedp.EmulateViewport(width, 3000))
			browser.Wait(tab, t, drawn)
			if browser.Eval[bool](tab, t, `document.documentElement.scrollWidth > innerWidth`) {
				t.Errorf("%d px, %s: the page scrolls sideways", width, dir)
			}
			if !browser.Eval[bool](tab, t, `{ const rows = [...document.querySelector("laurel-board").shadowRoot.querySelectorAll("tbody tr")].map(r => r.offsetHeight);
				return Math.max(...rows) - Math.min(...rows) < 3 && !window.hacked }`) {
				t.Errorf("%d px, %s: a name makes its row higher", width, dir)
			}
		}
	}
}

// The keyboard alone reaches every control, and keeps its place over a reload.
func TestKeyboard(t *testing.T) {
	t.Parallel()
	f := whole(t)
	tab := f.open(`<laurel-board windows="day month" periods more></laurel-board>`)
	browser.Wait(tab, t, drawn)
	browser.Wait(tab, t, `document.querySelector("laurel-board").shadowRoot.querySelectorAll("button").length === 5`)
	reached := map[string]bool{}
	for range 20 {
		if err := chromedp.Do(tab, chromedp.KeyEvent("\t")); err != nil {
			t.Fatal(err)
		}
		reached[browser.Eval[string](tab, t, `document.activeElement.shadowRoot?.activeElement?.textContent ?? ""`)] = true
	}
	for _, control := range []string{"Today", "This month", "User 1", "User 10", "Earlier", "Show more"} {
		if !reached[control] {
			t.Errorf("Tab does not reach %s: %v", control, reached)
		}
	}
	kept := browser.Eval[bool](tab, t, `{ const e = document.querySelector("laurel-board"), a = e.shadowRoot.querySelectorAll("a")[4]; a.focus();
		e.reload(); await new Promise(done => e.addEventListener("laurel-load", done)); await new Promise(done => setTimeout(done, 50));
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
		"404": {status(http.StatusNotFound, "0"), "Not available."}, "401": {status(http.StatusUnauthorized, "0"), "Not available."},
		"429": {status(http.StatusTooManyRequests, "500"), "Not reachable."}, "503": {status(http.StatusServiceUnavailable, "500"), "Not reachable."},
		"cut off": {func(w http.ResponseWriter, _ *http.Request) bool { _, _ = w.Write([]byte(`{"entries":[`)); return true }, "Not reachable."},
		"offline": {func(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) }, "Not reachable."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := whole(t)
			f.fail = c.fail
			tab := f.open(`<laurel-board windows="day"></laurel-board>`, timeless())
			browser.Eval[bool](tab, t, `{ for (let i = 0; i < 20; i++) { await tick(0); await calm() } return true }`)
			browser.Wait(tab, t, text+`.includes("`+c.want+`")`)
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

// Three boards that are alike share a request; those that nobody sees have none for 3 minutes;
// a day that ends is followed by the next.
func TestPolite(t *testing.T) {
	t.Parallel()
	f := whole(t)
	tab := f.open(strings.Repeat(`<laurel-board windows="day" limit="3"></laurel-board>`, 3), timeless(), chromedp.EmulateViewport(900, 3000))
	browser.Eval[bool](tab, t, `{ for (let i = 0; i < 20; i++) { await tick(0); await calm() } return true }`)
	browser.Wait(tab, t, drawn)
	if n := f.requests("/boards/activity/day"); n != 1 {
		t.Errorf("%d requests for three boards that are alike", n)
	}
	hide := `Object.defineProperty(document, "hidden", {value: %t, configurable: true}); document.dispatchEvent(new Event("visibilitychange"))`
	browser.Eval[bool](tab, t, `{ `+fmt.Sprintf(hide, true)+`; await calm(); await tick(180e3); await calm(); return true }`)
	if n := f.requests("/boards/activity/day"); n != 1 {
		t.Errorf("%d requests while the page is hidden", n-1)
	}
	browser.Eval[bool](tab, t, `{ `+fmt.Sprintf(hide, false)+`; await calm(); await tick(1e3); await calm(); return true }`)
	browser.Wait(tab, t, `true`)
	if n := f.requests("/boards/activity/day"); n != 2 {
		t.Errorf("%d requests when the page is seen again", n-1)
	}
	browser.Eval[bool](tab, t, `{ for (const e of document.querySelectorAll("laurel-board")) e.setAttribute("refresh", "off"); await calm(); await tick(70e3); await calm(); return true }`)
	before := f.requests("/boards/activity/day")
	browser.Eval[bool](tab, t, `{ await tick(11 * 3600e3); await calm(); return true }`)
	if n := f.requests("/boards/activity/day"); n != before {
		t.Errorf("%d requests with refresh=off", n-before)
	}
	browser.Eval[bool](tab, t, `{ await tick(3600e3 + 6e3); await calm(); return true }`)
	if n := f.requests("/boards/activity/day"); n == before {
		t.Error("the day does not turn over")
	}
}

// A page with a strict policy, and one whose style resets everything, have the same board.
func TestPagesOfOthers(t *testing.T) {
	t.Parallel()
	f := whole(t)
	f.policy = "default-src 'self'"
	tab := f.open(`<laurel-board windows="day"></laurel-board>`)
	browser.Wait(tab, t, drawn)
	height := `document.querySelector("laurel-board").shadowRoot.querySelector("tbody tr").offsetHeight`
	plain := browser.Eval[int](tab, t, height)
	f.policy = ""
	reset := f.open(`<style>*{all:unset!important;display:inline!important;text-transform:uppercase}</style><laurel-board windows="day"></laurel-board>`)
	browser.Wait(reset, t, drawn)
	got := browser.Eval[int](reset, t, height)
	transformed := browser.Eval[string](reset, t, `getComputedStyle(document.querySelector("laurel-board").shadowRoot.querySelector("td")).textTransform`)
	if got < plain-6 || got > plain+6 || transformed != "none" {
		t.Errorf("rows of %d px in place of %d, %s", got, plain, transformed)
	}
}
