package main

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"laurel/internal/browser"
)

// The one Chromium of these tests starts for the first that opens a page.
var (
	startChromium = sync.OnceValues(func() (running context.Context, err error) {
		running, stopChromium, err = browser.Start()
		return running, err
	})
	stopChromium = func() {}
)

func chromium(t *testing.T) context.Context {
	t.Helper()
	running, err := startChromium()
	if err != nil {
		t.Fatal(err)
	}
	return running
}

// shown is a development server with a board of some people, and articles.
func shown(t *testing.T, args ...string) (base string) {
	t.Helper()
	base, _, _ = dev(t, append(args, "--now", "2026-11-20T12:00:00Z")...)
	var users, done, articles []string
	for i, name := range []string{"Ann Bell", "陈晓明", "Trần Thị Mai", "محمد علي", "<b>Eve</b>", strings.Repeat("Long ", 12)} {
		id := fmt.Sprintf("u%d", i+1)
		users = append(users, fmt.Sprintf(`{"id":%q,"name":%q,"link":"https://forum.example/u/%s"}`, id, strings.TrimSpace(name), id))
		done = append(done, fmt.Sprintf(`{"action":"like","target":"x","user":%q,"at":"2026-11-19T12:00:00Z"}`, id))
		for j := range 6 - i {
			done = append(done, fmt.Sprintf(`{"action":"publish","target":"a%d-%d","user":%q}`, i, j, id))
		}
		articles = append(articles, fmt.Sprintf(`{"title":"What %d people think","author":{"id":%q},"link":"https://forum.example/%d"}`, i+2, id, i))
	}
	send(t, base, http.MethodPut, "/v1/users", `{"users":[`+strings.Join(users, ",")+`]}`)
	send(t, base, http.MethodPost, "/v1/activities", `{"activities":[`+strings.Join(done, ",")+`]}`)
	send(t, base, http.MethodPut, "/v1/users/u3/following", `{"users":[{"id":"u1"},{"id":"u5"}]}`)
	for _, a := range articles {
		send(t, base, http.MethodPost, "/v1/articles", a)
	}
	return base
}

// send sends a request of the service.
func send(t *testing.T, base, method, path, body string) {
	t.Helper()
	_, token, _ := get(t, base+"/dev/token?user=forum&scope=laurel/service")
	r, err := http.NewRequestWithContext(t.Context(), method, base+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+strings.TrimSpace(token))
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if answer.StatusCode >= http.StatusBadRequest {
		t.Fatalf("%s %s: %d", method, path, answer.StatusCode)
	}
}

// A foreign site has pages of its own, with a Content-Security-Policy.
type foreign struct{ policy, head, body, script string }

// open opens the site's page, of another origin than the API. What its policy forbids is in
// window.forbidden.
func (f foreign) open(t *testing.T, before ...browser.Step) context.Context {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/page.js" {
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write([]byte(f.script))
			return
		}
		if f.policy != "" {
			w.Header().Set("Content-Security-Policy", f.policy)
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(w, `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>A forum</title>%s<body>%s</body></html>`,
			f.head, f.body)
	}))
	t.Cleanup(site.Close)
	watch := `window.forbidden = []; addEventListener("securitypolicyviolation", (e) => forbidden.push(e.violatedDirective + " " + e.blockedURI));`
	before = append(before, browser.Command(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: watch}))
	return browser.Open(chromium(t), t, site.URL, before...)
}

// pictured writes what a tab shows into the folder of LAUREL_PICTURES, if there is one.
func pictured(tab context.Context, t *testing.T, name string) {
	t.Helper()
	if folder := os.Getenv("LAUREL_PICTURES"); folder != "" {
		savePicture(tab, t, folder+"/"+name+".png")
	}
}

// drawnAll is true when all elements of a page have something to show.
const drawnAll = `[...document.querySelectorAll("*")].filter(e => e.localName.startsWith("laurel-")).every(
	e => e.shadowRoot?.querySelector(".board > :not([name=error])"))`

// elements are all of them, of a member.
const elements = `<main><h1>A forum</h1><laurel-board windows="day month" user="u3" periods></laurel-board>
	<laurel-board windows="day" layout="podium" user="u3"></laurel-board><laurel-board windows="day" user="u3" friends></laurel-board>
	<laurel-standing user="u3"></laurel-standing><laurel-heatmap user="u3"></laurel-heatmap><laurel-hot user="u3"></laurel-hot>
	<laurel-hide user="u3"></laurel-hide></main>`

// On a page of another origin, with a policy that allows the API and nothing inline, all
// elements work by the module of the immutable address: reads, those with a token, writes and
// reports.
func TestForeignOriginWithStrictPolicy(t *testing.T) {
	t.Parallel()
	base := shown(t)
	_, owner, _ := get(t, base+"/embed/")
	named := regexp.MustCompile(`data-hash="([0-9a-f]+)" data-integrity="([^"]+)"`).FindStringSubmatch(owner)
	_, token, _ := get(t, base+"/dev/token?user=u3")
	module := base + "/embed/laurel." + named[1] + ".js"
	tab := foreign{
		policy: "default-src 'self' " + base + "; require-trusted-types-for 'script'",
		head:   fmt.Sprintf(`<script type="module" src=%q integrity=%q crossorigin="anonymous"></script><script type="module" src="/page.js"></script>`, module, named[2]),
		body:   elements,
		script: fmt.Sprintf(`import { report } from %q; const token = %q; window.like = () => report({action: "like", target: "42"}, { token });
			for (const e of document.querySelectorAll("[user]")) e.token = async () => token;`, module, strings.TrimSpace(token)),
	}.open(t, chromedp.EmulateViewport(900, 3000))
	browser.Wait(tab, t, drawnAll)
	const score = `document.querySelector("laurel-board").shadowRoot.querySelector(".mine .score").textContent`
	if got := browser.Eval[string](tab, t, score); got != "50" {
		t.Error(got)
	}
	friends := browser.Eval[string](tab, t, `document.querySelector("[friends]").shadowRoot.querySelector("tbody").innerText.replace(/\s+/g, " ")`)
	if !strings.Contains(friends, "Ann Bell") || strings.Contains(friends, "陈晓明") {
		t.Error(friends)
	}
	pictured(tab, t, "foreign-strict-policy")
	browser.Eval[bool](tab, t, `{ like(); return true }`)
	browser.Wait(tab, t, score+` === "52"`)
	browser.Eval[bool](tab, t, `{ document.querySelector("laurel-hide").shadowRoot.querySelector("input").click(); return true }`)
	for deadline := 0; ; deadline++ {
		if _, board, _ := get(t, base+"/v1/boards/activity/day"); !strings.Contains(board, `"u3"`) {
			break
		} else if deadline > 500 {
			t.Fatal("the switch has not hidden the member")
		}
		browser.Eval[bool](tab, t, `{ await new Promise(done => setTimeout(done, 20)); return true }`)
	}
	if forbidden := browser.Eval[[]string](tab, t, `forbidden`); len(forbidden) > 0 {
		t.Errorf("the policy forbids %v", forbidden)
	}
}

// Styles that reset everything, and pages laid out by tables, leave the elements readable: as
// wide as their place, with one line to a row.
func TestForeignStyles(t *testing.T) {
	t.Parallel()
	base := shown(t)
	for name, f := range map[string]foreign{
		"reset": {
			head: `<style>*,*::before,*::after{all:unset!important;display:inline!important;text-transform:uppercase!important;color:red}</style>`,
			body: elements,
		},
		"tables": {
			head: `<style>body{background:#e5e5e5;font:11px Verdana;color:#000}td,th,p,li{font-size:11px;line-height:1;letter-spacing:2px}
				table{border:1px solid #98aab1}td{padding:4px;background:#d1d7dc;white-space:nowrap;text-align:center}a{color:#069!important;text-decoration:underline}
				img{border:3px solid}span{display:block;float:left}div{width:50px}input{width:100%}h2{text-transform:uppercase}</style>`,
			body: `<table width="100%" cellspacing="1" cellpadding="4"><tr><td width="180" valign="top">
				<laurel-board windows="day" user="u3" layout="compact"></laurel-board><laurel-standing user="u3"></laurel-standing></td>
				<td valign="top"><center><font size="1"><laurel-board windows="day month" user="u3"></laurel-board>
				<laurel-board windows="day" layout="podium"></laurel-board><laurel-hot></laurel-hot></font></center></td></tr></table>`,
		},
	} {
		f.head = `<script type="module" src="` + base + `/embed/laurel.js"></script>` + f.head
		f.body = strings.NewReplacer(`<laurel-board windows="day" user="u3" friends></laurel-board>`, "",
			`<laurel-heatmap user="u3"></laurel-heatmap>`, "", `<laurel-hide user="u3"></laurel-hide>`, "").Replace(f.body)
		for _, width := range []int64{1000, 375} {
			tab := f.open(t, chromedp.EmulateViewport(width, 1600))
			browser.Wait(tab, t, drawnAll)
			wrong := browser.Eval[[]string](tab, t, `[...document.querySelectorAll("*")].filter(e => e.shadowRoot).flatMap(({localName, shadowRoot: r}) => {
				const heights = [...r.querySelectorAll("tbody tr")].map(e => e.offsetHeight), b = r.querySelector(".board"), s = getComputedStyle(b);
				return [Math.max(...heights) - Math.min(...heights) > 3 && localName + " rows of " + heights, b.scrollWidth > b.clientWidth && localName + " overflows",
					s.textTransform !== "none" && s.textTransform, s.letterSpacing !== "normal" && s.letterSpacing,
					heights[0] && getComputedStyle(r.querySelector("td.name")).textAlign !== "start" && "text aligned"].filter(Boolean) })`)
			if len(wrong) > 0 {
				t.Errorf("%s, %d px: %v", name, width, wrong)
			}
			pictured(tab, t, fmt.Sprintf("foreign-%s-%d", name, width))
		}
	}
}

// What an owner chooses on /embed/ is shown, and is in the snippets, which work on a page of
// another origin: the module, the frame and the picture.
func TestOwnersPage(t *testing.T) {
	t.Parallel()
	base := shown(t)
	tab := browser.Open(chromium(t), t, base+"/embed/", chromedp.EmulateViewport(1200, 1700))
	browser.Wait(tab, t, drawnAll+` && document.querySelector("pre") !== null`)
	pictured(tab, t, "owner-desktop-light")
	choose := func(name, value string) {
		browser.Eval[bool](tab, t, fmt.Sprintf(`{ const c = document.forms[0][%q]; if (c.type === "checkbox") c.checked = true; else c.value = %q;
			c.dispatchEvent(new Event("input", {bubbles: true})); c.dispatchEvent(new Event("change", {bubbles: true})); return true }`, name, value))
	}
	for name, value := range map[string]string{"layout": "podium", "limit": "4", "user": `u"3`, "lang": "vi", "periods": "", "colored": "", "accent": "#aa0055"} {
		choose(name, value)
	}
	snippets := browser.Eval[[]string](tab, t, `[...document.querySelectorAll("pre")].map(p => p.textContent)`)
	for _, want := range []string{` layout="podium"`, ` limit="4"`, ` user="u&quot;3"`, ` lang="vi"`, ` periods`, `style="--laurel-accent: #aa0055"`} {
		if !strings.Contains(snippets[0], want) {
			t.Errorf("the snippet lacks %s: %s", want, snippets[0])
		}
	}
	browser.Wait(tab, t, `document.querySelector("#live laurel-board[layout=podium][lang=vi]")?.shadowRoot?.querySelectorAll(".place").length === 3`)
	choose("theme", "dark")
	browser.Wait(tab, t, drawnAll)
	for _, v := range browser.Violations(tab, t) {
		t.Error(v)
	}
	pictured(tab, t, "owner-desktop-dark")
	for element, piece := range map[string]string{"standing": "laurel-standing", "heatmap": "laurel-heatmap", "hot": "laurel-hot"} {
		choose("element", element)
		if browser.Eval[int](tab, t, `document.querySelectorAll("#live `+piece+`").length`) != 1 {
			t.Errorf("%s is not shown", piece)
		}
	}
	pasted := foreign{body: "<h1>Paste</h1>" + snippets[0] + snippets[2] + snippets[4]}.open(t, chromedp.EmulateViewport(900, 1500))
	browser.Wait(pasted, t, drawnAll+` && document.querySelector("img").naturalWidth === 440`)
	if frame := frameOf(pasted, t); !strings.HasPrefix(frame, base+"/embed/activity/day.html?") {
		t.Errorf("the frame shows %s", frame)
	}
	pictured(pasted, t, "owner-pasted")
	phone := browser.Open(chromium(t), t, base+"/embed/", chromedp.EmulateViewport(375, 2600), browser.Media("prefers-color-scheme", "dark"))
	browser.Wait(phone, t, drawnAll+` && document.querySelector("pre") !== null`)
	if browser.Eval[bool](phone, t, `document.documentElement.scrollWidth > innerWidth`) {
		t.Error("the page scrolls sideways on a phone")
	}
	pictured(phone, t, "owner-phone-dark")
}

// frameOf returns what the first frame of a page shows.
func frameOf(tab context.Context, t *testing.T) string {
	t.Helper()
	tree, err := chromedp.Run(tab, func(ctx context.Context, tab *chromedp.Target) (page.GetFrameTreeResult, error) {
		return cdp.Call(ctx, tab, page.GetFrameTree, cdp.Empty{})
	})
	if err != nil || len(tree.FrameTree.ChildFrames) == 0 {
		t.Fatalf("no frame: %v", err)
	}
	return cmp.Or(tree.FrameTree.ChildFrames[0].Frame.UnreachableURL, "") + tree.FrameTree.ChildFrames[0].Frame.URL
}

// A page in a frame and a picture say what they should when they are opened themselves; only
// the origins that --embed-origins lists have the page in a frame.
func TestFrameAndPicture(t *testing.T) {
	t.Parallel()
	base := shown(t, "--embed-origins", "https://forum.example")
	for _, scheme := range []string{"light", "dark"} {
		tab := browser.Open(chromium(t), t, base+"/embed/activity/day.html?user=u6&limit=3&lang=zh", chromedp.EmulateViewport(375, 700),
			browser.Media("prefers-color-scheme", scheme))
		text := browser.Eval[string](tab, t, `document.querySelector("tbody").innerText.replace(/\s+/g, " ")`)
		if !strings.HasPrefix(text, "1 A Ann Bell 70 2 陈 陈晓明 60 3 T Trần Thị Mai 50 ⋯ 5 ") || !strings.HasSuffix(text, "Long 我 20") {
			t.Error(text)
		}
		for _, v := range browser.Violations(tab, t) {
			if !strings.HasPrefix(v, "meta-refresh: ") { // a frame has no other way to be recent
				t.Errorf("%s: %s", scheme, v)
			}
		}
		pictured(tab, t, "frame-"+scheme)
		svg := browser.Open(chromium(t), t, base+"/embed/activity/day.svg?limit=6", browser.Media("prefers-color-scheme", scheme))
		got := browser.Eval[string](svg, t, `[document.querySelector("title").textContent, document.querySelector("desc").textContent,
			document.querySelectorAll("g").length, getComputedStyle(document.querySelector("rect")).fill].join("; ")`)
		fill := map[string]string{"light": "rgb(255, 255, 255)", "dark": "rgb(13, 17, 23)"}[scheme]
		if !strings.HasPrefix(got, "Activity, Today; 1. Ann Bell: 70; 2. 陈晓明: 60;") || !strings.HasSuffix(got, "; 6; "+fill) {
			t.Error(got)
		}
		background := map[string]string{"light": "#fff;color:#1f2328", "dark": "#0d1117;color:#f0f6fc"}[scheme]
		readme := foreign{
			head: `<style>body{font:16px/1.5 system-ui;max-width:50em;margin:2em auto;background:` + background + `}</style>`,
			body: `<h1>our-forum</h1><p>The software of our forum. <img src="` + base + `/embed/users/u3/activity/day.svg" alt="u3"></p>
				<h2>Most active today</h2><p><img src="` + base + `/embed/activity/day.svg?limit=6" alt="Activity"></p>`,
		}.open(t, chromedp.EmulateViewport(900, 560), browser.Media("prefers-color-scheme", scheme))
		browser.Wait(readme, t, `[...document.images].every(i => i.naturalWidth > 0)`)
		pictured(readme, t, "readme-"+scheme)
	}
	refused := foreign{body: `<iframe src="` + base + `/embed/activity/day.html"></iframe>`}.open(t)
	if frame := frameOf(refused, t); !strings.Contains(frame, "chrome-error:") {
		t.Errorf("a page of no listed origin has a frame with %s", frame)
	}
	_, errs, code := laurel(t, "", "dev", "--embed-origins", "forum.example")
	if code != exitUsage || !strings.Contains(errs, "is not an origin") {
		t.Errorf("%d, %s", code, errs)
	}
}
