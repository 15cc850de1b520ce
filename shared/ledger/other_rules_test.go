package ledger_test

import (
	"fmt"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/ledger"
)

// actionsBy are the rules of a day with these actions and metrics.
func actionsBy(t *testing.T, actions, metrics string) *activity.Ruleset {
	t.Helper()
	rules, err := activity.ParseRules(fmt.Appendf(nil,
		`{"boards":{"a":{"windows":["day"]}},"versions":[{"actions":{%s},"metrics":{%s}}]}`, actions, metrics))
	harness.OK(t, err)
	return rules.On(0)
}

// What ledgers cannot tell about other rules is said of each action, and nothing of what they can.
func TestWhatLedgersCannotTell(t *testing.T) {
	t.Parallel()
	action := func(fields string) string { return `"like":{"undo":"unlike","board":"a","points":1,` + fields + `}` }
	const kept = `"entry":"month","cap":5,"by":["user","service"]`
	metric := `"like":{"board":"a","max":9,"by":["user"]}`
	for name, c := range map[string]struct{ other, metrics, want string }{
		"the same":             {action(kept), "", ""},
		"other points":         {strings.Replace(action(kept), `"points":1`, `"points":9`, 1), "", ""},
		"four times the cap":   {action(`"entry":"month","cap":20,"by":["user","service"]`), "", ""},
		"a larger cap":         {action(`"entry":"month","cap":21,"by":["user","service"]`), "", "like: more than 20 on"},
		"no cap":               {action(`"entry":"month","by":["user","service"]`), "", "like: more than 20 on"},
		"by day":               {action(`"entry":"day","cap":5,"by":["user","service"]`), "", "like: entries count"},
		"with refs":            {action(kept + `,"entryWithRef":"day"`), "", "like: entries count"},
		"a metric":             {"", metric, "like: entries count"},
		"for the service":      {action(`"entry":"month","cap":5,"by":["service"]`), "", "like: what members have reported"},
		"of others' articles":  {action(kept + `,"notOwn":true`), "", "like: what members have reported counts"},
		"of published ones":    {action(kept + `,"targets":"published"`), "", "like: what members have reported counts"},
		"of an older account":  {action(kept + `,"minAgeDays":1`), "", "like: what members have reported counts"},
		"another action":       {`"thank":{"board":"a","points":1,` + kept + `}`, "", "thank: nobody has any"},
		"what was an undo":     {`"unlike":{"board":"a","points":1,` + kept + `}`, "", "unlike: nobody has any"},
		"without any of these": {`"like":{"board":"a","points":1,` + kept + `}`, "", ""},
	} {
		got := strings.Join(ledger.Unknown(actionsBy(t, action(kept), ""), actionsBy(t, c.other, c.metrics)), "\n")
		if (c.want == "") != (got == "") || !strings.HasPrefix(got, c.want) || strings.Contains(got, "\n") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
