package browser

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// Start starts a Chromium, in which Open opens tabs until it is stopped.
func Start() (chromium context.Context, stop func(), err error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.Flag("mute-audio", true),
		chromedp.Flag("js-flags", "--expose-gc"), chromedp.Flag("enable-precise-memory-info", true)) // to see leaks
	allocator, kill := chromedp.NewExecAllocator(context.Background(), options...)
	chromium, end := chromedp.NewContext(allocator)
	stop = func() { end(); kill() }
	if err := chromedp.Do(chromium); err != nil {
		stop()
		return nil, nil, fmt.Errorf("browser: no Chromium (make setup installs one): %w", err)
	}
	return chromium, stop, nil
}

// A Step is an act in a tab.
type Step = chromedp.Action[chromedp.Void]

// Open opens an address in a tab, which is closed with the test, after the steps before.
func Open(chromium context.Context, tb testing.TB, address string, before ...Step) context.Context {
	tb.Helper()
	tab, end := chromedp.NewContext(chromium)
	tb.Cleanup(end)
	tab, stop := context.WithTimeout(tab, time.Minute)
	tb.Cleanup(stop)
	if err := chromedp.Do(tab, append(slices.Clone(before), chromedp.Navigate(address))...); err != nil {
		tb.Fatal(err)
	}
	return tab
}

// Command returns the step of sending a command.
func Command[P, R any](c cdp.Command[P, R], params P) Step {
	return chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, c, params)
		return err
	})
}

// Media emulates features of CSS media, name after value.
func Media(pairs ...string) Step {
	var p emulation.SetEmulatedMediaParams
	for i := 0; i < len(pairs); i += 2 {
		p.Features = append(p.Features, &emulation.MediaFeature{Name: pairs[i], Value: pairs[i+1]})
	}
	return Command(emulation.SetEmulatedMedia, p)
}

// Eval evaluates a script, which may return a promise.
func Eval[T any](tab context.Context, tb testing.TB, script string) T {
	tb.Helper()
	v, err := chromedp.Run(tab, chromedp.Evaluate[T]("(async () => "+script+")()", chromedp.EvalAwaitPromise))
	if err != nil {
		tb.Fatalf("%s: %v", script, err)
	}
	return v
}

// Wait waits until a script is true.
func Wait(tab context.Context, tb testing.TB, script string) {
	tb.Helper()
	for deadline := time.Now().Add(20 * time.Second); !Eval[bool](tab, tb, script); time.Sleep(20 * time.Millisecond) {
		if time.Now().Before(deadline) {
			continue
		}
		body := Eval[string](tab, tb, `[...document.querySelectorAll("*")].map(e => e.shadowRoot?.innerHTML).join("\n")`)
		tb.Fatalf("%s:\n%.3000s", script, body)
	}
}

//go:embed testdata/axe-core-4.14.1.min.js
var axe string

// Violations returns the faults that hinder people on a page, by axe-core.
func Violations(tab context.Context, tb testing.TB) []string {
	tb.Helper()
	Eval[bool](tab, tb, `{ `+axe+`; return true }`)
	return Eval[[]string](tab, tb, `(await axe.run()).violations.map(`+
		`v => v.id + ": " + v.nodes.map(n => n.html + n.failureSummary).join("; "))`)
}
