package ledger_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
)

// Entries are told with what they are worth: the earliest of a day up to the cap, none that is
// undone, hashes for what is long.
func TestListedEntries(t *testing.T) {
	t.Parallel()
	l, noon := defaults(), at(t, "11-20 12:00")
	var acts []activity.Activity
	add := func(action, target string, at board.Moment) {
		acts = append(acts, activity.Activity{User: "ann", Action: action, Target: target, At: noon + at})
	}
	for i := range board.Moment(52) { // two above the cap
		add("like", fmt.Sprint("a", int64(i)), i)
	}
	add("unlike", "a1", 100)
	add("visit", "page", 200)
	add("unbookmark", strings.Repeat("x", 40), 300)
	add("follow", "bob", 400)
	acts = append(acts, activity.Activity{User: "ann", Action: "steps", Value: new(int64(700)), At: noon + 500})
	s := newAccounts(l)
	s.record(t, acts, ledger.Arrival{Now: noon})
	listed := harness.Must(l.ListedOf(s.all(t, "ann")))(t)
	var got []string
	for _, e := range slices.Concat(listed[:8], listed[len(listed)-2:]) {
		target := e.Target
		if e.Hashed {
			target = "hashed"
		}
		on := ""
		if e.On != 0 {
			on = e.On.String()
		}
		got = append(got, fmt.Sprint(e.Action, " ", target, " ", e.State, " ", e.Board, " ", on, " ", e.Points))
	}
	want := []string{
		"steps  counted steps 2026-11-20 700", "follow hashed counted activity 2026-11-20 2",
		"bookmark hashed undone activity  0", "bookmark hashed undone activity  0", // an undo enters two months
		"visit page counted activity 2026-11-20 1", "like a1 undone activity  0", "like a1 undone activity  0",
		"like a51 over_cap activity 2026-11-20 0", "like a2 counted activity 2026-11-20 2",
		"like a0 counted activity 2026-11-20 2",
	}
	if diff := cmp.Diff(want, got); diff != "" || len(listed) != 58 {
		t.Errorf("%d entries (-want +got):\n%s", len(listed), diff)
	}
}
