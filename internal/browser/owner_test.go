package browser_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"laurel/internal/browser"
	"laurel/internal/harness"
	"laurel/shared/api/httpapi"
	"laurel/shared/core/board"
)

// ownerForum is a Laurel under a path of its host, with a board of 14 people, whose leader is maya. It returns its
// address.
func ownerForum(t *testing.T) string {
	t.Helper()
	f := harness.NewForum(t, harness.Setup{Now: time.Now(), Clock: time.Now})
	for i := range 14 {
		user := fmt.Sprintf("u%d", i)
		if i == 13 {
			user = "maya"
		}
		for target := range i + 1 {
			f.Record(harness.Did(t, fmt.Sprintf("%s visit %d", user, target), board.MomentOf(time.Now())))
		}
	}
	api := http.StripPrefix("/forum/laurel", httpapi.New(f.Requests(), httpapi.Query))
	f.ServeBy(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/forum/laurel/") && r.URL.Path != "/favicon.ico" { // an icon that browsers request
			t.Errorf("%s is not under the path of Laurel", r.URL.Path)
		}
		api.ServeHTTP(w, r)
	}))
	return f.URL + "/forum/laurel"
}

// coded is a script that is true when the page for owners has code.
const coded = `document.querySelector("#snippets pre") !== null`

// ownerPage opens the page for owners with choices, as its address has them.
func ownerPage(t *testing.T, address, choices string, before ...browser.Step) context.Context {
	t.Helper()
	before = append([]browser.Step{chromedp.EmulateViewport(1200, 1600)}, before...)
	return chromium.Open(t, address+"/embed/?lang=en&"+choices, before...)
}

// codes returns the texts that can be copied, by name.
func codes(tab context.Context, t *testing.T) map[string]string {
	t.Helper()
	browser.Wait(tab, t, coded)
	return browser.Eval[map[string]string](tab, t, `Object.fromEntries([...document.querySelectorAll(".snippet")].map(
		(s) => [s.querySelector("h3").textContent, s.querySelector("pre").textContent]))`)
}

// paste returns the address of a page of another origin with code in it, under a policy.
func paste(t *testing.T, code, policy string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, `<!doctype html><html lang="en"><title>A forum</title><body>`+code+`</body></html>`)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// Code for a member has USER_ID and names its writer, not the leader, who is only in the preview; a member who was
// chosen is in the code, which says that everybody sees that one.
func TestOwnerCodeNamesNoLeader(t *testing.T) {
	t.Parallel()
	address := ownerForum(t)
	for _, element := range []string{"board&own=on", "friends", "standing", "heatmap", "history", "hide", "hot&token=/t"} {
		tab := ownerPage(t, address, "element="+element)
		all := codes(tab, t)
		for name, code := range all {
			if strings.Contains(code, "maya") || !strings.Contains(code, "USER_ID") {
				t.Errorf("%s, %s: %s", element, name, code)
			}
			said := browser.Eval[int](tab, t, `[...document.querySelectorAll(".snippet")].filter(
				(s) => /USER_ID: your forum writes/.test(s.textContent)).length`)
			if said != len(all) {
				t.Errorf("%s: %d of %d name the writer of USER_ID", element, said, len(all))
			}
		}
	}
	tab := ownerPage(t, address, "element=standing&user=u3")
	for name, code := range codes(tab, t) {
		if !strings.Contains(code, "u3") || !strings.Contains(code, "Every visitor sees this one member") {
			t.Errorf("%s: %s", name, code)
		}
	}
	tab = ownerPage(t, address, "element=standing")
	browser.Wait(tab, t, `document.querySelector("#live laurel-standing[user=maya]")?.shadowRoot
		?.querySelector(".rank") != null`)
}

// Code of each element works where it is pasted, on a page of another origin: for any page, and under exactly the
// policy that strict code names. Numbers are as people write them.
func TestOwnerCodeWorksWhereItIsPasted(t *testing.T) {
	t.Parallel()
	address := ownerForum(t)
	policies := regexp.MustCompile(`<!-- Content-Security-Policy of the page: (.*) -->`)
	for element, tag := range map[string]string{
		"board": "laurel-board", "friends": "laurel-board", "standing": "laurel-standing", "heatmap": "laurel-heatmap",
		"hot": "laurel-hot", "winners": "laurel-winners", "hide": "laurel-hide",
		"history": "laurel-history",
	} {
		tab := ownerPage(t, address, "element="+element+"&limit=7")
		browser.Wait(tab, t, coded)
		if wrong := browser.Eval[string](tab, t, `[...document.querySelectorAll("#snippets")][0].textContent`); regexp.
			MustCompile(`\d\.\d{3}`).MatchString(wrong) {
			t.Errorf("%s: %s", element, wrong)
		}
		all := codes(tab, t)
		plain := all["For a page: the module, always the newest"]
		strict := all["For a page with a strict policy: exactly this module"]
		policy := policies.FindStringSubmatch(strict)
		if policy == nil || strings.Contains(policy[1], "unsafe") {
			t.Errorf("%s: no strict policy: %s", element, strict)
			continue
		}
		for code, policy := range map[string]string{plain: "", strict: "default-src 'none'; " + policy[1]} {
			tab := chromium.Open(t, paste(t, code, policy), first(`window.forbidden = [];
				addEventListener("securitypolicyviolation", (e) => forbidden.push(e.violatedDirective + " " + e.blockedURI));`))
			if !strings.Contains(code, "<"+tag) || !strings.Contains(code, "min-height") {
				t.Errorf("%s: no tag or no style: %s", element, code)
			}
			browser.Wait(tab, t, `document.querySelector("`+tag+`").shadowRoot?.querySelector(".board > *") != null`)
			if found := browser.Eval[[]string](tab, t, `forbidden.filter((f) => !f.includes("favicon"))`); len(found) > 0 {
				t.Errorf("%s: %v: %s", element, found, code)
			}
		}
	}
}

// Each form without a script is there, too: a frame is as high as its content, in a sidebar and on a page.
func TestOwnerFrameCutsNothing(t *testing.T) {
	t.Parallel()
	address := ownerForum(t)
	source := regexp.MustCompile(`src="([^"]+)".* height="(\d+)"`)
	for _, choices := range []string{
		"element=board&limit=10&user=u3", "element=board&limit=10&user=u1",
		"element=board&limit=3&user=maya", "element=board&limit=13",
		"element=board&limit=10&user=u3&layout=podium", "element=winners&limit=1",
	} {
		frame := source.FindStringSubmatch(codes(ownerPage(t, address, choices), t)["Without JavaScript: a frame"])
		if frame == nil {
			t.Fatalf("%s: no frame", choices)
		}
		for _, width := range []int64{320, 700} {
			tab := chromium.Open(t, strings.ReplaceAll(frame[1], "&amp;", "&"), chromedp.EmulateViewport(width, 100))
			browser.Wait(tab, t, `document.querySelector("main")?.offsetHeight > 0`)
			high := browser.Eval[int](tab, t, `document.documentElement.scrollHeight`)
			room := harness.Must(strconv.Atoi(frame[2]))(t)
			if t.Logf("%s, %d px wide: %d px of %d", choices, width, high, room); high > room {
				t.Errorf("%s, %d px wide: the frame has %d px for %d", choices, width, room, high)
			}
		}
	}
}

// An error in a choice is beside its field, and the code lacks the choice.
func TestOwnerErrorsAreBesideTheirFields(t *testing.T) {
	t.Parallel()
	address := ownerForum(t)
	for choices, want := range map[string][2]string{
		"element=board&limit=0":       {"limit", "A whole number from 1 to 100."},
		"element=hot&limit=101":       {"limit", "A whole number from 1 to 100."},
		"element=winners&limit=32":    {"limit", "A whole number from 1 to 31."},
		"element=winners&top=11":      {"top", "A whole number from 1 to 10."},
		"element=heatmap&days=63":     {"days", "A whole number from 1 to 62."},
		"element=board&limit=":        {"limit", "A whole number from 1 to 100."},
		"element=board&board=nothing": {"board", "No such board. The boards are: activity, steps."},
		"element=standing&user=" + strings.Repeat("%C6%B0", 33): {
			"user", "An id has 1 to 64 bytes, and no blanks around it.",
		},
		"element=hide&token=javascript:1": {"token", "An address, such as"},
	} {
		tab := ownerPage(t, address, choices)
		browser.Wait(tab, t, `document.querySelector("#snippets p") !== null`)
		said := browser.Eval[[]string](tab, t, `{ const field = document.forms[0].elements["`+want[0]+`"];
			const beside = document.getElementById(field.getAttribute("aria-describedby"));
			return [field.ariaInvalid, beside?.textContent ?? "", String(field.closest("label").nextElementSibling === beside),
				String(document.querySelectorAll("pre, #live > *").length)] }`)
		if said[0] != "true" || !strings.HasPrefix(said[1], want[1]) || said[2] != "true" || said[3] != "0" {
			t.Errorf("%s: %q", choices, said)
		}
	}
	tab := ownerPage(t, address, "element=standing&user=nobody")
	browser.Wait(tab, t, `document.getElementById("wrong-user")?.textContent === "No member has this id."`)
	choose(tab, t, "user", "u3")
	browser.Wait(tab, t, `document.getElementById("wrong-user") === null`)
	choose(tab, t, "element", "board")
	browser.Eval[bool](tab, t, `{ for (const box of document.querySelectorAll("[name=tab]")) box.click(); return true }`)
	browser.Wait(tab, t, `document.getElementById("wrong-windows")?.textContent === "Choose at least one." &&
		!(`+coded+`)`)
}

// choose sets a field of the page for owners.
func choose(tab context.Context, t *testing.T, name, value string) {
	t.Helper()
	browser.Eval[bool](tab, t, fmt.Sprintf(`{ const field = document.forms[0].elements[%q]; field.value = %q;
		for (const event of ["input", "change"]) field.dispatchEvent(new Event(event, { bubbles: true }));
		return true }`, name, value))
}

// The preview is as wide as a sidebar or a phone, and dark, if that is chosen; choices stay when the page is loaded
// again, or read in another language.
func TestOwnerPreviewsSizes(t *testing.T) {
	t.Parallel()
	tab := ownerPage(t, ownerForum(t), "")
	for _, width := range []string{"200", "375"} {
		choose(tab, t, "width", width)
		browser.Wait(tab, t, `document.querySelector("#live laurel-board")?.offsetWidth === `+width)
	}
	choose(tab, t, "theme", "dark")
	choose(tab, t, "layout", "compact")
	const dark = `document.querySelector("#live.dark laurel-board[layout=compact]")?.shadowRoot
		?.querySelector("tbody tr") != null &&
		getComputedStyle(document.getElementById("live")).backgroundColor === "rgb(20, 23, 27)"`
	browser.Wait(tab, t, dark)
	harness.OK(t, chromedp.Do(tab, chromedp.Reload()))
	browser.Wait(tab, t, dark+` && document.querySelector("#live laurel-board").offsetWidth === 375`)
	browser.Eval[bool](tab, t, `{ document.querySelector("nav [lang=de]").click(); return true }`)
	browser.Wait(tab, t, dark+` && document.querySelector("h1").textContent === "Laurel auf Ihren Seiten"`)
}

// All texts are in each language, and nothing hinders people; the page's links and files are found under a path, with
// a slash after /embed and without one.
func TestOwnerPageSpeaks(t *testing.T) {
	t.Parallel()
	address := ownerForum(t)
	for i, lang := range []string{"en", "zh", "vi", "de"} {
		tab := chromium.Open(t, address+[]string{"/embed", "/embed/"}[i%2]+"?element=winners&limit=0&lang="+lang)
		browser.Wait(tab, t, `document.querySelector("#snippets p") !== null && document.documentElement.lang === "`+lang+`"`)
		choose(tab, t, "limit", "5")
		browser.Wait(tab, t, coded)
		missing := browser.Eval[[]string](tab, t, `{ const { words } = await import(document.baseURI + "words.js");
			const { words: english } = await import(document.baseURI + "words.js?lang=en");
			return [...document.querySelectorAll("[data-say]")].map((e) => e.dataset.say)
				.concat(Object.keys(english)).filter((k) => !words[k]) }`)
		if len(missing) > 0 {
			t.Errorf("%s: no words for %v", lang, missing)
		}
		for _, v := range browser.Violations(tab, t) {
			t.Errorf("%s: %s", lang, v)
		}
		if broken := browser.Eval[[]string](tab, t, `(await Promise.all([
			...document.querySelectorAll("[src], [href]:not(base)")].map(
			async (e) => (await fetch(e.src || e.href)).ok ? "" : e.outerHTML))).filter(Boolean)`); len(broken) > 0 {
			t.Errorf("%s: %s", lang, broken)
		}
	}
}

// Before its script is there, and without one, the page for owners names its boxes, and shows lines that work.
func TestOwnerPageWithoutScript(t *testing.T) {
	t.Parallel()
	off := emulation.SetScriptExecutionDisabledParams{Value: true}
	tab := chromium.Open(t, ownerForum(t)+"/embed", browser.Command(emulation.SetScriptExecutionDisabled, off))
	unnamed := browser.Eval[[]string](tab, t, `[...document.querySelectorAll("input, select")].filter(
		(e) => !e.disabled && !e.closest("fieldset:disabled") || !e.labels[0]?.textContent.trim()).map((e) => e.name)`)
	if len(unnamed) > 0 {
		t.Errorf("boxes without a name: %v", unnamed)
	}
	if !browser.Eval[bool](tab, t, `/laurel-board/.test(document.body.innerText) &&
		document.querySelector("h2").innerText !== ""`) {
		t.Error("without a script the page says nothing")
	}
}

// An owner whose Laurel cannot be reached sees that, and may try again.
func TestOwnerPageTriesAgain(t *testing.T) {
	t.Parallel()
	tab := ownerPage(t, ownerForum(t), "", first(`{ const real = fetch; window.off = true;
		window.fetch = (...all) => (window.off ? Promise.reject(new TypeError("off")) : real(...all)) }`))
	browser.Wait(tab, t, `document.getElementById("trouble").textContent.startsWith("Laurel cannot be reached.")`)
	browser.Eval[bool](tab, t, `{ window.off = false; document.querySelector("#trouble button").click(); return true }`)
	browser.Wait(tab, t, coded+` && document.getElementById("trouble").textContent === ""`)
}

// Each option of a board is in its code and in its preview.
func TestOwnerChoosesOptions(t *testing.T) {
	t.Parallel()
	address := ownerForum(t)
	for _, option := range []string{"points", "columns", "bars", "link", "periods", "more"} {
		tab := ownerPage(t, address, option+"=on")
		browser.Wait(tab, t, `document.querySelector("#live laurel-board[`+option+`]")?.shadowRoot
			?.querySelector("[part~=row]") != null`)
		code := codes(tab, t)["For a page: the module, always the newest"]
		if !regexp.MustCompile(`<laurel-board[^>]* ` + option + `[ >]`).MatchString(code) {
			t.Errorf("%s: %s", option, code)
		}
	}
}

// A race and winners are previewed, and have pictures to copy; the switch and days are examples.
func TestOwnerPreviewsEachElement(t *testing.T) {
	t.Parallel()
	tab := ownerPage(t, ownerForum(t), "")
	for element, shown := range map[string]string{
		"race": "img", "winners": "laurel-winners", "heatmap": "laurel-heatmap", "hide": "laurel-hide[inert]",
		"hot":     "laurel-hot",
		"friends": "laurel-board:not([friends], [token-url])",
	} {
		choose(tab, t, "element", element)
		browser.Wait(tab, t, `{ const e = document.querySelector("#live `+shown+`");
			return e != null && (e.naturalWidth > 400 || e.shadowRoot?.querySelector(".board > *") != null) }`)
		all, drawn := codes(tab, t), element == "race" || element == "winners"
		if drawn != strings.HasPrefix(all["A picture"], "<img src=") {
			t.Errorf("%s: %v", element, all)
		}
	}
	choose(tab, t, "element", "race")
	choose(tab, t, "board", "steps")
	browser.Wait(tab, t, `document.getElementById("note").textContent.startsWith("There is no race yet")`)
}

// Pages have relative links to their neighbours: Laurel may be under a path.
func TestPagesLinkRelatively(t *testing.T) {
	t.Parallel()
	absolute := regexp.MustCompile("[\"'`(=]/(embed|v1|dev|demo|openapi)\\b[^\"'`]*")
	for _, pattern := range []string{"../../web/demo/*.[hjc]*", "../../web/embed/page/*.[hjc]*"} {
		for _, name := range harness.Must(filepath.Glob(pattern))(t) {
			if found := absolute.FindString(string(harness.Must(os.ReadFile(name))(t))); found != "" {
				t.Errorf("%s has %s", name, found)
			}
		}
	}
}
