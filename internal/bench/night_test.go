package main

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/catchup"
	"laurel/shared/forum/night"
	"laurel/shared/run/app"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
	"laurel/shared/store/view/memory"
)

// Two archives begin at once while a month is due: one makes its board, the other leaves it. It reports the seconds of
// the one, and the memory beside the table.
func BenchmarkNight(b *testing.B) {
	for _, people := range []int{testserver.Times(5_000, 150_000), testserver.Times(10_000, 1_000_000)} {
		b.Run(fmt.Sprint(people), func(b *testing.B) { nights(b, people) })
	}
}

func nights(b *testing.B, people int) {
	b.Helper()
	l := ledger.New(activity.Default(), board.NewCalendar(time.UTC))
	for b.Loop() {
		rows := dueMonth(b, l, people)
		var most uint64
		stop := watchHeap(&most)
		began := time.Now()
		results := make([]night.Result, 2)
		var both sync.WaitGroup
		for i := range results {
			both.Go(func() { results[i] = harness.Must(night.Tick(b.Context(), archive(l, rows)))(b) })
		}
		both.Wait()
		took := time.Since(began)
		stop()
		made := slices.Concat(results[0].Moved, results[1].Moved)
		if len(made) != 1 || len(made[0].Boards) != 1 || made[0].Boards[0].Entries != int64(people) {
			b.Fatalf("%+v", results)
		}
		b.ReportMetric(took.Seconds(), "s/month")
		b.ReportMetric(float64(most>>20), "MB/month")
	}
}

// archive returns the nights of a process on a table, which compares no view.
func archive(l *ledger.Ledger, rows items.Table) night.Options {
	nights := appInMemory(l, rows).Nights()
	nights.CatchUp = func(context.Context, catchup.Request) (r catchup.Result, err error) { return r, nil }
	return nights
}

// appInMemory is a process on a table at noon, with a view of its own.
func appInMemory(l *ledger.Ledger, rows items.Table) *app.App {
	c := &app.Config{
		Calendar: l.Calendar(), Rules: l.Rules(), Shards: 1, HotDays: 3, HotMonths: 2, LedgerMonths: 13,
		Tokens: app.Tokens{Audiences: []string{"laurel"}},
	}
	o := app.Defaults(c)
	o.Log, o.Clock, o.Wait = slog.New(slog.DiscardHandler), func() time.Time { return harness.Noon }, time.Nanosecond
	return app.New(c, func(o view.Options) view.View { return memory.New(o) }, rows, o)
}

// dueMonth fills a table with ledgers of a month whose board is closed, and is due to be made.
func dueMonth(b *testing.B, l *ledger.Ledger, people int) items.Table {
	b.Helper()
	fill := newFiller(b, l)
	month := fill.today().Month() - 3
	fill.beginAt(month, month)
	fill.change(func(h *items.Head) (err error) {
		h.Life, err = h.Life.Apply(board.PeriodOf(board.Month, month.First()), board.EventClose,
			board.MomentOf(harness.Noon.Add(-time.Hour)))
		return err
	})
	for i := range people {
		user, acts := fmt.Sprint("member-", i), make([]activity.Activity, 10)
		for n := range acts {
			acts[n] = activity.Activity{
				User: user, Action: "like", Target: fmt.Sprint("p", (i*31+n)%1_000_003),
				At: l.Calendar().Start(month.First()) + board.Moment((i*7_919+n*100_003)%2_592_000)*1_000,
			}
		}
		fill.add(user, acts, month)
	}
	fill.write()
	return fill.store.Table()
}

// nightGB is the memory beside the table from which garbage is collected more often, as a function has a limit.
const nightGB = 1 << 30

// watchHeap notes the largest heap beside the present one, until stop is called.
func watchHeap(most *uint64) (stop func()) {
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	was := debug.SetMemoryLimit(int64(before.HeapAlloc) + nightGB)
	end, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-end:
				return
			case <-time.After(100 * time.Millisecond):
				runtime.ReadMemStats(&now)
				*most = max(*most, now.HeapAlloc-min(before.HeapAlloc, now.HeapAlloc))
			}
		}
	}()
	return func() {
		close(end)
		<-done
		debug.SetMemoryLimit(was)
	}
}
