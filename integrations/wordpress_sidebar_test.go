//go:build forums

package integrations_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"laurel/internal/browser"
	"laurel/internal/harness"
)

// shifted returns how much of a page has moved by itself.
const shifted = `{ await new Promise((done) => setTimeout(done, 600)); let sum = 0;
	await new Promise((done) => new PerformanceObserver((list) => {
		for (const e of list.getEntries()) sum += e.value; done(); }).observe({ type: "layout-shift", buffered: true }) ||
		setTimeout(done, 300)); return sum }`

// The block in a theme's sidebar shows a guest the members with their names, and a member the own row.
func TestWordPressBoardInTheSidebar(t *testing.T) {
	f := openWordPress(t)
	admin := f.admin()
	var all []*member
	for _, name := range []string{"Ann Lee", "Boris", "陈晓明", "Chiara", "Nguyễn Thị Lan", "Emeka"} {
		all = append(all, f.register(fmt.Sprint("member", len(all))))
		admin.rename(all[len(all)-1].id, name)
	}
	for n, title := range []string{
		"Where to begin with a sourdough", "What my first winter garden taught me", "A stove for two",
	} {
		post := all[n].post(title)
		for k, m := range all[:len(all)-n] {
			m.comment(post, 0, fmt.Sprint("Thanks, this is number ", k))
		}
	}
	f.send()
	start := f.sql("SELECT post_content FROM wp_posts WHERE post_title = 'Start'")
	page := strings.Join(start, "\n")
	picture := page[strings.Index(page, "<!-- wp:image"):strings.Index(page, "<!-- /wp:image -->")]
	admin.rest("POST", "/wp/v2/pages/"+f.sql("SELECT ID FROM wp_posts WHERE post_title = 'Start'")[0], map[string]any{
		"content": strings.Replace(page, picture, `<!-- wp:laurel/board {"windows":"day month"} /-->`+picture, 1),
	})

	chromium, err := browser.Start()
	harness.OK(t, err)
	t.Cleanup(chromium.Stop)
	tab := chromium.Open(t, f.site, chromedp.EmulateViewport(900, 900))
	browser.Wait(tab, t,
		`document.querySelector("laurel-board")?.shadowRoot?.textContent.includes("Nguyễn Thị Lan") === true`)
	if browser.Eval[bool](tab, t, `document.querySelector("laurel-board").getBoundingClientRect().left < innerWidth / 2`) {
		t.Error("the board is not in the sidebar")
	}
	shift := browser.Eval[float64](tab, t, shifted)
	if t.Logf("the page shifts by %.3f", shift); shift > .05 {
		t.Error("the page does not keep its place")
	}
	if !*harness.Update {
		return
	}
	taken := harness.Must(chromedp.Run(tab, chromedp.CaptureScreenshot()))(t)
	harness.OK(t, os.WriteFile("../docs/wordpress.png", taken, 0o644))
}
