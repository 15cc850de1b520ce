package activity_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

// memberRules have a marked board for members, of marked actions in a marked group, beside public ones.
const memberRules = `{
  "boards": { "x-home": {"windows": ["day"], "audience": "members", "labels": {"en": "X home"}} ,
    "open": {"windows": ["day", "month"], "people": {"notIn": ["x-group"], "newDays": 30}},
    "x-all": {"counts": "open", "windows": ["day"], "audience": "members", "people": {"in": ["x-group"]}},
    "grouped": {"counts": "open", "windows": ["day"], "people": {"in": ["x-group"]}}},
  "hooks": {"discourse": {"received": "x-like", "solved": "like",
    "categories": {"1": {"comment": "x-like"}, "2": {"x-like": "like", "comment": "like"}}}},
  "Versions": [
    {"actions": {"x-like": {"board": "x-home", "undo": "x-unlike", "points": 7, "entry": "month", "byOther": true,
      "by": ["service"]}}},
    {"from": "2026-02-01",
     "actions": {"x-like": {"Board": "x-home", "points": 7, "entry": "month", "byOther": true, "by": ["service"]},
      "like": {"board": "open", "undo": "unlike", "points": 2, "cap": 9, "entry": "day", "by": ["user"]}},
     "metrics": {"x-steps": {"board": "x-home", "max": 9, "by": ["user"]}}}]
}`

func TestGuestsRules(t *testing.T) {
	t.Parallel()
	rules := harness.Must(activity.ParseRules([]byte(memberRules)))(t)
	if !strings.HasPrefix(string(rules.JSON()), memberRules[:len(memberRules)-2]) {
		t.Error("the rules themselves are not whole")
	}
	guests := rules.Guests()
	const want = `{
  "boards": {
    "open": {"windows": ["day", "month"], "people": {"newDays": 30}},
    "grouped": {"counts": "open", "windows": ["day"]}},
  "hooks": {"discourse": {"solved": "like",
    "categories": {"1": {}, "2": {"comment": "like"}}}},
  "Versions": [
    {"actions": {}},
    {"from": "2026-02-01",
     "actions": {"like": {"board": "open", "undo": "unlike", "points": 2, "cap": 9, "entry": "day", "by": ["user"]}},
     "metrics": {}}],
  "articles": {"votesPerDay":200,"votingDays":7,"ownVote":true,"interesting":200}
}`
	if diff := cmp.Diff(compact(t, []byte(want)), compact(t, guests.JSON())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"grouped", "open"}, guests.Boards()); diff != "" || guests.Board("x-home") != nil {
		t.Error(diff)
	}
	day, _ := board.ParseDate("2026-02-01")
	now := guests.On(day)
	if diff := cmp.Diff([]string{"like", "unlike"}, now.Words()); diff != "" || len(guests.On(day-1).Words()) > 0 {
		t.Error(diff)
	}
	var on []string
	for _, w := range now.Find("unlike").Weights() {
		on = append(on, w.Board)
	}
	if diff := cmp.Diff([]string{"grouped", "open"}, on); diff != "" || len(now.Weights("open")) != 1 {
		t.Errorf("%s%v", diff, now.Weights("open"))
	}
	people := guests.Board("grouped").People
	if !people.Grouped() || len(people.In) > 0 || people.Everybody() ||
		people.Admit([]string{"x-group"}, day, board.PeriodOf(board.Day, day)) {
		t.Errorf("%+v", people)
	}
}

func compact(t *testing.T, text []byte) string {
	t.Helper()
	var b bytes.Buffer
	harness.OK(t, json.Compact(&b, text))
	return b.String()
}

// Rules without boards for members and without groups are the same for everybody.
func TestRulesOfEverybody(t *testing.T) {
	t.Parallel()
	if rules := activity.Default(); rules.Guests() != rules {
		t.Error("guests see others")
	}
}

// A forum may have boards for members alone, and a file may be written in any form.
func TestGuestsOfMembersAlone(t *testing.T) {
	t.Parallel()
	text := strings.ReplaceAll(file(version("", "x-like", 1, "day")), "activity", "x-home")
	text = strings.Replace(text, `{"windows"`, `{"audience":"members","windows"`, 1)
	var spaced any
	harness.OK(t, json.Unmarshal([]byte(text), &spaced))
	indented := harness.Must(json.MarshalIndent(spaced, "", "\t"))(t)
	doubled := strings.Replace(text, `"boards"`, `"BOARDS":{"x-home":{"windows":["day"]}},"boards"`, 1)
	for _, source := range []string{text, string(indented), doubled} {
		rules := harness.Must(activity.ParseRules([]byte(source)))(t)
		guests := rules.Guests()
		if got := string(guests.JSON()); len(guests.Boards()) > 0 || strings.Contains(got, "x-") || !json.Valid([]byte(got)) {
			t.Errorf("%s\n%s", source, got)
		}
	}
}
