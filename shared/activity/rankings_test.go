package activity_test

import (
	"encoding/json"
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
		rules, err := activity.ParseRules([]byte(withArticles(source)))
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if diff := cmp.Diff(want, rules.Articles()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", source, diff)
		}
	}
}

func TestEveryErrorOfArticlesIsListed(t *testing.T) {
	t.Parallel()
	for source, want := range map[string][]string{
		`{"votesPerDay":0,"votingDays":0,"interesting":0}`: {
			"articles.votesPerDay: 0",
			"articles.votingDays: 0", "articles.interesting: 0",
		},
		`{"votesPerDay":86401,"votingDays":367,"interesting":1000000001}`: {
			"articles.votesPerDay: 86401",
			"articles.votingDays: 367", "articles.interesting: 1000000001",
		},
		`{"votesPerDay":7}`:      {"7 does not divide 86400, the seconds of a day; 6 and 8 do"},
		`{"votesPerDay":86399}`:  {"86399 does not divide 86400, the seconds of a day; 43200 and 86400 do"},
		`{"votesPerDay":-200}`:   {"articles.votesPerDay: -200"},
		`{"votes":1}`:            {"articles", `"votes"`},
		`null`:                   {"articles: not an object", "null"},
		`{"votesPerDay":"many"}`: {"articles", "votesPerDay"},
	} {
		_, err := activity.ParseRules([]byte(withArticles(source)))
		if err == nil {
			t.Errorf("%s is accepted", source)
			continue
		}
		for _, w := range want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %q is not in\n%v", source, w, err)
			}
		}
	}
}

// Rules without constants show the ones in force, and parse to the same rules again.
func TestRulesShowTheirArticles(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		withArticles(""),
		withArticles(`{"votesPerDay":100,"votingDays":3,"ownVote":false,"interesting":50}`),
	} {
		rules := harness.Must(activity.ParseRules([]byte(source)))(t)
		var shown struct {
			Articles *activity.Articles `json:"articles"`
			Boards   map[string]any     `json:"boards"`
		}
		if err := json.Unmarshal(rules.JSON(), &shown); err != nil {
			t.Fatalf("%s: %v", rules.JSON(), err)
		}
		if shown.Articles == nil || len(shown.Boards) != 1 {
			t.Fatalf("shown: %s", rules.JSON())
		}
		if diff := cmp.Diff(rules.Articles(), *shown.Articles); diff != "" {
			t.Errorf("shown (-in force +shown):\n%s", diff)
		}
		again := harness.Must(activity.ParseRules(rules.JSON()))(t)
		if diff := cmp.Diff(string(rules.JSON()), string(again.JSON())); diff != "" {
			t.Errorf("read again:\n%s", diff)
		}
	}
}
