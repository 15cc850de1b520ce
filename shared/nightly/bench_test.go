package nightly_test

import (
	"fmt"
	"runtime"
	"strconv"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/journal"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/nightly"
	"laurel/shared/state"
	"laurel/shared/table"
)

// BenchmarkNight is the night of a day on which so many users did one thing each, in
// requests of ten: the first run merges all of it into an empty Redis, the measured one
// proves it again, seals the day and makes it final. The memory is the process's, with the
// embedded table.
func BenchmarkNight(b *testing.B) {
	for _, users := range []int{100_000, 1_000_000} {
		b.Run(fmt.Sprintf("%d users", users), func(b *testing.B) {
			for b.Loop() {
				s := &harness.Stores{Client: testserver.Redis(b), Ledger: harness.UTC(), Kept: harness.Memory(b, keptTime)}
				s.Live = live.New(s.Client, s.Ledger, 1)
				fillDay(b, s, users)
				began := time.Now()
				o := s.Night(tonight - 3*aDay) // nothing is due
				o.Journal, o.Merger, o.State = journal.New(s.Kept), s.Live, state.New(s.Kept, keptTime)
				first := runOf(b, o, int64(users))
				b.ReportMetric(float64(users)/time.Since(began).Seconds(), "mended-rows/s")
				if err := s.Kept.Delete(b.Context(), sealOf("2026-11-20")); err != nil {
					b.Fatal(err)
				}
				read, written := s.Kept.Units()
				began = time.Now()
				o.Now = tonight
				result := runOf(b, o, 0)
				readAfter, writtenAfter := s.Kept.Units()
				b.ReportMetric(time.Since(began).Seconds(), "night-s")
				b.ReportMetric(result.Proof.Seconds, "proof-s")
				b.ReportMetric(first.Proof.Seconds, "first-proof-s")
				b.ReportMetric(readAfter-read, "read-units")
				b.ReportMetric(writtenAfter-written, "write-units")
				b.ReportMetric(result.Moved[0].WriteUnits, "board-write-units")
			}
			var memory runtime.MemStats
			runtime.ReadMemStats(&memory)
			b.ReportMetric(float64(memory.Sys)/(1<<20), "MB-memory")
		})
	}
}

func sealOf(day string) table.Key { return table.Key{Partition: "SEALS", Sort: day} }

// fillDay puts a day of users who visit a page each, of which Redis has nothing.
func fillDay(b *testing.B, s *harness.Stores, users int) {
	b.Helper()
	j := journal.New(s.Kept)
	start := harness.At(b, "2026-11-20T00:00")
	for i := 0; i < users; i += 10 {
		at := start + board.Moment(int64(i)*int64(aDay)/int64(users))
		rows := make([]ledger.Row, 10)
		for k := range rows {
			a := activity.Activity{User: strconv.Itoa(100_000 + (i+k)*7_919%(8*users)), Action: "visit", Target: "7", At: at}
			rows[k] = ledger.Row{Activity: a, Changed: ledger.Own}
		}
		if err := j.NewEntry(at).Put(b.Context(), rows...); err != nil {
			b.Fatal(err)
		}
	}
}

// runOf runs once, which mends so many rows.
func runOf(b *testing.B, o nightly.Options, mended int64) nightly.Result {
	b.Helper()
	result, err := nightly.Run(b.Context(), o)
	if err != nil || len(result.Failed)+len(result.Left) > 0 || result.Proof.Mended != mended {
		b.Fatalf("%+v, %v", result, err)
	}
	return result
}
