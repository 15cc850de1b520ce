package pages_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
)

// BenchmarkRecord records batches of new activities by a thousand users.
func BenchmarkRecord(b *testing.B) {
	for _, size := range []int{1, 100, 500} {
		b.Run(fmt.Sprintf("batch of %d", size), func(b *testing.B) {
			store := live.New(testserver.Redis(b), harness.UTC(), 1)
			noon := harness.At(b, "2026-11-20T12:00")
			n := 0
			for b.Loop() {
				acts := make([]activity.Activity, size)
				for i := range acts {
					n++
					acts[i] = activity.Activity{
						User: fmt.Sprint("user-", n%1_000), Action: []string{"like", "visit", "comment"}[n%3],
						Target: fmt.Sprint(n % 90_000), At: noon + board.Moment(n%3_600_000),
					}
				}
				harness.Record(b, store, acts...)
			}
			b.ReportMetric(float64(b.N*size)/b.Elapsed().Seconds(), "activities/s")
		})
	}
}

// BenchmarkRecordOfOneUser records ordinary requests, one of a user whose pages are full, and
// the largest one of one user. It tells the 99th percentile.
func BenchmarkRecordOfOneUser(b *testing.B) {
	noon := harness.At(b, "2026-11-30T12:00")
	marks := func(n, i int) string { return fmt.Sprintf("ann %s new-%d-%d", []string{"like", "visit"}[i%2], n, i) }
	follows := func(n, i int) string { return fmt.Sprintf("ann follow new-%d-%d", n, i) }
	for _, c := range []struct {
		name string
		full func(testing.TB, *live.Store, board.Moment)
		text func(n, i int) string
		size int
		of   int // users
	}{
		{"1 activity", nil, marks, 1, 1},
		{"1 activity, full pages", fillPages, marks, 1, 1},
		{"1 follow", nil, follows, 1, 1},
		{"1 follow, full list", fillFollows, follows, 1, 1},
		{"500 activities of 77 users", nil, marks, 500, 77},
		{"500 activities of one user", nil, marks, 500, 1},
	} {
		b.Run(c.name, func(b *testing.B) {
			store := live.New(testserver.Redis(b), harness.UTC(), 1)
			if c.full != nil {
				c.full(b, store, noon)
			}
			var took []time.Duration
			for n := 0; b.Loop(); n++ {
				var acts []activity.Activity
				for i := range c.size {
					a := harness.Did(b, c.text(n, i), noon+board.Moment(n%3_600_000))
					if a.User = fmt.Sprint("user-", n, "-", i%c.of); c.full != nil {
						a.User = "ann"
					}
					acts = append(acts, a)
				}
				began := time.Now()
				harness.Record(b, store, acts...)
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-us")
		})
	}
}

// fillFollows has ann follow as many as a list can have, and know as many as it keeps.
func fillFollows(tb testing.TB, store *live.Store, noon board.Moment) {
	tb.Helper()
	for from := range board.Moment((ledger.MaxFollows + ledger.MaxReplaced - 1) / ledger.MaxReplaced) {
		ids := make([]string, ledger.MaxReplaced)
		for i := range ids {
			ids[i] = fmt.Sprintf("%d-%060d", from, i)
		}
		if err := store.ReplaceFollowing(tb.Context(), "ann", ids, noon-100+from); err != nil {
			tb.Fatal(err)
		}
	}
}

// fillPages fills the page of November, and that of a day.
func fillPages(tb testing.TB, store *live.Store, noon board.Moment) {
	tb.Helper()
	for day := range 30 {
		var acts []activity.Activity
		for i := range 190 {
			text := fmt.Sprintf("ann %s %0100d", []string{"like", "bookmark", "visit"}[i%3], day*1_000+i)
			acts = append(acts, harness.Did(tb, text, noon-board.Moment(day*86_400_000-i)))
		}
		for _, r := range store.Record(tb.Context(), acts, ledger.Arrival{Now: noon, AnyAge: true}) {
			if r.Err != nil {
				tb.Fatal(r.Err)
			}
		}
	}
}

// BenchmarkRead reads a board of ten thousand in every way.
func BenchmarkRead(b *testing.B) {
	day := harness.Period(b, "2026-11-20")
	month := harness.Period(b, "2026-11")
	for _, shards := range []int{1, 8} {
		store := live.New(testserver.Redis(b), harness.UTC(), shards)
		acts := make([]activity.Activity, 0, 500)
		for i := range 10_000 {
			text := fmt.Sprintf("user-%d publish %d", i, i)
			if acts = append(acts, harness.Did(b, text, harness.At(b, "2026-11-20T12:00")+
				board.Moment(i%1_000))); len(acts) == cap(acts) {
				harness.Record(b, store, acts...)
				acts = acts[:0]
			}
		}
		for _, c := range []struct {
			name  string
			views []board.View
		}{
			{"page", []board.View{{Board: "activity", Period: day, Limit: 30}}},
			{"deep page", []board.View{{Board: "activity", Period: day, Limit: 30, Offset: 5_000}}},
			{"page and standing", []board.View{{Board: "activity", Period: day, Limit: 30, User: "user-5000"}}},
			{"standing and neighbours", []board.View{{Board: "activity", Period: day, User: "user-5000", Around: 5}}},
			{"standings", []board.View{
				{Board: "activity", Period: day, User: "user-5000"},
				{Board: "activity", Period: month, User: "user-5000"},
			}},
		} {
			b.Run(fmt.Sprintf("%s in %d shards", c.name, shards), func(b *testing.B) {
				for b.Loop() {
					if _, err := store.ReadAll(b.Context(), c.views); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		b.Run(fmt.Sprintf("days in %d shards", shards), func(b *testing.B) {
			for b.Loop() {
				if _, err := store.Days(b.Context(), "user-5000", day.First()-30, day.First()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
