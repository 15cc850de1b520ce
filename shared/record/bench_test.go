package record_test

import (
	"fmt"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/record"
)

// BenchmarkRecord records likes of new targets: one activity alone, 100 users at once, 10 users with 10 each.
func BenchmarkRecord(b *testing.B) {
	for _, of := range []struct{ users, each int }{{1, 1}, {100, 1}, {10, 10}} {
		b.Run(fmt.Sprintf("%dx%d", of.users, of.each), func(b *testing.B) {
			now := board.MomentOf(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
			w := newWalked(b, harness.UTC(), now, 1)
			n := 0
			for b.Loop() {
				acts := make([]activity.Activity, 0, of.users*of.each)
				for i := range of.users * of.each {
					n++
					acts = append(acts, activity.Activity{
						User: fmt.Sprint("user-", (n/of.each*7+i/of.each)%5000), Action: "like", Target: fmt.Sprint("a", n%977), At: now,
					})
				}
				results, err := w.Record(b.Context(), acts, record.Arrival{Now: now})
				if err != nil || results[0].Err != nil {
					b.Fatal(err, results[0].Err)
				}
			}
		})
	}
}
