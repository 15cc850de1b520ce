package browser

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// A Chromium opens tabs. It may be several programs: one that opens no tab is replaced.
type Chromium struct {
	mu      sync.Mutex
	running context.Context //nolint:containedctx // chromedp names a program by it
	stops   []func()
}

// Start starts a Chromium.
func Start() (*Chromium, error) {
	c := &Chromium{}
	if err := c.start(); err != nil {
		c.Stop()
		return nil, fmt.Errorf("browser: no Chromium (make setup installs one): %w", err)
	}
	return c, nil
}

func (c *Chromium) start() error {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.Flag("mute-audio", true),
		chromedp.Flag("js-flags", "--expose-gc"), chromedp.Flag("enable-precise-memory-info", true)) // to see leaks
	allocator, kill := chromedp.NewExecAllocator(context.Background(), options...)
	running, end := chromedp.NewContext(allocator)
	c.running, c.stops = running, append(c.stops, func() { end(); kill() })
	return chromedp.Do(running)
}

// Stop stops all programs, and closes their tabs.
func (c *Chromium) Stop() {
	for _, stop := range c.stops {
		stop()
	}
}

// A Step is something to do in a tab.
type Step = chromedp.Action[chromedp.Void]

// Open opens an address in a tab, which is closed with the test; the steps run in the tab first.
func (c *Chromium) Open(tb testing.TB, address string, steps ...Step) context.Context {
	tb.Helper()
	tab, end, err := c.Tab()
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(end)
	tab, stop := context.WithTimeout(tab, time.Minute)
	tb.Cleanup(stop)
	if err := chromedp.Do(tab, append(slices.Clone(steps), chromedp.Navigate(address))...); err != nil {
		tb.Fatal(err)
	}
	return tab
}

const (
	patience = 15 * time.Second // the time in which a tab is opened
	programs = 3                // the programs that are tried for a tab
)

// Tab opens a blank tab. Chromium 156 sometimes opens no window any more, while its tabs still work: then another
// program is started.
func (c *Chromium) Tab() (tab context.Context, end func(), err error) {
	for range programs {
		c.mu.Lock()
		running := c.running
		c.mu.Unlock()
		tab, end := chromedp.NewContext(running)
		opened := make(chan error, 1)
		go func() { opened <- chromedp.Do(tab) }()
		select {
		case err := <-opened:
			return tab, end, err
		case <-time.After(patience):
		}
		if err := c.replace(running); err != nil {
			return nil, nil, err
		}
	}
	return nil, nil, errors.New("browser: no Chromium opens a tab")
}

// replace starts another program, unless another test has replaced the stuck one.
func (c *Chromium) replace(stuck context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running != stuck {
		return nil
	}
	return c.start()
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
	v, err := eval[T](tab, script)
	if err != nil {
		tb.Fatalf("%s: %v", script, err)
	}
	return v
}

func eval[T any](tab context.Context, script string) (T, error) {
	return chromedp.Run(tab, chromedp.Evaluate[T]("(async () => "+script+")()", chromedp.EvalAwaitPromise))
}

// Wait waits until a script is true. It fails while the page is being left.
func Wait(tab context.Context, tb testing.TB, script string) {
	tb.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		holds, err := eval[bool](tab, script)
		if holds {
			return
		}
		if time.Now().Before(deadline) {
			continue
		}
		if err != nil {
			tb.Fatalf("%s: %v", script, err)
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
