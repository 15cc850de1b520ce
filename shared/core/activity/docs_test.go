package activity_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

// known are actions of the examples, beside which a rules file has a version.
const known = `[{"actions": {
	"comment": {"undo": "uncomment", "board": "activity", "points": 3, "entry": "day", "cap": 30, "by": ["service"]},
	"solved": {"undo": "unsolved", "board": "activity", "points": 10, "entry": "month", "cap": 20, "by": ["service"]},
	"flagged": {"undo": "unflagged", "board": "activity", "points": 0, "entry": "month", "by": ["service"]}}}]`

// examples returns the JSON examples of docs/rules.md that have a field, in their order.
func examples(t *testing.T, field string) (found []map[string]json.RawMessage) {
	t.Helper()
	page := harness.Must(os.ReadFile("../../../docs/rules.md"))(t)
	for _, block := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllSubmatch(page, -1) {
		var file map[string]json.RawMessage
		if err := json.Unmarshal(block[1], &file); err != nil {
			t.Errorf("an example is not JSON: %v\n%s", err, block[1])
		} else if file[field] != nil {
			found = append(found, file)
		}
	}
	if len(found) == 0 {
		t.Fatalf("no example has %s", field)
	}
	return found
}

// parsed returns the rules of a file.
func parsed(t *testing.T, file map[string]json.RawMessage) *activity.Rules {
	t.Helper()
	return harness.Must(activity.ParseRules(harness.Must(json.Marshal(file))(t)))(t)
}

// example returns the n-th example of docs/rules.md that has boards, with a version.
func example(t *testing.T, n int) *activity.Rules {
	t.Helper()
	boards := examples(t, "boards")
	if len(boards) != 2 {
		t.Fatalf("%d examples have boards", len(boards))
	}
	boards[n]["versions"] = json.RawMessage(known)
	return parsed(t, boards[n])
}

// home is the board of the examples of actions.
const home = `{"activity": {"windows": ["day"]}`

// The versions, actions, people and teams of docs/rules.md are those that the page says.
func TestExamplesOfVersions(t *testing.T) {
	t.Parallel()
	file := examples(t, "versions")[0]
	file["boards"] = json.RawMessage(home + "}")
	rules, later := parsed(t, file), harness.Must(board.ParseDate("2027-01-01"))(t)
	before, after := rules.On(later-1).Find("unlike"), rules.On(later).Find("unlike")
	if before.Points != 2 || after.Points != 1 || after.Action != "like" || after.Cap != 50 {
		t.Errorf("a like is %+v, and later %+v", before, after)
	}

	comment, steps := examples(t, "comment")[0]["comment"], examples(t, "steps")[0]["steps"]
	version := fmt.Sprintf(`[{"actions": {"comment": %s}, "metrics": {"steps": %s}}]`, comment, steps)
	people := fmt.Sprintf(`, "new": {"counts": "activity", "windows": ["day"], "people": %s, "teams": %s}}`,
		examples(t, "people")[0]["people"], examples(t, "teams")[0]["teams"])
	rules = parsed(t, map[string]json.RawMessage{
		"versions": json.RawMessage(version), "boards": json.RawMessage(home + people),
	})
	c, s := rules.On(0).Find("comment"), rules.On(0).Find("steps")
	if c.Scope("") != activity.PerDay || c.Scope("c7") != activity.PerMonth || c.Undo != "uncomment" {
		t.Errorf("a comment is %+v", c)
	}
	if !s.Metric || s.Max != 200_000 {
		t.Errorf("steps are %+v", s)
	}
	want := activity.People{In: []string{"writers"}, NotIn: []string{"staff"}, NewDays: 30}
	if diff := cmp.Diff(want, rules.Board("new").People, cmp.AllowUnexported(activity.People{})); diff != "" {
		t.Errorf("people (-page +rules):\n%s", diff)
	}
	teams := []activity.Team{{Group: "red", Label: "Red house"}, {Group: "blue", Label: "Blue house"}}
	if diff := cmp.Diff(teams, rules.Board("new").Teams); diff != "" {
		t.Errorf("teams (-page +rules):\n%s", diff)
	}
}

// The boards of docs/rules.md are those that the page says.
func TestExamplesOfBoards(t *testing.T) {
	t.Parallel()
	weights := func(rules *activity.Rules, name string) map[string][2]int64 {
		all := map[string][2]int64{}
		for _, w := range rules.On(0).Weights(name) {
			all[w.Action] = [2]int64{w.Points, int64(w.Cap)}
		}
		return all
	}
	rules := example(t, 0)
	helpers := map[string][2]int64{"comment": {3, 30}, "solved": {15, 5}}
	for name, want := range map[string]map[string][2]int64{
		"helpers": helpers, "new-helpers": helpers,
		"members": {"comment": {3, 30}, "solved": {10, 20}, "flagged": {0, 0}},
	} {
		if diff := cmp.Diff(want, weights(rules, name)); diff != "" {
			t.Errorf("%s (-page +rules):\n%s", name, diff)
		}
	}
	want := []activity.People{{NewDays: 30}, {NotIn: []string{"staff", "bots"}}}
	got := []activity.People{rules.Board("new-helpers").People, rules.Board("members").People}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(activity.People{})); diff != "" ||
		!slices.Contains(rules.Windows("helpers"), board.Quarter) {
		t.Errorf("people (-page +rules):\n%s", diff)
	}
	careful := map[string][2]int64{"comment": {2, 30}, "flagged": {-10, 0}}
	if diff := cmp.Diff(careful, weights(example(t, 1), "careful")); diff != "" {
		t.Errorf("careful (-page +rules):\n%s", diff)
	}
}
