package ledger_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
)

// hostile returns the largest ledgers that one token makes by the default rules: in a month everything that the limits
// let in with the longest keys, and each entry undone, done again and undone at the end of the month.
func hostile(t tb) *accounts {
	s, n := newAccounts(defaults()), 0
	user := fmt.Sprintf("%064d", 0)
	record := func(moment board.Moment, acts ...activity.Activity) {
		for i := range acts {
			acts[i].User, acts[i].ByUser = user, true
			if acts[i].At = moment + board.Moment(i); acts[i].Action == "comment" || acts[i].Action == "uncomment" {
				continue
			}
			acts[i].Ref = ""
		}
		for some := range slices.Chunk(acts, 100) {
			s.record(t, some, ledger.Arrival{Now: some[len(some)-1].At})
		}
	}
	var kept []activity.Activity
	for day := range 31 {
		var acts []activity.Activity
		for _, action := range []string{"like", "bookmark", "comment", "follow", "visit"} {
			for range max(105, 210-30*day) {
				n++
				long := fmt.Sprintf("%022d", n)
				acts = append(acts, activity.Activity{Action: action, Target: long, Ref: long})
			}
		}
		noon := board.MomentOf(time.Date(2026, time.December, 1+day, 12, 0, 0, 0, time.UTC))
		record(noon, acts...)
		kept = append(kept, acts...)
	}
	again := slices.DeleteFunc(kept, func(a activity.Activity) bool { return a.Action == "visit" })
	end := board.MomentOf(time.Date(2026, time.December, 31, 20, 0, 0, 0, time.UTC))
	for i, undo := range []string{"un", "", "un"} {
		acts := slices.Clone(again)
		for j := range acts {
			acts[j].Action = undo + acts[j].Action
		}
		record(end+board.Moment(i)*3_600_000, acts...)
	}
	return s
}

// One token's ledger stays below DynamoDB's limit, for any activities.
func TestAHostileTokensLedgerIsBounded(t *testing.T) {
	t.Parallel()
	s := hostile(t)
	for user, items := range s.items {
		for month, item := range items {
			if len(item) > ledger.MaxItem {
				t.Errorf("%d bytes in %s", len(item), month)
			}
			listed := harness.Must(s.ledger.ListedOf(s.account(t, user, month)))(t)
			t.Logf("%s: %d bytes, %d entries", month, len(item), len(listed))
		}
	}
}

// A report of one like, and one of a hundred, on the largest ledger that a token makes and on an empty one, with the
// bytes of the items.
func BenchmarkReport(b *testing.B) {
	full, noon := hostile(b), board.MomentOf(time.Date(2026, time.December, 31, 23, 50, 0, 0, time.UTC))
	for name, s := range map[string]*accounts{"largest": full, "empty": newAccounts(defaults())} {
		for _, n := range []int{1, 100} { // the first ones that the largest has
			var acts []activity.Activity
			for i := range n {
				acts = append(acts, activity.Activity{
					User: fmt.Sprintf("%064d", 0), Action: "unlike", Target: fmt.Sprintf("%022d", 1+i), At: noon, ByUser: true,
				})
			}
			b.Run(fmt.Sprint(name, " ", n), func(b *testing.B) {
				for b.Loop() {
					d := s.decide(b, acts[0].User, ledger.Arrival{Now: noon}, acts...)
					for _, m := range d.Changed {
						d.Account.Months[m].Encode()
					}
				}
			})
		}
	}
}
