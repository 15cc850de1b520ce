package activity_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
)

// withHooks returns the built-in rules, and an action of the author of a liked post, with options of webhooks.
func withHooks(options string) (*activity.Rules, error) {
	source := strings.TrimSuffix(strings.TrimSpace(string(activity.Default().JSON())), "}")
	source = strings.Replace(source, `"actions": {`, `"actions": {
		"liked": {"board": "activity", "points": 1, "entry": "month",
		"byOther": true, "by": ["service"]}, `, 1)
	return activity.ParseRules([]byte(source + `, "hooks": ` + options + `}`))
}

func TestHookOptions(t *testing.T) {
	t.Parallel()
	rules, err := withHooks(`{"discourse":{"instance":"https://f.example/forum","login":"https://b","received":"liked",
		"solved":"comment","categories":{"7":{"comment":"visit"}},"ignoreCategories":[3],"erase":true},
		"standard":{"erase":true}}`)
	harness.OK(t, err)
	h := rules.Hook("discourse")
	if h.Word("7", "comment") != "visit" || h.Word("8", "comment") != "comment" || h.Word("7", "like") != "like" ||
		!h.Ignores("3") || h.Ignores("7") || !h.Erase || h.Received != "liked" {
		t.Errorf("%+v", h)
	}
	if h := rules.Hook("nodebb"); h.Erase || h.Ignores("3") || h.Word("7", "comment") != "comment" {
		t.Errorf("a source that they say nothing of: %+v", h)
	}
}

// The groups of hooks are read, and the rules are the same with and without them: nobody reads them in public.
func TestGroupsOfHooksHaveNoPartInRules(t *testing.T) {
	t.Parallel()
	for with, want := range map[string]string{
		`{"discourse":{"groups":{"Moderators":"staff"},"erase":true}}`:        `{"discourse":{"erase":true}}`,
		`{"discourse": {"erase":true, "Groups":{"Moderators":"staff"} }}`:     `{"discourse": {"erase":true }}`,
		`{"nodebb":{},"discourse":{"groups":{"Moderators":"staff","a":"b"}}}`: `{"nodebb":{},"discourse":{}}`,
	} {
		rules := harness.Must(withHooks(with))(t)
		if got := rules.Hook("discourse").Groups["Moderators"]; got != "staff" {
			t.Errorf("%s: Moderators are %q", with, got)
		}
		without := string(harness.Must(withHooks(want))(t).JSON())
		if diff := cmp.Diff(without, string(rules.JSON())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", with, diff)
		}
	}
}

const badges = `[{"name":"badges","url":"https://forum.example/hook?key=secret","types":["period.final"]}]`

// Addresses of events are read wherever they stand, and the rules are the same with and without them.
func TestEventsHaveNoPartInRules(t *testing.T) {
	t.Parallel()
	plain := string(activity.Default().JSON())
	first := strings.Replace(plain, "{", `{"events": `+badges+",", 1)
	last := strings.TrimSuffix(plain, "\n}") + `,
  "events": ` + badges + "\n}"
	middle := strings.Replace(plain, `"versions"`, `"events": `+badges+`, "versions"`, 1)
	for name, source := range map[string]string{"first": first, "last": last, "middle": middle} {
		rules, err := activity.ParseRules([]byte(source))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := []activity.EventAddress{{
			Name: "badges", URL: "https://forum.example/hook?key=secret", Types: []string{activity.EventPeriodFinal},
		}}
		if diff := cmp.Diff(want, rules.Events()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(strings.Fields(plain), strings.Fields(string(rules.JSON()))); diff != "" {
			t.Errorf("%s: the rules differ (-want +got):\n%s", name, diff)
		}
		if name == "last" && string(rules.JSON()) != plain {
			t.Errorf("the bytes differ: %s", rules.JSON())
		}
	}
	if a := activity.Default().Events(); a != nil {
		t.Errorf("the built-in rules have %v", a)
	}
}

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

// Boards with equal questions have equal digests, also where all else differs; points of actions on their own boards
// belong to versions, and have no part in them.
func TestDigestsOfQuestions(t *testing.T) {
	t.Parallel()
	kept := func(boards string, points int) string {
		return harness.Must(activity.ParseRules(fmt.Appendf(nil, `{"boards":{"home":{"windows":["day"]},%s},
			"versions":[{"actions":{
			"like":{"board":"home","points":%d,"entry":"day","cap":5,"by":["user"]}}}]}`, boards, points)))(t).Kept()
	}
	first := kept(`"a":{"counts":{"like":1},"windows":["day","month"]}`, 1)
	if !strings.HasPrefix(first, "a~") || !strings.HasSuffix(first, ":month home:day") {
		t.Error(first)
	}
	for _, same := range []string{
		kept(`"a":{"counts":{"like":{"points":1}},"windows":["day","month"],"labels":{"en":"A"}}`, 1),
		kept(`"a":{"counts":{"like":1},"windows":["month","day"]}`, 7),
	} {
		if same != first {
			t.Errorf("%s is not %s", same, first)
		}
	}
	for _, other := range []string{
		kept(`"a":{"counts":{"like":2},"windows":["day","month"]}`, 1),
		kept(`"a":{"counts":{"like":{"points":1,"cap":1}},"windows":["day","month"]}`, 1),
		kept(`"a":{"counts":"home","windows":["day","month"]}`, 1),
		kept(`"a":{"counts":{"like":1},"windows":["day","month"],"people":{"newDays":3}}`, 1),
		kept(`"a":{"counts":{"like":1},"from":"2026-11-01","to":"2026-11-30"}`, 1),
		kept(`"a":{"counts":{"like":1},"windows":["day","month"],"people":{"in":["x"]}}`, 1),
		kept(`"a":{"counts":{"like":1},"windows":["day","month"],"teams":["x"]}`, 1),
	} {
		if other == first {
			t.Errorf("%s is the same for another question", other)
		}
	}
	teams := kept(`"a":{"counts":"home","windows":["day"],"teams":["x","y"]}`, 1)
	if other := kept(`"a":{"counts":"home","windows":["day"],"teams":["y","x"]}`, 1); other == teams {
		t.Errorf("%s is the same for another order of teams", other)
	}
	if same := kept(`"a":{"counts":"home","windows":["day"],"teams":{"x":"Ex","y":"Why"}}`, 1); same != teams {
		t.Errorf("%s is another one for labels", same)
	}
	if other := kept(`"home":{"windows":["day"],"teams":["x"]}`, 1); strings.HasPrefix(other, "home:") {
		t.Errorf("%s: a home of teams has no digest", other)
	}
	november := kept(`"a":{"counts":"home","from":"2026-11-01","to":"2026-11-30"}`, 1)
	if other := kept(`"a":{"counts":"home","from":"2026-11-01","to":"2026-11-29"}`, 1); other == november {
		t.Errorf("%s is the same for other days", other)
	}
	plain := kept(`"a":{"windows":["day"],"counts":"home","people":{"newDays":9}}`, 1)
	chained := kept(`"a":{"windows":["day"],"counts":"home","people":{"newDays":9}}`, 2)
	if plain != chained {
		t.Errorf("%s is not %s", plain, chained)
	}
}
