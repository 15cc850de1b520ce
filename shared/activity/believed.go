package activity

import (
	"fmt"
	"reflect"
	"strings"
)

// Believed is what rules let members report by their own tokens with nothing that confirms it.
type Believed struct {
	Default bool     // actions and metrics are those of the built-in rules
	Actions []string // that count for targets that do not exist, sorted
	Points  int64    // what these add up to in a day by their caps, on all boards
	Metrics []Rule   // whose values are as members say, by name
}

// A Warning is something about rules that an operator should look at, and what to do about it.
type Warning struct{ About, Seen, Do string }

// What warnings are about.
const (
	AboutActions = "actions"
	AboutMetrics = "metrics"
)

// Believes returns what the rules of a day let members report by their own tokens alone.
func (rs *Ruleset) Believes() Believed {
	b := Believed{Default: reflect.DeepEqual(rs.rules, Default().versions[0].rules)}
	for _, name := range sortedKeys(rs.rules) {
		rule := rs.rules[name]
		switch {
		case !rule.MayReport(ByUser) || rule.Published:
		case rule.Metric:
			b.Metrics = append(b.Metrics, rule)
		case rule.Points > 0:
			b.Actions = append(b.Actions, name)
			b.Points += rule.Points * int64(rule.Counted(MaxDayEntries+MaxMonthEntries))
		}
	}
	return b
}

// Warnings returns what is to be said where members' tokens are accepted: that the rules are the
// built-in ones, and that members may report a metric. Rules of a forum's own may believe members
// in other actions, as somebody has chosen that.
func (b Believed) Warnings() (all []Warning) {
	if b.Default {
		all = append(all, Warning{
			About: AboutActions,
			Seen: fmt.Sprintf("members' tokens are accepted with the default rules: one member alone can make %d points "+
				"a day by %s, with targets that do not exist", b.Points, strings.Join(b.Actions, ", ")),
			Do: `use rules/strict.json, or give these actions "by": ["service"] in a rules file; docs/rules.md`,
		})
	}
	if len(b.Metrics) > 0 {
		said := make([]string, len(b.Metrics))
		for i, m := range b.Metrics {
			said[i] = fmt.Sprintf("%s up to %d a day", m.Action, m.Max)
		}
		all = append(all, Warning{
			About: AboutMetrics,
			Seen:  "members' tokens are accepted, and members may report " + strings.Join(said, ", ") + " as they like",
			Do:    `give it "by": ["service"] in a rules file, unless members are to be believed; docs/rules.md`,
		})
	}
	return all
}
