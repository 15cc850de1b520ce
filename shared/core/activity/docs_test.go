package activity_test

import (
	"encoding/json"
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

// example returns the n-th example of docs/rules.md that has boards, with a version.
func example(t *testing.T, n int) *activity.Rules {
	t.Helper()
	page := harness.Must(os.ReadFile("../../../docs/rules.md"))(t)
	var boards []map[string]json.RawMessage
	for _, block := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllSubmatch(page, -1) {
		var file map[string]json.RawMessage
		if err := json.Unmarshal(block[1], &file); err != nil {
			t.Errorf("an example is not JSON: %v\n%s", err, block[1])
		} else if file["boards"] != nil {
			boards = append(boards, file)
		}
	}
	if len(boards) != 2 {
		t.Fatalf("%d examples have boards", len(boards))
	}
	boards[n]["versions"] = json.RawMessage(known)
	return harness.Must(activity.ParseRules(harness.Must(json.Marshal(boards[n]))(t)))(t)
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
