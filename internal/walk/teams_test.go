package walk_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/store/final"
)

// withTeams adds boards of teams to a forum's rules: one of many windows, and a contest's.
func withTeams(t *testing.T, rules *activity.Rules) *activity.Rules {
	t.Helper()
	var file map[string]json.RawMessage
	harness.OK(t, json.Unmarshal(rules.JSON(), &file))
	boards := strings.TrimSuffix(strings.TrimSpace(string(file["boards"])), "}") + `,
		"houses": {
			"counts": "activity", "windows": ["day", "week", "month", "quarter", "all", "7d"], "teams": ["red", "blue"]
		}`
	for _, c := range rules.Contests() {
		boards += fmt.Sprintf(`,
		"relay": {"counts": "activity", "from": %q, "to": %q, "teams": ["blue", "red"]}`, c.First(), c.Last())
		break
	}
	file["boards"] = json.RawMessage(boards + "}")
	return harness.Must(activity.ParseRules(harness.Must(json.Marshal(file))(t)))(t)
}

func teamTexts(teams []board.Team) []string {
	texts := []string{}
	for _, t := range teams {
		texts = append(texts, fmt.Sprintf("%d %s %d of %d", t.Rank, t.Group, t.Sum, t.Members))
	}
	return texts
}

// observeTeams records the teams of a board that is final. Where nobody's place has changed within the step, they are
// those of the model.
func (f *forum) observeTeams(place place, m final.Manifest) {
	f.Helper()
	if m.Groups == nil {
		return
	}
	f.finalTeams[place] = teamTexts(m.Teams)
	for user, p := range f.people {
		states := f.states[place][user]
		if len(states) > 1 || len(states) == 1 && !states[f.packed(p, place.board, place.period)] || f.blind[user] {
			return
		}
	}
	if f.nested { // a hidden person may count with another sum
		return
	}
	if want := teamTexts(f.teams(place.board, place.period)); !slices.Equal(want, f.finalTeams[place]) {
		f.Errorf("%s is final with the teams %v, want %v", place, f.finalTeams[place], want)
	}
}

// compareTotals compares totals with the members' places, on every live board of teams of the view.
func (f *forum) compareTotals() {
	f.Helper()
	for _, b := range harness.Must(f.reader.View.Boards(f.Context()))(f.T) {
		if !f.rules.OfTeams(b.Board) {
			continue
		}
		if n, err := f.reader.View.CheckTotals(f.Context(), b.Board, b.Period, false); n != 0 || err != nil {
			f.Errorf("%s %s: %d totals differ from the members: %v", b.Board, b.Period, n, err)
		}
	}
}
