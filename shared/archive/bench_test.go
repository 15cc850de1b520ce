package archive_test

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"strconv"
	"testing"

	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/table/embedded"
)

// manyUsers is a board of n users that is generated while it is read, so that the memory
// is the archive's: scores fall slowly and ticks look random, as on a busy day.
func manyUsers(n int64) archive.Source {
	return archive.Source{Total: n, Entries: func(context.Context) iter.Seq2[board.Entry, error] {
		return func(yield func(board.Entry, error) bool) {
			const tie = 4_000 // users of one score, some seconds apart
			for i := range n {
				ticks := i%tie*21_000 + i*7_919%21_000
				if !yield(board.Entry{User: userAt(i, n), Packed: board.Pack(n/tie+1-i/tie, ticks)}, nil) {
					return
				}
			}
		}
	}}
}

// userAt returns the user at index i, from 0, of a board of n users.
func userAt(i, n int64) string { return strconv.FormatInt(100_000+i*7_919%(8*n), 10) }

// manyWritten returns a store with a final day of n users.
func manyWritten(tb testing.TB, n int64) *embedded.Store {
	tb.Helper()
	store := open(tb)
	if _, err := archive.New(store).Write(tb.Context(), "activity", day, manyUsers(n), 0); err != nil {
		tb.Fatal(err)
	}
	return store
}

// BenchmarkWrite makes a day of so many users final and reports DynamoDB's units: for a
// million at most 20,000 for writing, under 100 for any read. The memory is the process's
// after it; it does not grow with the board.
func BenchmarkWrite(b *testing.B) {
	for _, n := range []int64{1_000_000, 4_000_000} {
		b.Run(fmt.Sprintf("%d users", n), func(b *testing.B) {
			for b.Loop() {
				store := open(b)
				a := archive.New(store)
				report, err := a.Write(b.Context(), "activity", day, manyUsers(n), 0)
				if err != nil {
					b.Fatal(err)
				}
				_, write := store.Units()
				b.ReportMetric(write, "write-units")
				b.ReportMetric(float64(report.Bytes)/float64(n), "bytes/user")
				b.ReportMetric(float64(report.Pages+report.Indexes+1), "items")
				reportReads(b, store, n)
			}
			var memory runtime.MemStats
			runtime.ReadMemStats(&memory)
			b.ReportMetric(float64(memory.Sys)/(1<<20), "MB-memory")
		})
	}
}

// reportReads reports the read units of the top, of a page in the middle, and of a rank
// there.
func reportReads(b *testing.B, store *embedded.Store, n int64) {
	b.Helper()
	a := archive.New(store)
	units := func(read func() error) float64 {
		before, _ := store.Units()
		if err := read(); err != nil {
			b.Fatal(err)
		}
		after, _ := store.Units()
		return after - before
	}
	v := board.View{Board: "activity", Period: day, Limit: 30}
	b.ReportMetric(units(func() error { _, err := a.Read(b.Context(), v); return err }), "top-read-units")
	v.Offset = n / 2
	b.ReportMetric(units(func() error { _, err := a.Read(b.Context(), v); return err }), "page-read-units")
	page, err := a.Read(b.Context(), v)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(units(func() error {
		rank, err := a.Rank(b.Context(), "activity", day, page.Places[0].User)
		if rank != page.Places[0].Rank {
			b.Fatalf("rank %d, want %d", rank, page.Places[0].Rank)
		}
		return err
	}), "rank-read-units")
}

// BenchmarkFriends reads friends on a final day of a million users, and reports the units.
func BenchmarkFriends(b *testing.B) {
	const users = 1_000_000
	store := manyWritten(b, users)
	a := archive.New(store)
	for _, k := range []int64{30, 150, 300, 5_000} {
		friends := make([]string, k)
		for i := range friends {
			friends[i] = userAt(int64(i)*(users/k)+7, users)
		}
		b.Run(fmt.Sprint(k), func(b *testing.B) {
			before, _ := store.Units()
			for b.Loop() {
				if places, _, err := a.Friends(b.Context(), "activity", day, friends); err != nil || int64(len(places)) != k {
					b.Fatal(len(places), err)
				}
			}
			after, _ := store.Units()
			b.ReportMetric((after-before)/float64(b.N), "read-units")
		})
	}
}

// BenchmarkErase erases users from a final day of a million users, and reports the units.
func BenchmarkErase(b *testing.B) {
	const users = 1_000_000
	store := manyWritten(b, users)
	a := archive.New(store)
	read, written := store.Units()
	i := int64(0)
	for b.Loop() {
		if was, err := a.Erase(b.Context(), "activity", day, userAt(i*7_001%users, users)); err != nil || !was {
			b.Fatal(was, err)
		}
		i++
	}
	readAfter, writtenAfter := store.Units()
	b.ReportMetric((readAfter-read)/float64(i), "read-units")
	b.ReportMetric((writtenAfter-written)/float64(i), "write-units")
}
