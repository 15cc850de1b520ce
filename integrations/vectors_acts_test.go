package integrations_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/run/vectors"
)

// actedOut are the vectors that members of a forum can act out, now, on topics of another member. A plugin reports
// acts as they happen: none out of order, from far ahead, of another day, or older than it keeps.
var actedOut = []string{"undo", "undo-again", "undo-by-ref", "restore", "restore-by-ref", "ties-of-many"}

// A vectorAct is an activity of a vector.
type vectorAct struct {
	User     string    `json:"user"`
	Action   string    `json:"action"`
	Target   string    `json:"target"`
	Ref      string    `json:"ref"`
	At       time.Time `json:"at"`
	Restores bool      `json:"restores"`
}

// kind returns the act of a member that the activity is of.
func (a *vectorAct) kind() string {
	if a.Restores {
		return "restore"
	}
	return a.Action
}

// actsOf returns a vector and its acts, in the order of their moments.
func actsOf(t *testing.T, name string) (v *vectors.Vector, acts []vectorAct) {
	t.Helper()
	v = harness.Must(vectors.Read("../vectors/" + name + ".json"))(t)
	for _, step := range v.Steps {
		var body struct {
			Activities []vectorAct `json:"activities"`
		}
		harness.OK(t, json.Unmarshal(step.Body, &body))
		acts = append(acts, body.Activities...)
	}
	slices.SortStableFunc(acts, func(a, b vectorAct) int { return a.At.Compare(b.At) })
	return v, acts
}

// without returns those of vectors whose members never do an act, as a forum has none such.
func without(t *testing.T, kind string, names []string) []string {
	t.Helper()
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		_, acts := actsOf(t, name)
		return slices.ContainsFunc(acts, func(a vectorAct) bool { return strings.HasSuffix(a.Action, kind) })
	})
}
