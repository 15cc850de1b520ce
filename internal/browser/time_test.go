package browser_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	gocmp "github.com/google/go-cmp/cmp"

	"laurel/internal/browser"
	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/embed"
)

// said is a script that returns what is under the first board of the member.
const said = `(` + root + `?.querySelector(".standing")?.textContent ?? "")`

// A member who is hidden is told so, with the place that nobody else sees; elements without a token have
// only what everybody may read.
func TestHiddenMember(t *testing.T) {
	t.Parallel()
	b := day("activity", several(10)...)
	b.Total, b.Standing = 30, &embed.Standing{}
	f := serve(t, b)
	f.token, f.hidden = "a.b.c", true
	f.own = []object{{
		"board": "activity", "window": "day", "period": "2026-11-20", "rank": 22, "score": 5, "toNext": 3, "total": 30,
	}}
	tab := f.open(`<laurel-board windows="day" user="me" token-url="/token"></laurel-board>
		<laurel-standing user="me" token-url="/token"></laurel-standing>`, timeless(), tall)
	const want = `Hidden. Only you see this: 22nd. 12 hours left.`
	until(tab, t, said+` === "`+want+`"`)
	until(tab, t, `document.querySelector("laurel-standing").shadowRoot.textContent === "`+want+`"`)
	// Who is excluded without noticing it is not told.
	f.set(func() { f.hidden = false })
	tab = f.open(`<laurel-board windows="day" user="me" token-url="/token"></laurel-board>`, timeless())
	until(tab, t, said+` === "3 points to the next place. 12 hours left."`)
	tab = f.open(`<laurel-board windows="day" user="me"></laurel-board>`, timeless())
	until(tab, t, said+` === "Not on the board yet. 12 hours left."`)
}

// The switch sends what it shows: out of view, while a read is under way, and pressed twice.
func TestHideSwitchSendsWhatItShows(t *testing.T) {
	t.Parallel()
	const box = `document.querySelector("laurel-hide").shadowRoot?.querySelector("input")`
	f := whole(t)
	tab := f.open(`<laurel-hide user="me" token-url="/token"></laurel-hide>`+far, timeless())
	until(tab, t, box+`?.checked`)
	browser.Eval[bool](tab, t, `{ window.thrown = []; addEventListener("unhandledrejection", (e) => thrown.push(e));
		scrollTo(0, 9000); await noticed(document.querySelector("laurel-hide")); await calm(); `+box+`.click(); await calm();
		return true }`)
	until(tab, t, box+`.checked === false && !thrown.length`)
	if n := f.requests("PUT "); n != 1 || !f.hidden {
		t.Errorf("out of view: %d requests, hidden %t", n, f.hidden)
	}

	// A read that began before the choice is answered after it, with what held before.
	slow, begun := make(chan struct{}), make(chan struct{}, 9)
	f = whole(t)
	tab = f.open(`<laurel-hide user="me" token-url="/token"></laurel-hide>`, timeless())
	until(tab, t, box+`?.checked`)
	f.set(func() {
		f.gate, f.late = slow, func(r *http.Request) bool {
			late := r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/visibility")
			if late {
				begun <- struct{}{}
			}
			return late
		}
	})
	browser.Eval[bool](tab, t, `{ document.querySelector("laurel-hide").reload(); return true }`)
	select {
	case <-begun:
	case <-time.After(20 * time.Second):
		t.Fatal("nothing is read")
	}
	browser.Eval[bool](tab, t, `{ `+box+`.click(); return true }`)
	waitFor(t, func() bool { return f.requests("PUT ") == 1 })
	close(slow)
	pass(tab, t, 100)
	if !browser.Eval[bool](tab, t, box+`.checked === false`) || !f.hidden {
		t.Errorf("while a read is under way: hidden %t, and the switch says the opposite", f.hidden)
	}
	browser.Eval[bool](tab, t, `{ `+box+`.click(); `+box+`.click(); `+box+`.click(); return true }`)
	waitFor(t, func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return !f.hidden
	})
	pass(tab, t, 0)
	if !browser.Eval[bool](tab, t, box+`.checked`) || f.hidden {
		t.Error("pressed three times: the last choice does not hold")
	}
}

func waitFor(t *testing.T, met func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !met(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("nothing happens")
		}
	}
}

// A day that is over is not under Today, and is told as over: when one goes back, and when it ends while the
// page has nothing newer.
func TestDayThatIsOver(t *testing.T) {
	t.Parallel()
	b := day("activity", several(10)...)
	f := whole(t)
	f.boards["activity"] = b
	tab := f.open(`<laurel-board windows="day month" user="u2"></laurel-board>`, timeless())
	const pressed = `[...` + root + `.querySelectorAll("[aria-pressed=true]")].map((b) => b.textContent).join()`
	until(tab, t, pressed+` === "Today" && `+said+` === "2 points behind \u2068User 1\u2069, 1st. 12 hours left."`)
	f.set(func() { f.fail = status(http.StatusServiceUnavailable, "7200") })
	pass(tab, t, 13*3600e3)
	until(tab, t, pressed+` === "" && `+root+`.querySelector("h2").textContent === "ActivityNovember 20, 2026"`)
	until(tab, t, said+` === "Finished 2nd of 10. New day at midnight."`)
	f.set(func() { f.fail = nil; b.AsOf = now.AddDate(0, 0, 9); f.boards["activity"] = b })
	tab = f.open(`<laurel-board windows="day month" period="2026-11-20" user="nobody"></laurel-board>`, timeless())
	until(tab, t, drawn+` && `+pressed+` === ""`)
	b.Entries, b.Total = nil, 0
	f.set(func() { f.boards["activity"] = b })
	tab = f.open(`<laurel-board windows="day month" period="2026-11-20"></laurel-board>`, timeless())
	until(tab, t, text+`.includes("Nobody was on it.")`)
}

// A podium has no least width: names of any length fit a narrow column, where cards are below each other.
func TestPodiumInASidebar(t *testing.T) {
	t.Parallel()
	f := serve(t, day("activity", names()...))
	for _, width := range []int{200, 320} {
		tab := f.open(fmt.Sprintf(`<div style="display:grid;width:%dpx"><laurel-board windows="day" layout="podium">
			</laurel-board><p>Text</p></div>`, width), tall)
		browser.Wait(tab, t, drawn)
		got := browser.Eval[[]int](tab, t, `[document.querySelector("laurel-board").offsetWidth, ...[...`+root+
			`.querySelectorAll(".place")].map((p) => Math.max(p.scrollWidth - p.clientWidth, 0))]`)
		if got[0] > width || got[1]+got[2]+got[3] > 0 {
			t.Errorf("in %d px: %v", width, got)
		}
	}
}

// With more rows than a page, who moves between two pages while they are read stays on the board, and is on it
// once.
func TestNobodyVanishesFromMore(t *testing.T) {
	t.Parallel()
	f := serve(t, day("activity", several(250)...))
	var reads int
	f.fail = func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasSuffix(r.URL.Path, "/boards/activity/day") {
			return false
		}
		reads++
		b := f.boards["activity"]
		if reads%2 == 0 { // the one after each page climbs to the top between two reads
			b.Entries[0], b.Entries[10] = b.Entries[10], b.Entries[0]
			b.Entries[0].Rank, b.Entries[10].Rank = 1, 11
		}
		_ = json.NewEncoder(w).Encode(f.piece(r, b))
		return true
	}
	high := chromedp.EmulateViewport(900, 9000)
	tab := f.open(`<laurel-board windows="day" limit="10" more></laurel-board>`, timeless(), high)
	const rows = `[...` + root + `.querySelectorAll("tbody bdi")].map((b) => b.textContent)`
	until(tab, t, drawn)
	for range 12 { // to 130 rows, past what one answer may have
		browser.Eval[bool](tab, t, `{ const before = `+rows+`.length;
			[...`+root+`.querySelectorAll("button")].at(-1).click(); return await until(() => `+rows+`.length > before) }`)
	}
	for range 4 {
		pass(tab, t, 70e3)
		got := browser.Eval[[]string](tab, t, rows)
		seen := map[string]bool{}
		for _, name := range got {
			seen[name] = true
		}
		if len(got) != 130 || len(seen) != 130 || !seen["User 1"] || !seen["User 11"] {
			t.Errorf("%d rows of %d people", len(got), len(seen))
		}
	}
}

// The line under the board invites to what the caps of today let count, and to nothing else.
func TestChase(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		did   object
		gap   int64
		token bool
		want  string
	}{
		"in likes":                {object{}, 4, true, "2 likes"},
		"one like":                {object{}, 2, true, "1 like"},
		"likes are used up":       {object{"like": object{"count": 49}}, 4, true, "2 comments"},
		"all is used up":          {object{"like": object{"count": 50}, "comment": object{"count": 30}}, 4, true, "4 points"},
		"more than a day lets":    {object{}, 1_000, true, "1,000 points"},
		"nobody knows what is up": {object{}, 4, false, "4 points"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := serve(t, day("activity", entry(1, 2_000, "Kim"), entry(2, 2_001-c.gap, "Me")))
			f.token, f.did = "a.b.c", c.did
			element := `<laurel-board windows="day" user="u2" token-url="/token"></laurel-board>`
			if !c.token {
				element = strings.Replace(element, "token-url", "no-url", 1)
			}
			tab := f.open(element, timeless())
			until(tab, t, said+` === "`+c.want+` behind \u2068Kim\u2069, 1st. 12 hours left."`)
		})
	}
}

// What stays until the end is told by days, hours and minutes, and by the words of each language.
func TestTimeLeft(t *testing.T) {
	t.Parallel()
	f, elements := serve(t), ""
	cases := []struct {
		lang string
		left time.Duration
		want string
	}{
		{"en", 50 * time.Hour, "In the lead. 2 days left."},
		{"en", 90 * time.Minute, "In the lead. 1 hour left."},
		{"en", 20 * time.Second, "In the lead. 1 minute left."},
		{"zh", 5 * time.Hour, "暂居榜首。 还剩5小时。"},
		{"vi", 5 * time.Hour, "Đang dẫn đầu. Còn 5 giờ."},
	}
	for i, c := range cases {
		b := day(fmt.Sprint("b", i), entry(1, 9, "Me"))
		b.EndsAt = now.Add(c.left)
		f.boards[b.Name] = b
		elements += fmt.Sprintf(`<laurel-board board=b%d lang=%s windows=day user=u1></laurel-board>`, i, c.lang)
	}
	tab := f.open(elements, timeless(), tall)
	for i, c := range cases {
		until(tab, t, strings.Replace(said, `"laurel-board"`, fmt.Sprintf(`"[board=b%d]"`, i), 1)+` === "`+c.want+`"`)
	}
}

// shifts has a page sum up how much of it moves by itself.
const shifts = `window.shift = 0; new PerformanceObserver((list) => list.getEntries().forEach(
	(e) => { if (!e.hadRecentInput) window.shift += e.value;
		(window.log ??= []).push(e.value.toFixed(3) + e.sources.map((s) => " " + s.node?.nodeName + s.currentRect.y)) })
	).observe({type: "layout-shift", buffered: true});`

// rooms is a script that returns the style by which a page keeps room for its elements before they are defined,
// as the snippets of /embed have it.
const rooms = `[...document.querySelectorAll("[id]")].map(
	(e) => "#" + e.id + ":not(:defined){display:block;min-height:" + e.room + "}").join("")`

// Nothing moves as elements fill, on a large screen, in a sidebar and on a phone, for two people or for many.
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
		for _, people := range []int64{10, 2}[:testserver.Times(1, 2)] {
			at := embed.Standing{Rank: 20, Score: 2, ToNext: 3}
			f := serve(t, with("activity", at, several(people), entry(20, 2, "Me")))
			size := chromedp.EmulateViewport(p.width, 800)
			tab := f.open(p.html, size)
			browser.Wait(tab, t, drawn)
			style := browser.Eval[string](tab, t, rooms)
			tab = f.open(`<style>`+style+`</style>`+p.html, first(shifts), size)
			browser.Wait(tab, t, drawn)
			browser.Eval[bool](tab, t, `{ await new Promise((done) => setTimeout(done, 600)); return true }`)
			shift := browser.Eval[float64](tab, t, `window.shift`)
			if t.Logf("%s, %d people: %.3f", name, people, shift); shift > .1 {
				t.Errorf("%s, %d people: the page shifts by %.3f: %s", name, people, shift,
					browser.Eval[[]string](tab, t, `window.log`))
			}
		}
	}
}

// What a member does is on the page within 300 ms of the answer, if the machine does nothing else, and is sent at once.
func TestOwnActionShows(t *testing.T) {
	t.Parallel()
	f := serve(t, day("activity", several(10)...))
	tab := f.open(`<laurel-board windows="day" user="u5"></laurel-board>`)
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

// A day of the heatmap tells its value by touch and by the keyboard; months and what the colors are stand beside.
func TestHeatmapTellsADay(t *testing.T) {
	t.Parallel()
	f := whole(t)
	tab := f.open(`<laurel-heatmap user="me"></laurel-heatmap>`, timeless())
	const of = `document.querySelector("laurel-heatmap").shadowRoot`
	until(tab, t, of+`?.querySelectorAll(".legend rect").length === 5`)
	months := browser.Eval[string](tab, t, `[...`+of+`.querySelectorAll("svg text")].map((t) => t.textContent).join()`)
	if months != "Oct,Nov" {
		t.Errorf("months %s", months)
	}
	browser.Eval[bool](tab, t, `{ [...`+of+`.querySelectorAll("[part=day]")].at(-2).dispatchEvent(new MouseEvent("click"));
		return true }`)
	until(tab, t, of+`.querySelector(".value").textContent === "November 19, 2026: 1 points"`)
	browser.Eval[bool](tab, t, `{ `+of+`.querySelector("svg").focus(); return true }`)
	harness.OK(t, chromedp.Do(tab, chromedp.KeyEvent(kb.ArrowLeft)))
	until(tab, t, of+`.querySelector(".value").textContent.startsWith("November 18, 2026: ")`)
}

// A frame without scripts of others shows what is new without loading itself again, and leaves a reader alone.
func TestFrameIsRead(t *testing.T) {
	t.Parallel()
	f := serve(t)
	f.frame = func(w io.Writer) {
		_ = embed.Page(w, f.boards["activity"], embed.Options{Lang: "en"})
	}
	f.boards["activity"] = day("activity", entry(1, 5, "Ann"))
	const timers = `window.setInterval = (f, ms) => { window.every = [f, ms] }`
	tab := browser.Open(chromium, t, f.url+"/embed/activity/day.html", first(timers))
	browser.Wait(tab, t, `document.body.textContent.includes("Ann") && window.every?.[1] === 300000`)
	f.set(func() { f.boards["activity"] = day("activity", entry(1, 9, "Bob")) })
	browser.Eval[bool](tab, t, `{ getSelection().selectAllChildren(document.querySelector("main"));
		await every[0](); return true }`)
	if !browser.Eval[bool](tab, t, `document.body.textContent.includes("Ann")`) {
		t.Error("the text is replaced under a reader's selection")
	}
	browser.Eval[bool](tab, t, `{ getSelection().removeAllRanges(); await every[0](); return true }`)
	browser.Wait(tab, t, `document.body.textContent.includes("Bob") &&
		performance.getEntriesByType("navigation").length === 1`)
	if browser.Eval[bool](tab, t, `!!document.querySelector("meta[http-equiv=refresh]")`) {
		t.Error("the frame loads itself again")
	}
}

// Who has won periods has a wreath, whose number is told to a screen reader, and by touch and keyboard.
func TestWreaths(t *testing.T) {
	t.Parallel()
	b := day("activity", several(3)...)
	b.Entries[1].Firsts, b.Entries[2].Firsts = 3, 1
	f := serve(t, b)
	tab := f.open(`<laurel-board windows="day"></laurel-board>`)
	const wreaths = `[...` + root + `.querySelectorAll(".wreath")]`
	browser.Wait(tab, t, drawn+` && `+wreaths+`.map(
		(w) => w.querySelector("summary").ariaLabel + w.innerText.trim()).join() === "3 first places3,1 first place1"`)
	browser.Eval[bool](tab, t, `{ `+wreaths+`[0].querySelector("summary").focus(); return true }`)
	harness.OK(t, chromedp.Do(tab, chromedp.KeyEvent(kb.Enter)))
	browser.Wait(tab, t, wreaths+`[0].innerText.includes("3 first places")`)
}

// A board that has just begun has the winners of the one before above it; a later one has not.
func TestWinnersAboveAYoungBoard(t *testing.T) {
	t.Parallel()
	b := day("activity", several(3)...)
	b.AsOf = b.StartsAt.Add(time.Hour)
	f := serve(t, b)
	f.won = []object{{
		"period": "2026-11-19", "endsAt": "2026-11-20T00:00:00Z", "final": false,
		"entries": []object{
			{"rank": 1, "score": 86, "user": object{"id": "kim", "name": "Kim", "firsts": 2}},
			{"rank": 2, "score": 85, "user": object{"id": "w", "name": strings.Repeat("W", 100)}},
		},
	}}
	tab := f.open(`<laurel-board windows="day"></laurel-board>`)
	browser.Wait(tab, t, `(`+root+`?.querySelector(".winners")?.innerText ?? "").replace(/\s+/g, " ").startsWith(
		"Winners: November 19, 2026 1st K Kim 2 86")`)
	tab = f.open(`<div style="display:grid;width:200px"><laurel-board windows="day"></laurel-board></div>`)
	browser.Wait(tab, t, root+`?.querySelector(".winners") != null`)
	if width := browser.Eval[int](tab, t, `document.querySelector("laurel-board").offsetWidth`); width > 200 {
		t.Errorf("winners are %d px wide in a sidebar of 200", width)
	}
	b.AsOf = b.StartsAt.Add(7 * time.Hour)
	f.set(func() { f.boards["activity"] = b })
	tab = f.open(`<laurel-board windows="day"></laurel-board>`, timeless())
	until(tab, t, drawn)
	if n := f.requests("/winners"); n != 2 || browser.Eval[bool](tab, t, root+`.querySelector(".winners") !== null`) {
		t.Errorf("an older board asks for winners, %d requests", n)
	}
}

// The hall of fame goes back to the first month.
func TestHallOfFame(t *testing.T) {
	t.Parallel()
	f := serve(t, day("activity"))
	for i := range 30 {
		month := time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC).AddDate(0, -i, 0)
		f.won = append(f.won, object{
			"period": month.Format("2006-01"), "endsAt": month.AddDate(0, 1, 0),
			"entries": []object{{"rank": 1, "score": 9, "user": object{"id": "kim", "name": fmt.Sprint("Kim ", i)}}},
		})
	}
	tab := f.open(`<main><h1>Forum</h1><laurel-winners></laurel-winners></main>`, tall)
	const hall = `document.querySelector("laurel-winners").shadowRoot`
	for _, months := range []string{"12", "24", "30"} {
		browser.Wait(tab, t, hall+`?.querySelectorAll(".period").length === `+months)
		browser.Eval[bool](tab, t, `{ `+hall+`.querySelector("button")?.click(); return true }`)
	}
	browser.Wait(tab, t, hall+`.querySelector("button") === null && `+
		hall+`.querySelector("section").innerText.replace(/\s+/g, " ").startsWith("Winners: October 2026 1st K Kim 0 9")`)
	for _, v := range browser.Violations(tab, t) {
		t.Error(v)
	}
}

// Winners say the same on a page without scripts as in the element.
func TestWinnersByBothRenderers(t *testing.T) {
	t.Parallel()
	b := day("activity")
	b.Window, b.Period, b.EndsAt = "month", "2026-11", time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	f := serve(t, b)
	for i := range 3 {
		month := time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC).AddDate(0, -i, 0)
		of := over("month", month, month.AddDate(0, 1, 0), several(3)...)
		of.Entries[0].Firsts, of.Entries[1].Firsts, of.Entries[2].ID = int64(i)+1, 12, ""
		of.Entries[2].Name, of.Entries[2].Link = "", ""
		b.Won = append(b.Won, of)
		f.won = append(f.won, object{"period": month.Format("2006-01"), "endsAt": of.EndsAt, "entries": f.piece(
			&http.Request{URL: &url.URL{Path: "/v1/boards/activity/month"}}, of)["entries"]})
	}
	f.frame = func(w io.Writer) { _ = embed.WinnersPage(w, b, embed.Options{Lang: "vi"}) }
	page := browser.Open(chromium, t, f.url+"/embed/activity/month/winners.html")
	want := spoken(page, t)
	tab := f.open(`<laurel-winners lang="vi"></laurel-winners>`, tall)
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

// A race moves for five seconds and once, its lines end where its people do, and all of them stand still for who
// prefers that, or where the address asks for it.
func TestRace(t *testing.T) {
	t.Parallel()
	b := over("month", now.AddDate(0, 0, -19), now.AddDate(0, 0, 11), several(4)...)
	b.Entries[0].Days = []int64{1, 2, 100}
	b.Entries[1].Days = []int64{0, 9, 99}
	b.Entries[2].Days = []int64{0, 0, 98}
	b.Entries[3].Days = []int64{3, 3, 97}
	f := serve(t)
	still := false
	f.frame = func(w io.Writer) { _ = embed.Race(w, b, embed.Options{Lang: "en", Still: still}) }
	const moving = `document.getAnimations().filter((a) => a.playState === "running").length`
	// at is where the heads are, and the ends of the lines.
	const at = `[...document.querySelectorAll(".h circle")].map((c) => {
		const { x, y, width, height } = c.getBoundingClientRect();
		return [x + width / 2, y + height / 2].map(Math.round).join() }).join(" ")`
	const ends = `[...document.querySelectorAll(".n")].map((l) => {
		const { x, y } = l.getPointAtLength(l.getTotalLength());
		return [x, y].map(Math.round).join() }).join(" ")`
	show := func(motion string) context.Context {
		return browser.Open(chromium, t, f.url+"/embed/race.html", browser.Media("prefers-reduced-motion", motion))
	}
	f.frame = paged(f.frame)
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
	finish := browser.Eval[string](tab, t, at)
	if end := browser.Eval[string](tab, t, ends); finish != end {
		t.Errorf("people end at %s, lines at %s", finish, end)
	}
	for _, still = range []bool{false, true} {
		tab := show(map[bool]string{false: "reduce", true: "no-preference"}[still])
		if n, where := browser.Eval[int](tab, t, moving), browser.Eval[string](tab, t, at); n > 0 || where != finish {
			t.Errorf("still %t: %d things move; %s, not %s", still, n, where, finish)
		}
	}
}

// paged writes a picture as a page, in which scripts can look at it.
func paged(picture func(io.Writer)) func(io.Writer) {
	return func(w io.Writer) {
		_, _ = io.WriteString(w, "<!doctype html><style>body{margin:0}svg{display:block}</style>")
		picture(w)
	}
}

// The own score opens and says what it is made of, in words; nothing of it is read before, or without a token.
func TestWhy(t *testing.T) {
	t.Parallel()
	f := serve(t, day("activity", entry(1, 40, "Ann"), entry(2, 12, "Me")))
	f.token = "a.b.c"
	kept := func(action, state string, points int, day string) object {
		e := object{"action": action, "state": state, "points": points, "day": day}
		if day == "" {
			delete(e, "day") // as of what is undone in its month
		}
		return e
	}
	f.kept = []object{
		kept("like", "counted", 2, "2026-11-20"), kept("comment", "counted", 3, "2026-11-20"),
		kept("comment", "counted", 3, "2026-11-20"), kept("like", "undone", 0, ""),
		kept("visit", "over_cap", 0, "2026-11-20"), kept("visit", "over_cap", 0, "2026-11-20"),
		kept("knit", "counted", 4, "2026-11-20"), kept("comment", "counted", 3, "2026-11-19"),
	}
	tab := f.open(`<laurel-board windows="day" user="u2" token-url="/token"></laurel-board>`, timeless())
	const why = root + `?.querySelector(".why")`
	until(tab, t, why+`?.innerText === "Why 12?"`)
	if n := f.requests("/entries"); n != 0 {
		t.Errorf("%d requests before it is opened", n)
	}
	browser.Eval[bool](tab, t, `{ `+why+`.querySelector("summary").click(); return true }`)
	until(tab, t, `[...`+why+`.querySelectorAll("li")].map((l) => l.textContent).join("; ") ===
		"1 like: 2 points; 2 comments: 6 points; 1 like taken back; 2 visits over the daily cap; 1 knit: 4 points"`)
	tab = f.open(`<laurel-board windows="day" user="u2"></laurel-board>`, timeless())
	until(tab, t, said+` !== ""`)
	if browser.Eval[bool](tab, t, why+` !== null`) {
		t.Error("it is offered without a token")
	}
}
