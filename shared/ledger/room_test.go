package ledger_test

import (
	"fmt"
	"testing"
	"time"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
)

// What was decided stays as it is while others are decided on, at the same time and after it.
func TestDecisionsShareNoMemory(t *testing.T) {
	t.Parallel()
	l, item := defaults(), userItem(t, 90)
	around := ledger.Surroundings{Now: at(t, "11-30 12:00"), Voids: map[string]board.Moment{}}
	around.Voids["100037"] = around.Now
	decide := func(n int) (ledger.Decided, string) {
		m, err := ledger.DecodeMonthLedger(item)
		if err != nil {
			t.Error(err)
		}
		var acts []activity.Activity
		for i, word := range []string{"like", "unlike", "visit", "comment", "follow", "bookmark"}[n%5:] {
			target := fmt.Sprint(n%9, i)
			if word == "bookmark" {
				target = "100037" // of an entry of the page
			}
			acts = append(acts, activity.Activity{User: "1", Action: word, Target: target, At: around.Now - board.Moment(n)})
		}
		a := &ledger.Account{User: "1", Months: map[board.MonthOf]*ledger.MonthLedger{november: m, november - 1: nil}}
		d, err := l.DecideAccount(a, acts, around)
		if err != nil || len(d.Changed) == 0 {
			t.Errorf("changed %v, %v", d.Changed, err)
		}
		return d, textOf(d)
	}
	for n := range 8 {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			first, text := decide(n)
			for other := range 50 {
				decide(n + other)
			}
			if now := textOf(first); now != text {
				t.Errorf("a decision became %q, was %q", now, text)
			}
			if _, again := decide(n); again != text {
				t.Errorf("the same activities: %q, were %q", again, text)
			}
		})
	}
}

func textOf(d ledger.Decided) string {
	return fmt.Sprintf("%+v %+v %+v %q", d.Receipts, d.Moved, d.Follows, d.Account.Months[november].Encode())
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
