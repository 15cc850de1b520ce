package activity_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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

const badges = `[{"name":"badges","url":"https://forum.example/hook?key=secret","types":["period.final"]}]`

// Addresses of events are read, and the rules are what they are without them, wherever they stand.
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

func TestEventAddressesAreChecked(t *testing.T) {
	t.Parallel()
	source := strings.TrimSuffix(strings.TrimSpace(string(activity.Default().JSON())), "}")
	for events, want := range map[string]string{
		`{}`:   "events: not a list of addresses",
		`null`: "events: not a list of addresses: null",
		`[{"name":"a","url":"https://f","types":["period.final"],"secret":"x"}]`:            "unknown field",
		`[{"name":"A","url":"https://f","types":["period.final"]}]`:                         `"A" is not a name`,
		`[{"name":"a","url":"ftp://f","types":["period.final"]}]`:                           "events.a.url: must be",
		`[{"name":"a","url":"https://f"}]`:                                                  "events.a.types: there must be",
		`[{"name":"a","url":"https://f","types":["period.began"]}]`:                         `"period.began" is not one of`,
		`[{"name":"a","url":"https://f","types":["period.final","period.final"]}]`:          "one is named twice",
		`[` + badges[1:len(badges)-1] + `,` + badges[1:]:                                    "the name is given twice",
		`[` + strings.Repeat(badges[1:len(badges)-1]+`,`, 16) + badges[1:]:                  "more than 16",
		`[{"name":"a","url":"f","types":[]},{"name":"b","url":"https://f","types":["no"]}]`: "events.b.types",
	} {
		if _, err := activity.ParseRules([]byte(source + `, "events": ` + events + `}`)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", events, err, want)
		}
	}
}
