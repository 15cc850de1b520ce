package recovery_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/journal"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/pages"
	"laurel/shared/recovery"
	"laurel/shared/redisstore"
	"laurel/shared/state"
)

// BenchmarkRebuild merges rows of 50 a user, of three days: sorted by user into an empty
// and into a full Redis, and, to compare, in the order of their arrival by 500. It takes
// 100,000 rows, or what LAUREL_ROWS says.
func BenchmarkRebuild(b *testing.B) {
	rows := 100_000
	if text := os.Getenv("LAUREL_ROWS"); text != "" {
		rows, _ = strconv.Atoi(text)
	}
	l, now := harness.UTC(), harness.At(b, "2026-11-20T12:00")
	table := harness.Memory(b, now.Time)
	j, kept := journal.New(table), state.New(table, now.Time)
	rng := rand.New(rand.NewPCG(1, 2))
	var all []ledger.Row
	for n := 0; n < rows; n += 500 {
		entry := make([]ledger.Row, 500)
		at := now - board.Moment(rng.IntN(3*86_400_000))
		for i := range entry {
			action := []string{"visit", "like", "comment", "bookmark"}[rng.IntN(4)]
			entry[i] = ledger.Row{Changed: ledger.Own, Activity: activity.Activity{
				User: strconv.Itoa(1000 + rng.IntN(rows/50)), Action: action, Target: strconv.Itoa(rng.IntN(1000)), At: at,
			}}
		}
		if err := j.NewEntry(at).Put(b.Context(), entry...); err != nil {
			b.Fatal(err)
		}
		all = append(all, entry...)
	}
	stamp := redisstore.Stamp{Format: redisstore.Format, Shards: 1, Zone: "UTC", Generation: 1}
	if _, err := kept.PutFirst(b.Context(), stamp); err != nil {
		b.Fatal(err)
	}
	client := testserver.Redis(b)
	run := func(name string, empty bool, do func() error) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				if empty {
					client.FlushDB(b.Context())
				}
				b.StartTimer()
				if err := do(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(rows*b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
	store := live.New(client, l, 1)
	run("as they came", true, func() error {
		for part := range slices.Chunk(all, 500) {
			part = slices.Clone(part)
			slices.SortStableFunc(part, func(a, b ledger.Row) int { return cmp.Compare(a.User, b.User) })
			var users []pages.UserRows
			for from, to := 0, 0; from < len(part); from = to {
				for to < len(part) && part[to].User == part[from].User {
					to++
				}
				users = append(users, pages.UserRows{User: part[from].User, Rows: part[from:to]})
			}
			if _, err := store.Merge(b.Context(), users, false); err != nil {
				return err
			}
		}
		return nil
	})
	rebuild := func(all bool) func() error {
		return func() error {
			result, err := recovery.Rebuild(b.Context(), recovery.Options{
				Redis: client, Shards: 1, Ledger: l, State: kept, Journal: j, Archive: archive.New(table), Now: now, All: all,
			})
			if err == nil && result.Rows < int64(rows)*9/10 {
				err = fmt.Errorf("%+v", result)
			}
			return err
		}
	}
	run("by user into empty", true, rebuild(false))
	for day := journal.DayOf(now) - 70; day < journal.DayOf(now); day++ {
		_, err := j.Seal(b.Context(), day, func(_ board.Moment, row ledger.Row) (ledger.Row, bool) {
			return l.Compact(row), true
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	run("sealed, into empty", true, rebuild(false))
	run("sealed, into full", false, rebuild(true))
}
