package activity_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/activity"
)

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
