package main

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/fair"
	"laurel/shared/store/items"
)

const (
	fairPeople = 100_000
	fairActs   = 30
	fairEvery  = 3_500 // people, with a ring, a giver of half of the likes to one other, and one of nearly half
)

// givers fills a table with the ledgers of a forum, each of 30 likes of posts of others, and of rings of 3 to 30. It
// returns how many groups and pairs are to be found.
func givers(tb testing.TB, l *ledger.Ledger) (store *items.Store, rings, pairs int) {
	tb.Helper()
	rng, now := rand.New(rand.NewPCG(1, 2)), board.MomentOf(harness.Noon)
	fill := newFiller(tb, l)
	month := fill.today().Month()
	ringLeft, ringSize := 0, 0
	for i := range fairPeople {
		toOne := 0 // likes of the next one
		switch i % fairEvery {
		case 0:
			ringSize = 3 + rings%28
			rings, ringLeft, pairs = rings+1, ringSize, pairs+ringSize
		case fairEvery / 2:
			toOne, pairs = fairActs/2, pairs+1
		case fairEvery - 2:
			toOne = fairActs/2 - 1
		}
		user, acts := fmt.Sprint("member-", i), make([]activity.Activity, fairActs)
		for n := range acts {
			other := rng.IntN(fairPeople)
			if n < toOne {
				other = i + 1
			}
			if ringLeft > 0 { // the next one of the ring, or the first
				if other = i + 1; ringLeft == 1 {
					other = i + 1 - ringSize
				}
			}
			acts[n] = activity.Activity{
				User: user, Action: "like", Target: fmt.Sprint("p", rng.IntN(1<<30)), Other: fmt.Sprint("member-", other),
				At: now - board.Moment(n)*3_600_000,
			}
		}
		ringLeft = max(ringLeft-1, 0)
		fill.add(user, acts, month, month-1)
	}
	fill.write()
	return fill.store, rings, pairs
}

// One pass of laurel fair over 100,000 people. It reports the seconds, and the memory beside the table.
func BenchmarkFair(b *testing.B) {
	l := ledger.New(activity.Default(), board.NewCalendar(time.UTC))
	store, rings, pairs := givers(b, l)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for b.Loop() {
		most := uint64(0)
		began := time.Now()
		found := harness.Must(fair.Run(context.Background(), fair.Options{
			Items: store, Ledger: l, Clock: func() time.Time { return harness.Noon }, Log: slog.New(slog.DiscardHandler),
		}, func(int64) {
			runtime.ReadMemStats(&after)
			most = max(most, after.HeapAlloc-min(before.HeapAlloc, after.HeapAlloc))
		}))(b)
		b.ReportMetric(time.Since(began).Seconds(), "s/pass")
		b.ReportMetric(float64(most>>20), "MB/pass")
		groups, listed := len(found.Groups), len(found.Pairs)
		if took := time.Since(began); groups != rings || listed != pairs || took > time.Minute || most > 512<<20 {
			b.Fatalf("%d of %d rings, %d of %d pairs, in %s with %d MB", groups, rings, listed, pairs, took, most>>20)
		}
	}
}

// A report of a like with the author beside it, and its bytes in the ledger.
func BenchmarkOther(b *testing.B) {
	l := ledger.New(activity.Default(), board.NewCalendar(time.UTC))
	now := board.MomentOf(harness.Noon)
	month := l.Calendar().Date(now).Month()
	for _, other := range []string{"", "bob"} {
		b.Run("other="+other, func(b *testing.B) {
			a := &ledger.Account{User: "ann", Months: map[board.MonthOf]*ledger.MonthLedger{month: nil}}
			decide := func(a *ledger.Account, n int) ledger.Decided {
				acts := make([]activity.Activity, n)
				for i := range acts {
					acts[i] = activity.Activity{
						User: "ann", Action: "like", Target: fmt.Sprint(100_000 + len(a.Months) + i), Other: other,
						At: now - board.Moment(i)*600_000,
					}
				}
				return harness.Must(l.DecideAccount(a, acts, ledger.Surroundings{
					Now: now, AnyAge: true, Today: l.Calendar().Date(now),
					PersonOf: func(id string) codec.PersonHash { return codec.PersonHash(codec.Hash(id)) },
				}))(b)
			}
			a = decide(a, 1_000).Account
			size := float64(len(a.Months[month].Encode()))
			for b.Loop() {
				copied := *a
				copied.Months = map[board.MonthOf]*ledger.MonthLedger{month: a.Months[month]}
				decide(&copied, 1)
			}
			b.ReportMetric(size/1_000, "B/entry")
		})
	}
}
