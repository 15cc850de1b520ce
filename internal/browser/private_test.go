package browser_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"laurel/internal/browser"
	"laurel/shared/embed"
)

// friends is a board among friends, whose token is asked for at /token.
const friends = `<laurel-board windows="day" user="u2" friends token-url="/token"></laurel-board>`

// sent returns the tokens that requests were sent with.
func (f *forum) sent() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.tokens)
}

// forgets returns a failure for all tokens but those that are good.
func (f *forum) forgets(good ...string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok || slices.Contains(good, token) {
			return false
		}
		if f.gateway {
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, `{"message":"Forbidden"}`)
		} else {
			w.WriteHeader(http.StatusUnauthorized)
		}
		return true
	}
}

// The board among friends has the member's place among them, and those without points last.
func TestFriends(t *testing.T) {
	t.Parallel()
	b := day("activity", entry(1, 9, "Ann"), entry(2, 5, "Me"), entry(0, 0, "Zoe"))
	b.Entries[2].ID = "zoe"
	b.Standing = &embed.Standing{Rank: 2, Score: 5, ToNext: 5}
	f := serve(t, b)
	f.token = "a.b.c"
	tab := f.open(friends, timeless())
	until(tab, t, drawn)
	rows := browser.Eval[[]string](tab, t, `[...`+root+`.querySelectorAll("tbody tr")].map(
		r => r.innerText.replace(/\s+/g, ' '))`)
	if got := strings.Join(rows, "; "); got != "1 A Ann 9; 2 M Me you 5; – Z Zoe 0" {
		t.Errorf("%q", got)
	}
	browser.Wait(tab, t, text+`.includes("3 likes behind \u2068Ann\u2069, 1st. 12 hours left.")`)
	if f.requests("/users/u2/friends?") != 1 || f.requests(board+"?") != 0 ||
		!slices.Equal(f.sent(), []string{"a.b.c", "a.b.c"}) {
		t.Error(f.asked, f.sent())
	}
}

// The property token is a token or a function, and goes with nothing that is public.
func TestTokenProperty(t *testing.T) {
	t.Parallel()
	f := whole(t)
	one := `<laurel-board windows="day" user="u1" friends></laurel-board>`
	tab := f.open(one+one+one+`<laurel-board windows="day"></laurel-board>`, timeless(), tall)
	until(tab, t, text+`.includes("Not available.")`)
	browser.Eval[bool](tab, t, `{ ["a.b.c", () => "d.e.f", async () => "g.h.i"].forEach(
		(token, i) => document.querySelectorAll("laurel-board")[i].token = token); return true }`)
	until(tab, t, `[...document.querySelectorAll("laurel-board")].every((b) => b.shadowRoot?.querySelector("tbody tr"))`)
	sent := f.sent()
	if slices.Sort(sent); !slices.Equal(sent, []string{"a.b.c", "d.e.f", "g.h.i"}) {
		t.Error(sent)
	}
}

// A token that is rejected is asked for once more. There is no third time, until the next try
// a minute later.
func TestRejectedToken(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		element, set string
		good         string
		sent         []string
	}{
		"signed again":       {friends, `"2.b.c"`, "2.b.c", []string{"1.b.c", "2.b.c"}},
		"behind API Gateway": {friends, `"2.b.c"`, "2.b.c", []string{"1.b.c", "2.b.c"}},
		"rejected":           {friends, `"2.b.c"`, "", []string{"1.b.c", "2.b.c"}},
		"the same":           {friends, `"1.b.c"`, "", []string{"1.b.c"}},
		"a function": {
			strings.Replace(friends, ` token-url="/token"`, "", 1),
			`(document.querySelector("laurel-board").token = () => ++n + ".b.c")`, "2.b.c",
			[]string{"1.b.c", "2.b.c"},
		},
		"a text": {
			strings.Replace(friends, ` token-url="/token"`, "", 1),
			`(document.querySelector("laurel-board").token = "1.b.c")`, "",
			[]string{"1.b.c"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := whole(t)
			f.gateway = strings.HasPrefix(name, "behind")
			f.token = "1.b.c"
			f.fail = f.forgets(c.good)
			asked := f.fail
			f.fail = func(w http.ResponseWriter, r *http.Request) bool {
				rejected := asked(w, r)
				if rejected && strings.HasPrefix(c.set, `"`) {
					f.token = strings.Trim(c.set, `"`)
				}
				return rejected
			}
			// Who is first has nobody to overtake, so that one read needs a token.
			tab := f.open(strings.Replace(c.element, "u2", "u1", 1), timeless())
			if strings.HasPrefix(c.set, "(") {
				until(tab, t, text+`.includes("Not available.")`)
				browser.Eval[bool](tab, t, `{ let n = 0; return !!`+c.set+` }`)
			}
			want := drawn
			if c.good == "" {
				want = text + `.includes("Not available.")`
			}
			until(tab, t, want)
			pass(tab, t, 59e3)
			if sent := f.sent(); !slices.Equal(sent, c.sent) {
				t.Errorf("%v in place of %v", sent, c.sent)
			}
		})
	}
}

// A token is asked for once, whoever on the page needs it, and kept; a forum that signs none is
// asked again a minute later.
func TestTokenIsKept(t *testing.T) {
	t.Parallel()
	f := whole(t)
	f.token = "a.b.c"
	tab := f.open(friends+`<laurel-hide user="u2" token-url="/token"></laurel-hide>`, timeless(), tall)
	until(tab, t, drawn+` && document.querySelector("laurel-hide").shadowRoot?.querySelector("input")`)
	pass(tab, t, 600e3)
	if n := f.requests("/token"); n != 1 || len(f.sent()) < 9 {
		t.Errorf("a token is asked for %d times for %d requests", n, len(f.sent()))
	}
	f = whole(t)
	f.token = ""
	tab = f.open(friends, timeless())
	until(tab, t, text+`.includes("Not available.")`)
	pass(tab, t, 59e3)
	if n := f.requests("/token"); n != 1 {
		t.Errorf("a forum that signs no token is asked for one %d times", n)
	}
	f.set(func() { f.token = "a.b.c" })
	pass(tab, t, 60e3)
	until(tab, t, drawn)
}

// The switch says what holds, puts what is chosen, and says so still when it is seen again.
func TestHide(t *testing.T) {
	t.Parallel()
	f := whole(t)
	f.token = "a.b.c"
	tab := f.open(far+`<laurel-hide user="u 2" token-url="/token"></laurel-hide>`+far, timeless())
	const element = `document.querySelector("laurel-hide")`
	const box = element + `.shadowRoot?.querySelector("input")`
	show := func(to string) {
		browser.Eval[bool](tab, t, `{ `+to+`; await noticed(`+element+`); return true }`)
		pass(tab, t, 0)
	}
	show(element + `.scrollIntoView()`)
	until(tab, t, box+`?.checked`)
	browser.Eval[bool](tab, t, `{
		const heard = new Promise(done => addEventListener("laurel-change", (e) => done(e.detail.boards)));
		`+box+`.click(); window.heard = await heard; await calm(); return true }`)
	heard := browser.Eval[string](tab, t, `window.heard`)
	if n := f.requests("PUT /v1/users/u%202/visibility"); n != 1 || !f.hidden || heard != "hidden" {
		t.Errorf("%d requests, hidden %t, heard %s", n, f.hidden, heard)
	}
	show(`scrollTo(0, 0)`)
	show(element + `.scrollIntoView()`)
	until(tab, t, box+`.checked === false`)
	f.set(func() {
		f.fail = func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method == http.MethodPut {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
			return r.Method == http.MethodPut
		}
	})
	browser.Eval[bool](tab, t, `{ const heard = new Promise(done => addEventListener("laurel-error", done));
		`+box+`.click(); await heard; await calm(); return true }`)
	until(tab, t, box+`.checked === false`)
}

// Articles say which of them the visitor has voted for.
func TestHotWithVotes(t *testing.T) {
	t.Parallel()
	f := whole(t)
	f.token = "a.b.c"
	tab := f.open(`<laurel-hot user="u2" token-url="/token"></laurel-hot>`, timeless())
	const list = `[...document.querySelector("laurel-hot").shadowRoot?.querySelectorAll("li") ?? []]`
	until(tab, t, list+`.some(l => l.querySelector(".voted"))`)
	got := browser.Eval[[]string](tab, t, list+`.map(
		l => l.innerText.replace(/\n+/g, "|") + !!l.querySelector(".voted") + !!l.querySelector("a"))`)
	if strings.Join(got, "; ") != "A title|▲ 17 votes|Annfalsetrue; Another|▲ 1 vote|Deletedtruefalse" {
		t.Error(got)
	}
	if n := f.requests("/v1/users/u2/votes?article=1&article=2"); n != 1 {
		t.Error(f.asked)
	}
}

// A receipt moves the visitor's own row without a request, behind whoever was there first.
func TestEarned(t *testing.T) {
	t.Parallel()
	f := serve(t, day("activity", several(10)...))
	tab := f.open(`<laurel-board windows="day" user="u5"></laurel-board>`, timeless())
	until(tab, t, drawn)
	asked := f.requests("/boards/")
	got := browser.Eval[string](tab, t, `{ const { report } = await import("/embed/laurel.js");
		const rank = new Promise(done => addEventListener("laurel-rank", (e) => done(e.detail.from + " to " + e.detail.to)));
		report([{action: "like", target: "1"}], {token: "a.b.c"}); await tick(2000); const moved = await rank; await calm();
		const root = document.querySelector("laurel-board").shadowRoot;
		const rows = [...root.querySelectorAll("tr")].slice(1, 6).map(r => r.querySelector(".rank").firstChild.data +
			r.querySelector("bdi").textContent + " " + r.querySelector(".score").textContent);
		return [moved, root.querySelector("[role=status]").textContent, ...rows].join("; ") }`)
	if got != "5 to 3; You are 3rd.; 1User 1 100; 2User 2 99; 3User 5 99; 4User 3 98; 5User 4 97" {
		t.Error(got)
	}
	if n := f.requests("/boards/"); n != asked {
		t.Errorf("%d requests for boards", n-asked)
	}
}
