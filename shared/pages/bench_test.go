package pages_test

import (
	"fmt"
	"testing"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
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
