package reference_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/activity"
	"laurel/shared/ledger/reference"
)

func TestWhatTheDaysRulesDoNotKnowIsWorthNothing(t *testing.T) {
	t.Parallel()
	day := date(t, "2026-11-20") // visits are no longer known
	l := ledgerOf(t, strictRules, "UTC", "11-20T10:00 visit A")
	if users := l.Users(); len(users) != 0 {
		t.Errorf("an unknown word was entered: %v", users)
	}
	key := reference.Key{User: "ann", Action: "visit", Target: "A", Scope: activity.PerDay, Day: day}
	l.Put(key, reference.Moments{First: at(t, "2026-11-20T10:00"), Last: at(t, "2026-11-20T10:00")}, 0)
	// Nor is what they know as another action's undo.
	key.Action = "unlike"
	l.Put(key, reference.Moments{First: at(t, "2026-11-20T10:00"), Last: at(t, "2026-11-20T10:00")}, 0)
	// Nor a metric by the name of one of their actions.
	l.Put(reference.Key{User: "ann", Action: "comment", Day: day, Metric: true},
		reference.Moments{First: at(t, "2026-11-20T10:00")}, 9)
	if score, reached := l.Day("ann", "activity", day); score != 0 || reached != 0 {
		t.Errorf("Day = %d at %s, want none", score, reached)
	}
	want := map[string]reference.ActionDay{"visit": {Count: 1}, "unlike": {Count: 1}, "comment": {Count: 1}}
	if diff := cmp.Diff(want, l.Actions("ann", day)); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
}

func TestActions(t *testing.T) {
	t.Parallel()
	l := ledgerOf(t, strictRules, "UTC",
		"11-02T10:00 like A, 11-02T11:00 like B, 11-02T12:00 like C, 11-02T12:00 like D, 11-03T12:00 unlike D, "+
			"11-02T12:00 bookmark A, 11-02T12:30 unbookmark A, 11-02T12:00 comment A, 11-02T12:00 comment A 1, "+
			"11-02T12:00 steps 8200, 11-02T13:00 steps 8100")
	want := map[string]reference.ActionDay{
		"like":    {Count: 3, Points: 4},
		"comment": {Count: 2, Points: 6},
		"steps":   {Count: 1, Points: 8200},
	}
	if diff := cmp.Diff(want, l.Actions("ann", date(t, "2026-11-02"))); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
	if none := l.Actions("ann", date(t, "2026-11-03")); len(none) != 0 {
		t.Errorf("actions of a day without any: %v", none)
	}
}
