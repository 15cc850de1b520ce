package ledger_test

import (
	"fmt"
	"testing"
	"time"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
)

// BenchmarkDecideAccount reads a user's item, decides on activities and writes the item: what
// recording costs in Go, for one user.
func BenchmarkDecideAccount(b *testing.B) {
	for _, size := range []struct{ entries, acts int }{{100, 1}, {100, 10}, {600, 1}, {600, 10}} {
		b.Run(fmt.Sprintf("ledger of %d, %d activities", size.entries, size.acts), func(b *testing.B) {
			item, acts := userItem(b, size.entries), []activity.Activity{}
			around := ledger.Surroundings{Now: board.MomentOf(time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)), HotDays: 3}
			for i := range size.acts {
				acts = append(acts, activity.Activity{
					User: "1", Action: []string{"like", "bookmark", "comment"}[i%3], Target: fmt.Sprint(900_000 + i*7),
					At: around.Now - board.Moment(i),
				})
			}
			gone := newAccounts(defaults())
			for d := november.First(); d < november.First()+26; d++ {
				at := board.PeriodOf(board.Day, d)
				gone.apply(b, board.EventClose, at)
				gone.apply(b, board.EventMake, at)
				gone.apply(b, board.EventRemove, at)
			}
			l := gone.ledger
			around.Life = gone.life
			b.ReportAllocs()
			for b.Loop() {
				m, err := ledger.DecodeMonthLedger(item)
				if err != nil {
					b.Fatal(err)
				}
				a := &ledger.Account{User: "1", Months: map[board.MonthOf]*ledger.MonthLedger{november: m}}
				d, err := l.DecideAccount(a, acts, around)
				if err != nil || len(d.Changed) != 1 || len(d.Account.Months[november].Encode()) <= len(item) {
					b.Fatalf("%+v, %v", d, err)
				}
			}
		})
	}
}

// userItem makes a user's item with so many month entries spread over November.
func userItem(tb testing.TB, entries int) []byte {
	tb.Helper()
	s, start := newAccounts(defaults()), board.MomentOf(time.Date(2026, 11, 1, 8, 0, 0, 0, time.UTC))
	step := board.Moment((29 * 24 * time.Hour).Milliseconds() / int64(entries))
	var acts []activity.Activity
	for i := range entries {
		acts = append(acts, activity.Activity{
			User: "1", Action: []string{"like", "bookmark", "publish"}[i%3], Target: fmt.Sprint(100_000 + i*37),
			At: start + step*board.Moment(i),
		})
	}
	s.record(tb, acts, ledger.Arrival{Now: board.Latest, AnyAge: true})
	return s.items["1"][november]
}
