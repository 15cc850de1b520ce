package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

const (
	barEvery  = 100 * time.Millisecond
	lineEvery = 3 * time.Second
)

// work is something long that tells how far it is: on a terminal with a bar,
// elsewhere with a line every few seconds. Its functions are called from another
// goroutine.
type work struct {
	Name  string
	Unit  string // what is counted: rows, users
	Total int64  // of what Done tells, 0 when it is not known
	Done  func() int64
	Count func() int64 // of Unit
}

// watch shows the work until stop is called; stop may be called twice. It leaves the
// terminal clean, and says nothing about work that is done at once.
func watch(out io.Writer, w work) (stop func()) {
	m := &meter{work: w, out: out, began: time.Now(), ended: make(chan struct{})}
	var done sync.WaitGroup
	if file, ok := out.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		done.Go(m.bar)
	} else {
		done.Go(m.lines)
	}
	return sync.OnceFunc(func() {
		close(m.ended)
		done.Wait()
	})
}

type meter struct {
	work
	out   io.Writer
	began time.Time
	ended chan struct{}
}

// bar draws a bar by how much of the input is done.
func (m *meter) bar() {
	total := m.Total
	if total == 0 {
		total = -1 // a spinner
	}
	bar := progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(m.out),
		progressbar.OptionSetDescription(m.Name),
		progressbar.OptionSetPredictTime(false), // told here, with what is counted
		progressbar.OptionSetWidth(20),
		progressbar.OptionClearOnFinish(),
	)
	bar.Describe(m.Name)
	_ = bar.RenderBlank() // at once, as the first rows may take a while
	ticks := time.NewTicker(barEvery)
	defer ticks.Stop()
	for {
		select {
		case <-m.ended:
			_ = bar.Clear()
			return
		case <-ticks.C:
			done := m.Done()
			if m.Total > 0 {
				done = min(done, m.Total-1) // it would end itself
			}
			bar.Describe(m.Name + ": " + m.counted())
			_ = bar.Set64(done)
		}
	}
}

// lines writes a line every few seconds.
func (m *meter) lines() {
	ticks := time.NewTicker(lineEvery)
	defer ticks.Stop()
	for {
		select {
		case <-m.ended:
			return
		case <-ticks.C:
			share := ""
			if m.Total > 0 {
				share = fmt.Sprintf("%d%%, ", 100*min(m.Done(), m.Total)/m.Total)
			}
			_, _ = fmt.Fprintf(m.out, "%s: %s%s\n", m.Name, share, m.counted())
		}
	}
}

// counted says how many there are, how fast it goes, and how long it takes yet.
func (m *meter) counted() string {
	spent := time.Since(m.began)
	n := m.Count()
	text := fmt.Sprintf("%d %s, %.0f a second", n, m.Unit, float64(n)/spent.Seconds())
	if done := m.Done(); m.Total > 0 && done > 0 {
		left := time.Duration(float64(spent) * float64(max(m.Total-done, 0)) / float64(done))
		text += fmt.Sprintf(", %s left", left.Round(time.Second))
	}
	return text
}
