package browser_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	gocmp "github.com/google/go-cmp/cmp"

	"laurel/internal/browser"
	"laurel/internal/harness"
	"laurel/shared/api/embed"
	"laurel/shared/core/board"
)

// A frame without scripts of others shows changes without loading itself again, and does not disturb a reader.
func TestFrameIsRead(t *testing.T) {
	t.Parallel()
	var name atomic.Value
	name.Store("Ann")
	address := serve(t, func(w io.Writer) {
		e := entry(1, 5, name.Load().(string))
		if e.Name == "Bob" {
			e.Firsts = 3 // a class without a style in the page before
		}
		_ = embed.Page(w, day("activity", e), embed.Options{Lang: "en"})
	})
	const timers = `window.setInterval = (f, ms) => { window.every = [f, ms] }`
	tab := chromium.Open(t, address+"/embed/activity/day.html", first(timers))
	browser.Wait(tab, t, `document.body.textContent.includes("Ann") && window.every?.[1] === 300000`)
	name.Store("Bob")
	browser.Eval[bool](tab, t, `{ getSelection().selectAllChildren(document.querySelector("main"));
		await every[0](); return true }`)
	if !browser.Eval[bool](tab, t, `document.body.textContent.includes("Ann")`) {
		t.Error("the text is replaced under a reader's selection")
	}
	browser.Eval[bool](tab, t, `{ getSelection().removeAllRanges(); await every[0](); return true }`)
	browser.Wait(tab, t, `document.body.textContent.includes("Bob") &&
		performance.getEntriesByType("navigation").length === 1`)
	if browser.Eval[bool](tab, t, `document.querySelector(".wreath .status").offsetWidth > 1`) {
		t.Error("a new class has no style")
	}
	if browser.Eval[bool](tab, t, `!!document.querySelector("meta[http-equiv=refresh]")`) {
		t.Error("the frame loads itself again")
	}
}

// Winners have the same texts on a page without scripts as in the element, in each kind of window.
func TestWinnersByBothRenderers(t *testing.T) {
	t.Parallel()
	for _, window := range []board.Window{board.Month, board.Quarter} {
		t.Run(window.String(), func(t *testing.T) {
			t.Parallel()
			winnersByBothRenderers(t, board.PeriodOf(window, board.DateOf(2026, time.November, 20)))
		})
	}
}

// startOf is the start of a period in UTC.
func startOf(p board.Period) time.Time {
	year, month, day := p.First().Civil()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

func winnersByBothRenderers(t *testing.T, p board.Period) {
	t.Helper()
	b, window := day("activity"), p.Window().String()
	b.Window, b.Period, b.EndsAt = window, p.String(), startOf(p.Next())
	for i := range 3 {
		p = p.Prev()
		ended := over(window, startOf(p), startOf(p.Next()), several(3)...)
		ended.Period, ended.Entries[0].Firsts, ended.Entries[1].Firsts = p.String(), int64(i)+1, 12
		ended.Entries[2].ID, ended.Entries[2].Name, ended.Entries[2].Link = "", "", ""
		b.Won = append(b.Won, ended)
	}
	page := chromium.Open(t, serve(t, func(w io.Writer) {
		_ = embed.WinnersPage(w, b, embed.Options{Lang: "vi"})
	}))
	want := spoken(page, t)
	won := harness.Must(json.Marshal(b.Won))(t) //nolint:musttag // with the names of Go
	tab := show(t, `<laurel-winners lang="vi" window="`+window+`"></laurel-winners>`, chromedp.EmulateViewport(900, 3000),
		first("laurel", answering(t, b), "laurel.won = "+string(won)))
	browser.Wait(tab, t, `document.querySelector("laurel-winners").shadowRoot?.querySelectorAll(".winner").length === 9`)
	got := spoken(tab, t)
	slices.Sort(want) // sections are listed in another order
	slices.Sort(got)
	if diff := gocmp.Diff(want, got); diff != "" || len(want) < 30 {
		t.Errorf("(-page +element):\n%s", diff)
	}
	for _, v := range browser.Violations(page, t) {
		t.Error(v)
	}
}

// A race moves for five seconds and once, its lines end where its people do, and all of them stand still for readers
// who prefer that, or if the address asks for it.
func TestRace(t *testing.T) {
	t.Parallel()
	b := over("month", now.AddDate(0, 0, -19), now.AddDate(0, 0, 11), several(4)...)
	b.Entries[0].Days = []int64{1, 2, 100}
	b.Entries[1].Days = []int64{0, 9, 99}
	b.Entries[2].Days = []int64{0, 0, 98}
	b.Entries[3].Days = []int64{3, 3, 97}
	var still atomic.Bool
	address := serve(t, func(w io.Writer) { // as a page, in which scripts can look at it
		_, _ = io.WriteString(w, "<!doctype html><style>body{margin:0}svg{display:block}</style>")
		_ = embed.Race(w, b, embed.Options{Lang: "en", Still: still.Load()})
	})
	const moving = `document.getAnimations().filter((a) => a.playState === "running").length`
	// circles are the positions of the heads, and of the ends of the lines.
	const circles = `[...document.querySelectorAll(".h circle")].map((c) => {
		const { x, y, width, height } = c.getBoundingClientRect();
		return [x + width / 2, y + height / 2].map(Math.round).join() }).join(" ")`
	const ends = `[...document.querySelectorAll(".n")].map((l) => {
		const { x, y } = l.getPointAtLength(l.getTotalLength());
		return [x, y].map(Math.round).join() }).join(" ")`
	show := func(motion string) context.Context {
		return chromium.Open(t, address, browser.Media("prefers-reduced-motion", motion))
	}
	tab := show("no-preference")
	if n := browser.Eval[int](tab, t, moving); n < 9 {
		t.Errorf("%d things move", n)
	}
	browser.Eval[bool](tab, t, `{ document.getAnimations().forEach((a) => { a.pause(); a.currentTime = 2500 });
		return true }`)
	order := browser.Eval[string](tab, t, `[...document.querySelectorAll(".k")].map((k) => getComputedStyle(k).opacity +
		" " + new DOMMatrix(getComputedStyle(k).transform).f).join()`)
	if order != "1 133,1 65,0 133,1 99" { // after the second day: the 2nd, the 4th and the 1st; the 3rd has nothing
		t.Error(order)
	}
	browser.Eval[bool](tab, t, `{ document.getAnimations().forEach((a) => a.finish()); return true }`)
	finish := browser.Eval[string](tab, t, circles)
	if end := browser.Eval[string](tab, t, ends); finish != end {
		t.Errorf("people end at %s, lines at %s", finish, end)
	}
	for asked, motion := range map[bool]string{false: "reduce", true: "no-preference"} {
		still.Store(asked)
		tab := show(motion)
		if n, where := browser.Eval[int](tab, t, moving), browser.Eval[string](tab, t, circles); n > 0 || where != finish {
			t.Errorf("still %t: %d things move; %s, not %s", asked, n, where, finish)
		}
	}
}

// On its first day a race has no lines yet: its picture names its users, and says so, in place of a row of dots.
func TestRaceBeginsWithNames(t *testing.T) {
	t.Parallel()
	b := over("month", now, now.AddDate(0, 0, 30), several(10)...)
	for i := range b.Entries {
		b.Entries[i].Days = []int64{b.Entries[i].Score}
	}
	for lang, want := range map[string]string{
		"en": "The race begins today; its lines begin tomorrow.", "zh": "竞速今天开始，明天起显示走势。",
		"vi": "Cuộc đua bắt đầu hôm nay; các đường có từ ngày mai.",
	} {
		tab := chromium.Open(t, serve(t, func(w io.Writer) {
			_, _ = io.WriteString(w, "<!doctype html><style>body{margin:0}svg{display:block}</style>")
			_ = embed.Race(w, b, embed.Options{Lang: lang})
		}))
		said := browser.Eval[string](tab, t, `[...document.querySelectorAll("svg text")].at(-1).textContent`)
		if desc := browser.Eval[string](tab, t, `document.querySelector("desc").textContent`); said != want ||
			!strings.HasSuffix(desc, want) || !strings.HasPrefix(desc, "1. User 1: 100") {
			t.Errorf("%s: %s: %s", lang, said, desc)
		}
		// A face stands beside its name, and nothing leaves the picture.
		far := browser.Eval[bool](tab, t, `{ const { right, bottom } = document.querySelector("svg").getBoundingClientRect();
			const faces = [...document.querySelectorAll("circle")].map((c) => c.getBoundingClientRect());
			const names = [...document.querySelectorAll("g > text")].filter((t) => /User/.test(t.textContent))
				.map((t) => t.getBoundingClientRect());
			return faces.length !== 10 ||
				names.some((n, i) => n.left - faces[i].right > 20 || n.right > right || n.bottom > bottom) }`)
		if far {
			t.Errorf("%s: names are away from their faces, or cut", lang)
		}
	}
}

// A frame of a missing board, or of one that is being completed, says so in a page of its own, a picture draws it,
// and a frame shows the board once there is one.
func TestFramesAndPicturesGiveTheReasonForNoBoard(t *testing.T) {
	t.Parallel()
	var completed atomic.Bool
	filling := embed.Failure{Code: "filling", Status: http.StatusServiceUnavailable, Root: ".."}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/":
			_, _ = io.WriteString(w, `<!doctype html><title>A forum</title>`+
				`<iframe id="none" src="/embed/nothing/day.html?lang=vi"></iframe>`+
				`<iframe id="filling" src="/filling/day.html"></iframe>`+
				`<img id="picture" src="/embed/nothing/day.svg"><img id="badge" src="/embed/users/ann/nothing/day.svg">`+
				`<iframe id="address" src="/embed/day.html"></iframe>`)
		case r.URL.Path == "/filling/day.html" && completed.Load():
			_ = embed.Page(w, day("activity", entry(1, 5, "Ann")), embed.Options{Lang: "en"})
		case r.URL.Path == "/filling/day.html":
			w.WriteHeader(http.StatusServiceUnavailable)
			_ = embed.FailurePage(w, filling, embed.Options{Lang: "en"})
		case r.URL.Path == "/frame.js":
			http.Redirect(w, r, "/embed/frame.js", http.StatusFound)
		default:
			module.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	const timers = `window.setTimeout = (f, ms, ...more) => { window.later = [f, ms, more] }`
	tab := chromium.Open(t, server.URL, first(timers))
	says := func(id, text string) {
		t.Helper()
		browser.Wait(tab, t, `document.getElementById("`+id+`").contentDocument?.querySelector("main")?.innerText.includes(
			"`+text+`")`)
	}
	says("none", "Không có bảng này.")
	says("none", "the boards are activity")
	says("address", "Not available.")
	says("filling", "The board is being completed. Try again")
	browser.Wait(tab, t, `[...document.images].every((i) => i.complete && i.naturalWidth > 100)`)
	const frame = `document.getElementById("filling").contentWindow`
	browser.Wait(tab, t, frame+`.later?.[1] === 5000`)
	for _, pause := range []string{"10000", "20000"} {
		browser.Eval[bool](tab, t, `{ const [f, , more] = `+frame+`.later; await f(...more); return true }`)
		browser.Wait(tab, t, frame+`.later[1] === `+pause)
	}
	completed.Store(true)
	browser.Eval[bool](tab, t, `{ const [f, , more] = `+frame+`.later; await f(...more); return true }`)
	says("filling", "Ann")
	page := chromium.Open(t, server.URL+"/embed/nothing/day.html?theme=dark")
	for _, v := range browser.Violations(page, t) {
		t.Error(v)
	}
}
