package recording_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
)

// Two processes report activities of one user in two months, while each reads, writes and shows once, in every order of
// these six calls: boards over both months have both activities.
func TestTwoWritersOfTwoMonths(t *testing.T) {
	t.Parallel()
	for windows, shown := range map[string]string{
		`"day","week","year","30d"`: "activity year 2026", `"day","30d"`: "activity 30d 2026-12-01",
	} {
		t.Run(windows, func(t *testing.T) {
			t.Parallel()
			twoWriters(t, windows, shown)
		})
	}
}

func twoWriters(t *testing.T, windows, shown string) {
	t.Helper()
	rules := harness.Must(activity.ParseRules(fmt.Appendf(nil, `{"boards":{"activity":{"windows":[%s]}},
		"versions":[{"actions":{"publish":{"board":"activity","points":7,"entry":"month","by":["service"]}}}]}`, windows)))(t)
	first := board.MomentOf(time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC))
	w := newWalked(t, ledger.New(rules, harness.UTC().Calendar()), first, 1)
	w.report(did("ann", "publish", "a", first), did("ann", "publish", "a", first.Add(-24*time.Hour)))
	for n, order := range orders(3, 3) {
		user := fmt.Sprint("u", n)
		w.report(did(user, "publish", "a", first), did(user, "publish", "b", first.Add(-24*time.Hour)))
		acts := map[rune]activity.Activity{
			'd': did(user, "publish", "c", first), 'n': did(user, "publish", "d", first.Add(-24*time.Hour)),
		}
		var both sync.WaitGroup
		turn, done := map[rune]chan struct{}{'d': make(chan struct{}), 'n': make(chan struct{})}, make(chan struct{})
		for name, act := range acts {
			p := w.knowing()
			p.calls.Before = func(c harness.Call) harness.Fate {
				if c.N <= 3 {
					<-turn[name]
				}
				return harness.Lives
			}
			p.calls.After = func(c harness.Call) {
				if c.N <= 3 {
					done <- struct{}{}
				}
			}
			both.Go(func() { w.reporting(p, act) })
		}
		for _, name := range order {
			turn[name] <- struct{}{}
			<-done
		}
		both.Wait()
		w.same(order)
		if score := w.shown()[shown][user].Score(); score != 4*7 {
			t.Errorf("%s: %d points are shown", order, score)
		}
	}
}

// orders are the orders of calls of two processes, in December and November.
func orders(december, november int) (all []string) {
	if december == 0 || november == 0 {
		return []string{strings.Repeat("d", december) + strings.Repeat("n", november)}
	}
	for _, rest := range orders(december-1, november) {
		all = append(all, "d"+rest)
	}
	for _, rest := range orders(december, november-1) {
		all = append(all, "n"+rest)
	}
	return all
}
