package activity_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
)

// rulesOf are rules of one version with one action like, one of another kind, and a metric.
func rulesOf(t *testing.T, like, metric string) *activity.Rules {
	t.Helper()
	rules, err := activity.ParseRules(fmt.Appendf(nil, `{"boards":{"activity":{"windows":["day"]}},"versions":[{
		"actions":{"like":{"board":"activity","points":3,"entry":"month",%s}},
		"metrics":{"steps":{"board":"activity","max":7,%s}}}]}`, like, metric))
	harness.OK(t, err)
	return rules
}

// readRules reads a file of the folder rules.
func readRules(t *testing.T, name string) *activity.Rules {
	t.Helper()
	source := harness.Must(os.ReadFile("../../../rules/" + name))(t)
	return harness.Must(activity.ParseRules(source))(t)
}

// The actions that members can report alone, and the warnings about them.
func TestRulesWarnOfMembersAlone(t *testing.T) {
	t.Parallel()
	const service, user = `"by":["service"]`, `"by":["user"]`
	for name, c := range map[string]struct {
		rules    *activity.Rules
		actions  string
		points   int64
		metrics  int
		warnings []string // a text that each contains
	}{
		"the default rules": {
			activity.Default(), "bookmark comment follow like visit", 490, 1,
			[]string{"can make 490 points a day by bookmark, comment, follow, like, visit", "steps up to 200000 a day"},
		},
		"the strict rules":         {readRules(t, "strict.json"), "follow", 20, 0, nil},
		"all for the service":      {rulesOf(t, service, service), "", 0, 0, nil},
		"an action of one's own":   {rulesOf(t, user+`,"cap":5`, service), "like", 15, 0, nil},
		"without a cap":            {rulesOf(t, user, service), "like", 21_000, 0, nil},
		"a target that is checked": {rulesOf(t, user+`,"targets":"published"`, service), "", 0, 0, nil},
		"a metric":                 {rulesOf(t, service, user), "", 0, 1, []string{"members may report steps up to 7 a day"}},
	} {
		b := c.rules.On(0).Believes()
		actions := strings.Join(b.Actions, " ")
		if actions != c.actions || b.Points != c.points || len(b.Metrics) != c.metrics {
			t.Errorf("%s: %+v", name, b)
		}
		warnings := b.Warnings()
		if len(warnings) != len(c.warnings) {
			t.Errorf("%s: %q", name, warnings)
			continue
		}
		for i, w := range warnings {
			if !strings.Contains(w.Seen, c.warnings[i]) || !strings.Contains(w.Do, `"by": ["service"]`) {
				t.Errorf("%s: %q", name, w)
			}
		}
	}
}

// Pages about members' tokens say how much the default rules let members report.
func TestPagesOnTokensSayHowFarTheDefaultsTrust(t *testing.T) {
	t.Parallel()
	says := fmt.Sprintf("%d points", activity.Default().On(0).Believes().Points)
	for _, page := range []string{"serve", "connect", "embed", "rules", "health"} {
		text, err := os.ReadFile("../../../docs/" + page + ".md")
		if err != nil || !strings.Contains(string(text), says) || page != "health" &&
			(!strings.Contains(string(text), "rules/strict.json") || !strings.Contains(string(text), `"by": ["service"]`)) {
			t.Errorf("docs/%s.md does not say %q, or not how to prevent it: %v", page, says, err)
		}
	}
}

// The rules files that are made to be taken are rules.
func TestReadyRulesAreRules(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../rules/*.json")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		readRules(t, filepath.Base(name))
	}
}
