package activity_test

import (
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/activity"
)

// withHooks returns the built-in rules with options of webhooks.
func withHooks(options string) (*activity.Rules, error) {
	source := strings.TrimSuffix(strings.TrimSpace(string(activity.Default().JSON())), "}")
	return activity.ParseRules([]byte(source + `, "hooks": ` + options + `}`))
}

func TestHookOptions(t *testing.T) {
	t.Parallel()
	rules, err := withHooks(`{"discourse":{"instance":"https://f.example/forum","login":"https://b","received":"like",
		"solved":"comment","categories":{"7":{"comment":"visit"}},"ignoreCategories":[3],"erase":true},
		"standard":{"erase":true}}`)
	harness.OK(t, err)
	h := rules.Hook("discourse")
	if h.Word("7", "comment") != "visit" || h.Word("8", "comment") != "comment" || h.Word("7", "like") != "like" ||
		!h.Ignores("3") || h.Ignores("7") || !h.Erase || h.Received != "like" {
		t.Errorf("%+v", h)
	}
	if h := rules.Hook("nodebb"); h.Erase || h.Ignores("3") || h.Word("7", "comment") != "comment" {
		t.Errorf("a source that they say nothing of: %+v", h)
	}
	for options, want := range map[string]string{
		`{"flarum":{}}`:                                      "hooks.flarum: the sources are discourse, nodebb, standard",
		`{"discourse":{"instance":"f.example"}}`:             "hooks.discourse.instance: f.example is not an address",
		`{"discourse":{"instance":"https://f.example/"}}`:    "is not an address such as",
		`{"nodebb":{"received":"lick"}}`:                     "hooks.nodebb.received: the rules have no action lick",
		`{"nodebb":{"solved":"unlike"}}`:                     "the rules have no action unlike",
		`{"nodebb":{"received":"steps"}}`:                    "the rules have no action steps",
		`{"nodebb":{"received":"follow"}}`:                   "the rules have no action follow on something",
		`{"nodebb":{"categories":{"x":{}}}}`:                 `hooks.nodebb.categories: "x" is not the id of a category`,
		`{"nodebb":{"categories":{"7":{"like":""}}}}`:        "hooks.nodebb.categories.7.like: must not be empty",
		`{"standard":{"received":"like"}}`:                   "hooks.standard: it has erase alone",
		`{"nodebb":{"erased":true}}`:                         "unknown field",
		`{"discourse":{"instance":"https://f","login":"b"}}`: "hooks.discourse.login: b is not an address",
		`{"discourse":{"login":"https://b"}}`:                "login: is for discourse with an instance",
		`{"nodebb":{"login":"https://b"}}`:                   "hooks.nodebb.login: is for discourse",

		`{"nodebb":{"instance":"https://f","login":"https://b"}}`:     "hooks.nodebb.login: is for discourse",
		`{"standard":{"categories":{"7":{}},"ignoreCategories":[3]}}`: "hooks.standard: it has erase alone",
	} {
		if _, err := withHooks(options); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", options, err, want)
		}
	}
}
