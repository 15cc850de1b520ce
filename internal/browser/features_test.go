package browser_test

import (
	"testing"

	"github.com/chromedp/chromedp"

	"laurel/internal/browser"
	"laurel/internal/harness"
)

// extras is a page with all rarely used parts.
const extras = `<main><h1>Forum</h1>
	<laurel-board windows="day month" user="u20" points columns bars link></laurel-board>
	<laurel-history user="u20" token-url="/token"></laurel-history></main>`

// withExtras answers its requests.
const withExtras = `whole(); laurel.kept = ["like", "visit"].map((action, i) => (
	{action, board: "activity", state: "counted", points: 2, day: "2026-11-20", target: String(i + 1)}))`

// extrasDrawn is true when it is there, the list of acts as well.
const extrasDrawn = `{ const [board, past] = ["board", "history"].map(
		name => document.querySelector("laurel-" + name).shadowRoot);
	const help = board?.querySelector(".points");
	if (help?.ariaExpanded === "false") help.click();
	return !!(board?.querySelector(".acts li") && board.querySelector(".bar") && board.querySelector(".past") &&
		board.querySelector(".find") && past?.querySelector(".deed a")) }`

// Extras hinder nobody, in light, dark and forced colors, on a screen and in a sidebar.
func TestAxeOfExtras(t *testing.T) {
	t.Parallel()
	for name, features := range map[string][]string{
		"light": {"prefers-color-scheme", "light"}, "dark": {"prefers-color-scheme", "dark"},
		"forced colors": {"forced-colors", "active"},
	} {
		for _, width := range []int64{1000, 200} {
			style := `<style>:root{color-scheme:light dark}body{background:Canvas;color:CanvasText;margin:0}</style>`
			tab := show(t, style+extras, browser.Media(features...), chromedp.EmulateViewport(width, 4000),
				first("laurel", withExtras))
			browser.Wait(tab, t, extrasDrawn)
			for _, v := range browser.Violations(tab, t) {
				t.Errorf("%s, %d px: %s", name, width, v)
			}
			if browser.Eval[bool](tab, t, `document.documentElement.scrollWidth > innerWidth`) {
				t.Errorf("%s, %d px: the page scrolls sideways", name, width)
			}
			if name == "forced colors" && !browser.Eval[bool](tab, t, `getComputedStyle(`+root+`.querySelector(".bar"))
				.borderBottomColor === getComputedStyle(document.body).color`) {
				t.Error("bars are not drawn in forced colors")
			}
		}
	}
}

// Boards of teams hinder nobody, in light, dark and forced colors, on a screen and in a sidebar.
func TestAxeOfTeams(t *testing.T) {
	t.Parallel()
	const elements = `<main><h1>Page</h1><laurel-board windows="day month" user="u9" more bars></laurel-board>
		<laurel-board windows="day" layout="podium" user="u9"></laurel-board>
		<laurel-board windows="day" layout="compact"></laurel-board>
		<laurel-standing user="u9"></laurel-standing><laurel-winners></laurel-winners></main>`
	const answers = `{ const team = (n, more) => ({
			Rank: n, Score: 300 - n, ID: "t" + n, name: "A house with quite a long name " + n, Members: n * 40, ...more });
		const won = today([1, 2, 3].map((n) => team(n)), { Period: "2026-10", EndsAt: "2026-11-01T00:00:00Z", Teams: true });
		laurel.won = [won];
		today([1, 2, 3, 4].map((n) => team(n, { Previous: 5 - n })), { Teams: true, Near: [team(3), team(4)],
			Standing: { Rank: 4, Score: 296, ToNext: 2, Team: "t4", Own: 34 } }) }`
	for name, features := range map[string][]string{
		"light": {"prefers-color-scheme", "light"}, "dark": {"prefers-color-scheme", "dark"},
		"forced colors": {"forced-colors", "active"},
	} {
		for _, width := range []int64{1000, 200} {
			style := `<style>:root{color-scheme:light dark}body{background:Canvas;color:CanvasText;margin:0}</style>`
			tab := show(t, style+elements, browser.Media(features...), chromedp.EmulateViewport(width, 4000),
				first("laurel", answers))
			browser.Wait(tab, t, `[...document.querySelectorAll("main > *")].slice(1).every(({ shadowRoot: s }) =>
				s?.querySelector(".mine, .gap, .winner, .compact")) &&
				document.querySelector("laurel-board").shadowRoot.textContent.includes("You gave 34 of its 296.")`)
			for _, v := range browser.Violations(tab, t) {
				t.Errorf("%s, %d px: %s", name, width, v)
			}
			if browser.Eval[bool](tab, t, `document.documentElement.scrollWidth > innerWidth`) {
				t.Errorf("%s, %d px: the page scrolls sideways", name, width)
			}
		}
	}
}

// The keyboard alone reaches all extras, opens the list of acts, and finds the member's row.
func TestKeyboardOfExtras(t *testing.T) {
	t.Parallel()
	tab := show(t, extras, chromedp.EmulateViewport(900, 3000), first("laurel", withExtras))
	browser.Wait(tab, t, extrasDrawn)
	const focus = `{ const e = document.activeElement;
		return e.localName + " " + e.shadowRoot?.activeElement?.textContent }`
	press := func(key, then string) {
		harness.OK(t, chromedp.Do(tab, chromedp.KeyEvent(key)))
		browser.Wait(tab, t, then)
	}
	reach := func(control string) {
		t.Helper()
		for range 40 {
			harness.OK(t, chromedp.Do(tab, chromedp.KeyEvent("\t")))
			if browser.Eval[string](tab, t, focus) == control {
				return
			}
		}
		t.Fatalf("Tab does not reach %s", control)
	}
	reach("laurel-board ?")
	press(" ", root+`.querySelector(".acts") === null`)
	press("\r", root+`.querySelector(".acts") !== null`)
	reach("laurel-board Find me")
	browser.Eval[bool](tab, t, `{ laurel.boards.activity.Entries = several(30); return true }`)
	press("\r", root+`.activeElement?.matches("tr.mine") && location.search.endsWith("laurel=activity.day..2")`)
	if !browser.Eval[bool](tab, t, `{ const { outlineStyle, outlineWidth } = getComputedStyle(`+root+`.activeElement);
		return outlineStyle === "solid" && outlineWidth === "2px" }`) {
		t.Error("the row that has been found has no outline")
	}
	reach("laurel-board To the top")
	reach("laurel-history Today")
	reach("laurel-history A title")
}
