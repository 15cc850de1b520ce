package browser_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"laurel/internal/browser"
	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/api/embed"
)

// people have long names, wreaths and movement, and u2 is the visitor.
func people() (all []embed.Member) {
	for i, name := range []string{
		"Đặng Anh Thư", "Nora Quincy-Adams", "Maximilian Berger", "陈晓明同学会", "عبد الرحمن الأنصاري", "Bob",
		"Nguyễn Thị Minh Khai", "Konstantinos P.", "Ann", "Guadalupe Rodríguez",
	} {
		e := entry(int64(i+1), int64(1_640-150*i), name)
		e.Firsts, e.Previous, e.Link = int64(i%3*11), int64(9-i), "https://forum.example/u"
		all = append(all, e)
	}
	return all
}

// months are some with their winners.
func months(n int) (all []embed.Board) {
	for i := range n {
		month := time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC).AddDate(0, -i, 0)
		won := over("month", month, month.AddDate(0, 1, 0), people()[:3]...)
		won.Period = month.Format("2006-01")
		all = append(all, won)
	}
	return all
}

// readable is a script that returns the names on a page, or in the shadow root of an element, that are cut to less
// than 8em, and all boxes that overlap or are wider than their place.
const readable = `((root) => {
	const wrong = [];
	for (const text of root.querySelectorAll(".person .text")) {
		const size = parseFloat(getComputedStyle(text).fontSize), room = text.getBoundingClientRect().width;
		const cut = text.scrollWidth > Math.ceil(room) + 1 || text.scrollHeight > text.clientHeight + 2;
		if (cut && room * Math.round(text.clientHeight / (1.4 * size)) < 8 * size) {
			wrong.push(text.textContent + ": " + (room / size).toFixed(1) + "em");
		}
	}
	for (const row of root.querySelectorAll("tr, .winner, li")) {
		const seen = [...row.querySelectorAll(".text, .you, .wreath, .score, .rank, b, .avatar")]
			.map((e) => [e, e.getBoundingClientRect()])
			.filter(([e, r]) => r.width > 1 && getComputedStyle(e).clipPath === "none" && !e.closest("thead"));
		for (const [a, x] of seen) for (const [b, y] of seen) {
			if (a !== b && !a.contains(b) && !b.contains(a) && x.left < y.left && x.right > y.left + 1 &&
				x.bottom > y.top + 1 && y.bottom > x.top + 1) {
				wrong.push(a.className + " " + a.textContent + " lies over " + b.className + " " + b.textContent);
			}
		}
	}
	return wrong;
})`

// Names can be read in each layout, among winners and in frames, however narrow the column.
func TestNamesAreReadableInNarrowColumns(t *testing.T) {
	t.Parallel()
	board := day("activity", people()...)
	b := board
	b.Won = months(3)
	won := "laurel.won = " + string(harness.Must(json.Marshal(b.Won))(t)) //nolint:musttag // with the names of Go
	widths := []int64{200, 190, 220, 240, 260, 300, 320, 343, 375, 420, 900}[:testserver.Times(6, 11)]
	var columns strings.Builder
	for _, width := range widths {
		fmt.Fprintf(&columns, `<section style="width:%dpx" data-width="%[1]d">`, width)
		for _, element := range []string{
			`board windows="day month" user="u2" more`, `board windows="day" user="u2" layout="compact"`,
			`board windows="day" user="u2" layout="podium"`, `winners`,
		} {
			fmt.Fprintf(&columns, "<laurel-%s></laurel-%s>", element, strings.Fields(element)[0])
		}
		columns.WriteString("</section>")
	}
	tab := show(t, `<style>body{font:16px/1.5 sans-serif;margin:0}</style>`+columns.String(),
		chromedp.EmulateViewport(1000, 30_000), first("laurel", answering(t, board), won))
	browser.Wait(tab, t, `[...document.querySelectorAll("laurel-board, laurel-winners")].every(
		(e) => e.shadowRoot?.querySelector(".person") &&
			(e.localName === "laurel-board" || e.shadowRoot.querySelector(".wreath")))`)
	for _, wrong := range browser.Eval[[]string](tab, t, `[...document.querySelectorAll("section > *")].flatMap((e) =>
		`+readable+`(e.shadowRoot).map((w) =>
			e.parentNode.dataset.width + " px, " + e.localName + " " + e.getAttribute("layout") + ": " + w))`) {
		t.Error(wrong)
	}
	for name, write := range map[string]func(w io.Writer){
		"board":   func(w io.Writer) { _ = embed.Page(w, board, embed.Options{Lang: "en", User: "u2"}) },
		"winners": func(w io.Writer) { _ = embed.WinnersPage(w, b, embed.Options{Lang: "vi"}) },
	} {
		for _, width := range widths[:testserver.Times(1, 6)] {
			tab := chromium.Open(t, serve(t, write)+"/embed/activity/day.html", chromedp.EmulateViewport(width, 800))
			for _, wrong := range browser.Eval[[]string](tab, t, readable+`(document)`) {
				t.Errorf("frame of %s, %d px: %s", name, width, wrong)
			}
			if browser.Eval[bool](tab, t, `document.documentElement.scrollWidth > innerWidth`) {
				t.Errorf("frame of %s, %d px: scrolls sideways", name, width)
			}
		}
	}
}

// snippets are those of the docs that have an element.
func snippets(t *testing.T) map[string]string {
	t.Helper()
	fence := regexp.MustCompile("(?s)```html\n(.*?)```")
	all := map[string]string{}
	for _, name := range append(harness.Must(filepath.Glob("../../docs/*.md"))(t), "../../README.md") {
		for i, m := range fence.FindAllStringSubmatch(string(harness.Must(os.ReadFile(name))(t)), -1) {
			if strings.Contains(m[1], "<laurel-") {
				all[fmt.Sprintf("%s, %d", filepath.Base(name), i)] = m[1]
			}
		}
	}
	return all
}

// A page that has a snippet of the docs keeps its place while the module and its answers arrive, however late.
func TestSnippetsKeepThePageInPlace(t *testing.T) {
	t.Parallel()
	article := strings.Repeat(`<p>What people say, in words of their own, about this and that and whatever comes.</p>`, 12)
	all := snippets(t)
	if len(all) < 3 {
		t.Fatalf("%d snippets in the docs", len(all))
	}
	late := regexp.MustCompile(`<script type="module"[^>]*></script>`)
	for name, snippet := range all {
		for _, width := range []int64{1200, 375}[:testserver.Times(1, 2)] {
			body := late.ReplaceAllString(strings.ReplaceAll(snippet, "https://laurel.example", ""), "")
			page := `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
				`<title>A forum</title><body style="font:16px/1.5 sans-serif">` + body + article +
				`<script>setTimeout(() => import("/embed/laurel.js"), 800)</script></body></html>`
			tab := chromium.Open(t, serve(t, func(w io.Writer) { _, _ = io.WriteString(w, page) }),
				first("laurel", "whole()", shifts, `laurel.late = () => new Promise((done) => setTimeout(done, 300))`),
				chromedp.EmulateViewport(width, 800))
			browser.Wait(tab, t, drawn)
			browser.Eval[bool](tab, t, `{ await new Promise((done) => setTimeout(done, 600)); return true }`)
			shift := browser.Eval[float64](tab, t, `window.shift`)
			if t.Logf("%s, %d px: %.3f", name, width, shift); shift > .05 {
				t.Errorf("%s, %d px: the page shifts by %.3f: %s", name, width, shift, browser.Eval[[]string](tab, t, `window.log`))
			}
		}
	}
}

// If Laurel never answers, a snippet's room is given back, and its link is there.
func TestSnippetsWithoutLaurelAreALink(t *testing.T) {
	t.Parallel()
	for name, snippet := range snippets(t) {
		page := `<!doctype html><html lang="en"><meta charset="utf-8"><title>A forum</title><body>` +
			snippet
		tab := chromium.Open(t, serve(t, func(w io.Writer) {
			_, _ = io.WriteString(w, strings.ReplaceAll(page, "https://laurel.example", "http://127.0.0.1:1"))
		}))
		browser.Eval[bool](tab, t, `{ document.getAnimations().forEach((a) => a.finish()); return true }`)
		if got := browser.Eval[string](tab, t, `document.querySelector("laurel-board").innerText.trim()`); got == "" {
			t.Errorf("%s has no words without Laurel", name)
		}
		if y := browser.Eval[float64](tab, t, `document.querySelector("laurel-board").offsetHeight`); y > 60 {
			t.Errorf("%s keeps %.0f px of nothing", name, y)
		}
	}
}

// After the first answer no element is higher than its content, and in print neither.
func TestNoHoles(t *testing.T) {
	t.Parallel()
	const page = `<laurel-board windows="day" id="nobody" board="nobody"></laurel-board>
		<laurel-board windows="day" board="one"></laurel-board><laurel-board windows="day" board="missing"></laurel-board>
		<laurel-board windows="day" layout="podium" board="one"></laurel-board>
		<laurel-winners></laurel-winners><laurel-hot></laurel-hot><laurel-heatmap user="me"></laurel-heatmap>`
	won := harness.Must(json.Marshal(months(2)))(t) //nolint:musttag // with the names of Go
	tab := show(t, page, chromedp.EmulateViewport(900, 3000), first("laurel",
		answering(t, day("activity"), day("nobody"), day("one", entry(1, 5, "Ann"))),
		"laurel.won = "+string(won),
		`laurel.fail = ({ path }) => path.includes("missing") ? Response.json({}, { status: 404 }) : undefined`))
	browser.Wait(tab, t, `[...document.querySelectorAll("body > *")].every(
		(e) => e.shadowRoot?.querySelector(".board > *"))`)
	browser.Eval[bool](tab, t, `{ await new Promise((done) => setTimeout(done, 300)); return true }`)
	for _, media := range []string{"screen", "print"} {
		p := emulation.SetEmulatedMediaParams{Media: media}
		harness.OK(t, chromedp.Do(tab, browser.Command(emulation.SetEmulatedMedia, p)))
		for _, wrong := range browser.Eval[[]string](tab, t, `[...document.querySelectorAll("body > *")].flatMap((e) => {
			const last = [...e.shadowRoot.querySelector(".board").querySelectorAll("*")]
				.filter((c) => c.getBoundingClientRect().height && getComputedStyle(c).position !== "absolute")
				.map((c) => c.getBoundingClientRect().bottom);
			const hole = e.getBoundingClientRect().bottom - Math.max(...last);
			return hole > 24 ? e.localName + " " + e.getAttribute("board") + ": " + hole + " px of nothing" : [];
		})`) {
			t.Error(wrong)
		}
	}
}

// A board of ten takes no more than 12 stops of Tab, and arrows reach the rest.
func TestTabStops(t *testing.T) {
	t.Parallel()
	board := with("activity", embed.Standing{Rank: 20, Score: 7, ToNext: 2}, people(), people()[7:]...)
	board.AsOf = board.StartsAt.Add(time.Hour)
	for i := range board.Near {
		board.Near[i].Rank, board.Near[i].ID = int64(19+i), []string{"above", "me", "below"}[i]
	}
	won := over("day", now.AddDate(0, 0, -1).Truncate(24*time.Hour), board.StartsAt, people()[:3]...)
	won.Period = "2026-11-19"
	tab := show(t, `<p>Before</p><laurel-board windows="day week month year" user="me" periods more token-url="/token">
		</laurel-board><button>After</button>`,
		chromedp.EmulateViewport(900, 3000), first("laurel", answering(t, board),
			"laurel.won = ["+string(harness.Must(json.Marshal(won))(t))+"]")) //nolint:musttag // with the names of Go
	browser.Wait(tab, t, drawn+` && `+root+`.querySelector(".why") !== null &&
		`+root+`.querySelector(".winner") !== null &&
		`+root+`.querySelector(".mine") !== null`)
	stops := 0
	for ; stops < 60; stops++ {
		harness.OK(t, chromedp.Do(tab, chromedp.KeyEvent("\t")))
		if browser.Eval[bool](tab, t, `document.activeElement.localName === "button"`) {
			break
		}
	}
	if stops > 12 {
		t.Errorf("%d stops of Tab", stops)
	}
	browser.Eval[bool](tab, t, `{ `+root+`.querySelector(".winner a").focus(); return true }`)
	for i := range 15 { // the second and third winner, ten and three rows
		harness.OK(t, chromedp.Do(tab, chromedp.KeyEvent(kb.ArrowDown)))
		if i == 13 && !browser.Eval[bool](tab, t, root+`.activeElement.closest(".mine") !== null`) {
			t.Error("arrows do not reach the own row, but", browser.Eval[string](tab, t, root+`.activeElement.textContent`))
		}
	}
	browser.Eval[bool](tab, t, `{ `+root+`.querySelector(".windows button").focus(); return true }`)
	for _, want := range []string{"This week", "This month", "This year", "This year"} {
		harness.OK(t, chromedp.Do(tab, chromedp.KeyEvent(kb.ArrowRight)))
		if got := browser.Eval[string](tab, t, root+`.activeElement.textContent`); got != want {
			t.Errorf("the arrow goes to %q, not %q", got, want)
		}
	}
}

// Paper has no buttons, and marks the reader's row.
func TestPrint(t *testing.T) {
	t.Parallel()
	board := day("activity", people()...)
	board.Total = 30
	tab := show(t, `<laurel-board windows="day month" user="u2" more periods></laurel-board>`,
		first("laurel", answering(t, board)))
	browser.Wait(tab, t, drawn)
	p := emulation.SetEmulatedMediaParams{Media: "print"}
	harness.OK(t, chromedp.Do(tab, browser.Command(emulation.SetEmulatedMedia, p)))
	frame := chromium.Open(t, serve(t, func(w io.Writer) { _ = embed.Page(w, board, embed.Options{User: "u2"}) }),
		browser.Command(emulation.SetEmulatedMedia, p))
	for name, c := range map[string]bool{
		"button": browser.Eval[bool](tab, t, `[...`+root+`.querySelectorAll("button")].some((b) => b.offsetHeight)`),
		"no own row": browser.Eval[bool](tab, t,
			`getComputedStyle(`+root+`.querySelector(".mine")).outlineStyle !== "solid"`),
		"no own row in a frame": browser.Eval[bool](frame, t,
			`getComputedStyle(document.querySelector(".mine")).outlineStyle !== "solid"`),
	} {
		if c {
			t.Errorf("paper has %s", name)
		}
	}
}

// Nothing hinders anybody in a narrow column either.
func TestAxeInANarrowColumn(t *testing.T) {
	t.Parallel()
	tab := show(t, `<div style="width:200px">`+everything+`</div>`, chromedp.EmulateViewport(640, 8000),
		first("laurel", filled))
	browser.Wait(tab, t, `document.querySelector("laurel-winners")?.shadowRoot?.querySelector(".winner") != null &&
		document.querySelector("laurel-board[layout=podium]").shadowRoot.querySelector(".place") !== null`)
	for _, v := range browser.Violations(tab, t) {
		t.Error(v)
	}
}
