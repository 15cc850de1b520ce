package activity_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
)

// teamRules are rules with a board of teams, houses, that counts as home.
func teamRules(tb testing.TB, teams string) *activity.Rules {
	tb.Helper()
	return harness.Must(activity.ParseRules(fmt.Appendf(nil, `{"boards":{"home":{"windows":["day"]},
		"houses":{"counts":"home","windows":["day"],"teams":%s}},
		"versions":[{"actions":{"like":{"board":"home","points":1,"entry":"day","by":["user"]}}}]}`, teams)))(tb)
}

func equal[T any](tb testing.TB, want, got T) {
	tb.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		tb.Error(diff)
	}
}

// A person plays for the first team in the rules whose group the person has; an object has its order, too.
func TestPersonPlaysForTheFirstTeamInTheRules(t *testing.T) {
	t.Parallel()
	for _, teams := range []string{`["red","blue","green"]`, `{"red":"Red house","blue":"Blue","green":"Green"}`} {
		b := teamRules(t, teams).Board("houses")
		for groups, want := range map[string]int{
			"": 0, "Red": 0, "red": 1, "green,blue": 2, "blue,green": 2, "green,red,blue": 1, "staff,green": 3,
		} {
			if got := b.TeamOf(strings.Split(groups, ",")); got != want {
				t.Errorf("%s: %q plays for %d, want %d", teams, groups, got, want)
			}
		}
	}
	rules := teamRules(t, `{"red":"Red house","blue":"Blue"}`)
	if !slices.Equal(rules.Teams()["houses"], []string{"red", "blue"}) || len(rules.Teams()) != 1 {
		t.Error(rules.Teams())
	}
	for team, want := range map[[2]string]string{
		{"houses", "red"}: "Red house", {"houses", "green"}: "", {"none", "red"}: "",
	} {
		if label := rules.TeamLabel(team[0], team[1]); label != want {
			t.Errorf("%v is labelled %q, want %q", team, label, want)
		}
	}
	if rules.OfTeams("home") || !rules.OfTeams("houses") || rules.OfTeams("none") {
		t.Error("boards of teams are others")
	}
}

// Rules have at most 200 teams; all faults have their places.
func TestLimitOfTeams(t *testing.T) {
	t.Parallel()
	named := func(n int) string {
		var groups []string
		for i := range n {
			groups = append(groups, fmt.Sprintf("%q", fmt.Sprint("g", i)))
		}
		return "[" + strings.Join(groups, ",") + "]"
	}
	if got := len(teamRules(t, named(activity.MaxTeams)).Board("houses").Teams); got != activity.MaxTeams {
		t.Error(got)
	}
	many := named(activity.MaxTeams + 1)
	_, err := activity.ParseRules([]byte(`{"boards":{"home":{"windows":["day"],"teams":` + many + `}},
		"versions":[{"actions":{"like":{"board":"home","points":1,"entry":"day","by":["user"]}}}]}`))
	if err == nil || !strings.Contains(err.Error(), "rules:1:38: boards.home.teams: 201 groups are more than 200") {
		t.Error(err)
	}
}

// An award is a person's: no board of teams takes one, even if it is a home of actions; and it is no usual board.
func TestBoardsOfTeamsTakeNoAwards(t *testing.T) {
	t.Parallel()
	refused := func(rules *activity.Rules, name string) (messages []string) {
		award := &activity.Award{ID: "a", Points: 1, Board: name, Reason: "r"}
		for _, v := range rules.AwardViolations(activity.Activity{User: "ann", Award: award}) {
			messages = append(messages, v.Location+": "+string(v.Code)+": "+v.Message)
		}
		return messages
	}
	rules := teamRules(t, `["x"]`)
	equal(t, []string{"board: not_applicable: the board counts as home; give the award there"}, refused(rules, "houses"))
	equal(t, "home", rules.UsualAwardBoard())
	boards := func(boards string) *activity.Rules {
		return harness.Must(activity.ParseRules([]byte(`{"boards":{` + boards + `},"versions":[{"actions":{
			"like":{"board":"activity","points":1,"entry":"day","by":["user"]}}}]}`)))(t)
	}
	alone := boards(`"activity":{"windows":["day"],"teams":["x"]}`)
	equal(t, []string{"board: not_applicable: the board is of teams, and an award is a person's"},
		refused(alone, "activity"))
	equal(t, "", alone.UsualAwardBoard())
	equal(t, []string{"board: missing_field: missing required field; no board takes awards that name none"},
		refused(alone, ""))
	counted := boards(`"activity":{"windows":["day"],"teams":["x"]},"people":{"windows":["day"],"counts":"activity"}`)
	equal(t, []string{"board: not_applicable: the board counts as activity; give the award there"},
		refused(counted, "people"))
	if b := counted.Board("people"); len(b.Teams) > 0 {
		t.Error("a board that counts as one of teams has teams", b.Teams)
	}
}
