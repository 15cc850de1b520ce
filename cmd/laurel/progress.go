package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/term"

	"laurel/shared/run/operate"
)

// watch shows how far a command is, and its findings, until it is stopped.
func (s streams) watch(name string) (w operate.Watch, stop func()) {
	var done atomic.Int64
	var last operate.Progress
	end := func() {}
	return operate.Watch{Found: func(line string) {
		if !s.json {
			_, _ = fmt.Fprintln(s.out, line)
		}
	}, Progress: func(p operate.Progress) {
		if done.Store(p.Done); p.Unit != "" && last.Unit == "" {
			end = watch(s.err, work{Name: name, Unit: p.Unit, Done: done.Load, Count: done.Load})
		}
		if p.Note != last.Note {
			_, _ = fmt.Fprintln(s.err, p.Note)
		}
		last = p
	}}, func() { end() }
}

const (
	barEvery  = 100 * time.Millisecond
	lineEvery = 3 * time.Second
	barWidth  = 20
)

// work is a long task that reports its progress. Its functions are called from another goroutine.
type work struct {
	Name  string
	Unit  string // the counted things: rows, users
	Total int64  // the total for Done, 0 when it is not known
	Done  func() int64
	Count func() int64 // of Unit
}

// watch shows the work until stop is called: on a terminal in one line with a bar, which is gone at the end, elsewhere
// in a line every few seconds. It says nothing about work that is done at once. stop may be called twice.
func watch(out io.Writer, w work) (stop func()) {
	began, ended, every, again, line := time.Now(), make(chan struct{}), lineEvery, "", "\n"
	if file, ok := out.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		every, again, line = barEvery, "\r\x1b[K", ""
	}
	var shown sync.WaitGroup
	shown.Go(func() {
		ticks := time.NewTicker(every)
		defer ticks.Stop()
		for {
			select {
			case <-ended:
				_, _ = io.WriteString(out, again)
				return
			case <-ticks.C:
				_, _ = fmt.Fprint(out, again, w.Name, ": ", w.far(time.Since(began), again != ""), line)
			}
		}
	})
	return sync.OnceFunc(func() { close(ended); shown.Wait() })
}

// far says how far the work is, how many there are, how fast it goes, and how long it takes yet.
func (w work) far(spent time.Duration, bar bool) string {
	n, done := w.Count(), min(w.Done(), w.Total)
	text := fmt.Sprintf("%d %s, %.0f a second", n, w.Unit, float64(n)/spent.Seconds())
	if done == 0 {
		return text
	}
	left := time.Duration(float64(spent) * float64(w.Total-done) / float64(done))
	text = fmt.Sprintf("%d%%, %s, %s left", 100*done/w.Total, text, left.Round(time.Second))
	if full := int(barWidth * done / w.Total); bar {
		text = "[" + strings.Repeat("#", full) + strings.Repeat(" ", barWidth-full) + "] " + text
	}
	return text
}
