package activity_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/activity"
)

// withArticles returns a rules file with these constants of articles, or without any.
func withArticles(constants string) string {
	if constants != "" {
		constants = `"articles":` + constants + `,`
	}
	return `{"boards":{"activity":{"windows":["day"]}},` + constants + `"versions":[` + version("", "like", 2, "month") +
		`] }`
}

// Rules without constants show the ones in force, and parse to the same rules again.
func TestArticlesOfRules(t *testing.T) {
	t.Parallel()
	standard := activity.Articles{VotesPerDay: 200, VotingDays: 7, OwnVote: true, Interesting: 200}
	if diff := cmp.Diff(standard, activity.Default().Articles()); diff != "" {
		t.Errorf("built in (-want +got):\n%s", diff)
	}
	for source, want := range map[string]activity.Articles{
		``:                                      standard,
		`{}`:                                    standard,
		`{"ownVote":false,"votesPerDay":86400}`: {VotesPerDay: 86_400, VotingDays: 7, Interesting: 200},
		`{"votingDays":1,"interesting":1000000000}`: {
			VotesPerDay: 200, VotingDays: 1, OwnVote: true, Interesting: 1_000_000_000,
		},
		`{"votesPerDay":1,"votingDays":366,"ownVote":true,"interesting":1}`: {
			VotesPerDay: 1, VotingDays: 366, OwnVote: true,
			Interesting: 1,
		},
	} {
		rules := harness.Must(activity.ParseRules([]byte(withArticles(source))))(t)
		again := harness.Must(activity.ParseRules(rules.JSON()))(t)
		got := []activity.Articles{rules.Articles(), again.Articles()}
		if diff := cmp.Diff([]activity.Articles{want, want}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", source, diff)
		}
		if text := string(rules.JSON()); strings.Count(text, `"articles"`) != 1 || string(again.JSON()) != text {
			t.Errorf("%s: shown as %s, and then as %s", source, text, again.JSON())
		}
	}
}
