package browser_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"laurel/internal/browser"
	"laurel/internal/harness"
	"laurel/shared/api/embed"
	"laurel/shared/api/httpapi"
	"laurel/shared/core/board"
)

// A slowPhone has 1.6 Mbit/s, waits 150 ms for each answer and is a quarter as fast as this
// machine.
func slowPhone() []browser.Step {
	return []browser.Step{
		browser.Command(network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
			MatchedNetworkConditions: []*network.Conditions{{
				Latency: 150, DownloadThroughput: 1.6e6 / 8, UploadThroughput: 750e3 / 8,
			}},
		}),
		browser.Command(emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: 4}),
		chromedp.EmulateViewport(375, 800),
	}
}

// firstRows makes a page note when it has drawn text, and its board rows.
const firstRows = `window.text = new Promise((done) => new PerformanceObserver((list) => list.getEntries().forEach(
		(e) => e.name === "first-contentful-paint" && done(e.startTime))).observe({type: "paint", buffered: true}));
window.rows = new Promise((done) => {
	const there = () => document.querySelector("laurel-board")?.shadowRoot?.querySelector("tbody tr");
	const drawn = () => requestAnimationFrame(() => done(performance.now()));
	const look = () => requestAnimationFrame(() => there() ? drawn() : look());
	look();
})`

// BenchmarkSlowPhone measures when a slow phone draws a page's text and the first rows of its
// board, by the module and with the fragment in the page. The page has 30 paragraphs.
func BenchmarkSlowPhone(b *testing.B) {
	var fragment strings.Builder
	harness.OK(b, embed.Fragment(&fragment, day("activity", several(10)...), embed.Options{Lang: "en", Limit: 10}))
	for name, element := range map[string]string{
		"module": `<laurel-board windows="day"></laurel-board>`, "fragment": fragment.String(),
	} {
		b.Run(name, func(b *testing.B) {
			f := harness.NewForum(b, harness.Setup{Now: time.Now(), Clock: time.Now})
			for i := range 10 {
				f.Record(harness.Did(b, fmt.Sprintf("u%d visit 1", i), board.MomentOf(time.Now())))
			}
			api := httpapi.New(f.Requests(), httpapi.Query)
			page := html(`<h1>A forum</h1>` + element + strings.Repeat(`<p>What people say, in words of their own.</p>`, 30))
			f.ServeBy(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/" {
					w.Header().Set("Content-Type", "text/html; charset=utf-8")
					_, _ = io.WriteString(w, page)
				} else {
					api.ServeHTTP(w, r)
				}
			}))
			var text, rows float64
			for b.Loop() {
				address := harness.Must(visit(f.URL))(b)
				text, rows = text+address[0], rows+address[1]
			}
			b.ReportMetric(text/float64(b.N), "ms-to-text")
			b.ReportMetric(rows/float64(b.N), "ms-to-rows")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// visit opens a page on a slow phone and returns after how many ms it has text and rows.
func visit(address string) ([]float64, error) {
	tab, end, err := chromium.Tab()
	if err != nil {
		return nil, err //nolint:wrapcheck // it says all
	}
	defer end()
	tab, stop := context.WithTimeout(tab, time.Minute)
	defer stop()
	steps := append(slowPhone(),
		first(firstRows), chromedp.Navigate(address))
	if err := chromedp.Do(tab, steps...); err != nil {
		return nil, fmt.Errorf("browser: %w", err)
	}
	return chromedp.Run(tab, chromedp.Evaluate[[]float64](`Promise.all([window.text, window.rows])`,
		chromedp.EvalAwaitPromise))
}
