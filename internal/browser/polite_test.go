package browser_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"laurel/internal/browser"
	"laurel/internal/testserver"
)

// board is what boards of today are read from.
const board = "/boards/activity/day"

// far is more than a screen is high, and tall a screen on which all of a test is in view.
const far = `<p style="height:9000px"></p>`

var tall = chromedp.EmulateViewport(900, 3000)

// pass lets milliseconds of a page's time pass, and what is due then happen.
func pass(tab context.Context, t *testing.T, ms int) {
	t.Helper()
	browser.Eval[bool](tab, t, fmt.Sprintf(`{ await calm(); await tick(%d); await calm(); return true }`, ms))
}

// until waits for a script that is true sooner or later without any time of the page's.
func until(tab context.Context, t *testing.T, script string) {
	t.Helper()
	browser.Wait(tab, t, `await until(() => `+script+`)`)
}

// Three boards that are alike share a request; a hidden page has none for 3 minutes.
func TestPolite(t *testing.T) {
	t.Parallel()
	f := whole(t)
	tab := f.open(strings.Repeat(`<laurel-board windows="day" limit="3"></laurel-board>`, 3), timeless(), tall)
	until(tab, t, drawn)
	if n := f.requests(board); n != 1 {
		t.Errorf("%d requests for three boards that are alike", n)
	}
	hide := func(hidden bool) {
		browser.Eval[bool](tab, t, fmt.Sprintf(`{ Object.defineProperty(document, "hidden", {value: %t, configurable: true});
			document.dispatchEvent(new Event("visibilitychange")); return true }`, hidden))
	}
	hide(true)
	pass(tab, t, 180e3)
	if n := f.requests(board); n != 1 {
		t.Errorf("%d requests while the page is hidden", n-1)
	}
	hide(false)
	pass(tab, t, 1e3)
	if n := f.requests(board); n != 2 {
		t.Errorf("%d requests when the page is seen again", n-1)
	}
}

// A board out of view asks for nothing: neither before it has been seen, nor after.
func TestOutOfView(t *testing.T) {
	t.Parallel()
	f := whole(t)
	tab := f.open(far+`<laurel-board windows="day"></laurel-board>`+far, timeless())
	scroll := func(to string) {
		browser.Eval[bool](tab, t, `{ `+to+`; await noticed(document.querySelector("laurel-board")); return true }`)
	}
	scroll(`scrollTo(0, 0)`)
	pass(tab, t, 180e3)
	if n := f.requests("/v1/"); n != 0 {
		t.Errorf("%d requests before the board is in view", n)
	}
	scroll(`document.querySelector("laurel-board").scrollIntoView()`)
	until(tab, t, drawn)
	scroll(`scrollTo(0, 0)`)
	asked := f.requests("/v1/")
	pass(tab, t, 180e3)
	if n := f.requests("/v1/"); n != asked {
		t.Errorf("%d requests after the board was in view", n-asked)
	}
	scroll(`document.querySelector("laurel-board").scrollIntoView()`)
	pass(tab, t, 1e3)
	if n := f.requests(board); n != 2 {
		t.Errorf("%d requests when the board is in view again", n-1)
	}
}

// At the end of the day the board has the rows of the next one, and not before it.
func TestNextDay(t *testing.T) {
	t.Parallel()
	f := whole(t)
	tab := f.open(`<laurel-board windows="day" refresh="off"></laurel-board>`, timeless())
	until(tab, t, drawn)
	next := day("activity", entry(1, 3, "Early"))
	next.Period, next.StartsAt, next.EndsAt = "2026-11-21", next.EndsAt, next.EndsAt.AddDate(0, 0, 1)
	next.AsOf = next.StartsAt
	f.set(func() { f.boards["activity"] = next })
	pass(tab, t, 12*3600e3)
	if n := f.requests(board + "?"); n != 1 {
		t.Errorf("%d requests before the day ends", n-1)
	}
	pass(tab, t, 6e3)
	until(tab, t, text+`.includes("Early") && !`+text+`.includes("User 1")`)
	if n := f.requests(board + "?"); n != 2 {
		t.Errorf("%d requests as the day ends", n-1)
	}
}

// A board that stays in view for an hour reads once a minute, and as often again for a place below
// it; the list of boards once. The cost of visitors is reckoned with that.
func TestRequestsOfAnHour(t *testing.T) {
	t.Parallel()
	minutes := testserver.Times(15, 60)
	for user, most := range map[string]int{"": minutes, "u20": 2 * minutes} {
		f := whole(t)
		tab := f.open(`<laurel-board windows="day" user="`+user+`"></laurel-board>`, timeless(), tall)
		until(tab, t, drawn)
		pass(tab, t, minutes*60e3)
		if n, lists := f.requests("/boards/activity/"), f.requests("/v1/boards"); n < most*9/10 || n > most || lists != n+1 {
			t.Errorf("user %q: %d requests in %d minutes, %d with the list of boards", user, n, minutes, lists)
		}
	}
}

// What tells of the visitor and of winners asks for little in an hour: docs/embed.md has the figures.
func TestRequestsOfAnHourByElement(t *testing.T) {
	t.Parallel()
	minutes := testserver.Times(15, 60)
	b := day("activity", several(3)...)
	b.StartsAt, b.EndsAt = now.Add(-time.Hour), now.Add(23*time.Hour)
	f := serve(t, b)
	f.token = "a.b.c"
	tab := f.open(`<laurel-board windows="day" user="u2" token-url="/token"></laurel-board>`+
		"<laurel-winners></laurel-winners>",
		timeless(), tall)
	until(tab, t, said+` !== ""`)
	pass(tab, t, minutes*60e3)
	count := func() (all [5]int) {
		for i, piece := range []string{"/activity?days=1", "/v1/rules", "/day/winners", "/month/winners", "/entries"} {
			all[i] = f.requests(piece)
		}
		return all
	}
	every := minutes / 5
	if got := count(); got[0] < every-1 || got[0] > every || got[1] != 1 || got[2] != 1 || got[3] != 1 || got[4] != 0 {
		t.Errorf("today, rules, winners above, hall of fame, entries: %v", got)
	}
	browser.Eval[bool](tab, t, `{ `+root+`.querySelector(".why summary").click(); return true }`)
	pass(tab, t, minutes*60e3)
	if got := count(); got[4] < every-1 || got[4] > every+1 {
		t.Errorf("entries while the own score is open: %d", got[4])
	}
}

// Retry-After is obeyed, and where there is none pauses double up to 32 minutes. A jitter of a
// tenth comes on top.
func TestBackoff(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		after  string
		pauses []float64 // seconds
	}{
		"Retry-After": {"300", []float64{300, 300, 300, 480}},
		"none":        {"0", []float64{60, 120, 240, 480, 960, 1920, 1920, 1920}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := whole(t)
			f.fail = status(http.StatusServiceUnavailable, c.after)
			tab := f.open(`<laurel-board windows="day"></laurel-board>`, timeless())
			until(tab, t, text+`.includes("Not reachable.")`)
			pass(tab, t, 4*3600e3)
			at := browser.Eval[[]float64](tab, t, `asked.filter(([, url]) => url.includes("`+board+`")).map(([at]) => at)`)
			if len(at) <= len(c.pauses) {
				t.Fatalf("%d requests", len(at))
			}
			for i, seconds := range c.pauses {
				if pause := at[i+1] - at[i]; pause < seconds*1000 || pause > seconds*1100 {
					t.Errorf("pause %d: %.0f ms in place of %.0f seconds and up to a tenth", i, pause, seconds)
				}
			}
		})
	}
}
