package ledger_test

import (
	"fmt"
	"testing"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
)

// What was decided stays as it is while others are decided on, at the same time and after it.
func TestDecisionsShareNoMemory(t *testing.T) {
	t.Parallel()
	l, pages, now := userMonth(t, 90)
	arrival := ledger.Arrival{Now: now}
	void := map[string]board.Moment{"100037": now}
	decide := func(n int) (decided ledger.Decision) {
		var acts []activity.Activity
		for i, word := range []string{"like", "unlike", "visit", "comment", "follow", "bookmark"}[n%5:] {
			target := fmt.Sprint(n%9, i)
			if word == "bookmark" {
				target = "100037" // of an entry of the page
			}
			acts = append(acts, activity.Activity{User: "1", Action: word, Target: target, At: now - board.Moment(n)})
		}
		needed := some(pages, l.Needs(acts, arrival))
		decided, err := l.Decide(needed, nil, void, acts, arrival)
		if err != nil || len(decided.Voided) != 1 || len(decided.Scores) == 0 {
			t.Errorf("%d voided, %d scores, %v", len(decided.Voided), len(decided.Scores), err)
		}
		return decided
	}
	for n := range 8 {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			first := decide(n)
			text := fmt.Sprintf("%+v", first)
			for other := range 50 {
				decide(n + other)
			}
			if now := fmt.Sprintf("%+v", first); now != text {
				t.Errorf("a decision became %q, was %q", now, text)
			}
			if again := fmt.Sprintf("%+v", decide(n)); again != text {
				t.Errorf("the same activities: %q, were %q", again, text)
			}
		})
	}
}
