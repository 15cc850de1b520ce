package activity

import (
	_ "embed"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"sort"
	"strings"

	"laurel/shared/core/board"
)

//go:embed rules.json
var defaultRules []byte

// Limits of rules. MaxDayEntries and MaxMonthEntries are also the maximum numbers of
// entries of a user's day and month (package ledger).
const (
	MaxDayEntries   = 1_000
	MaxMonthEntries = 6_000
	maxPoints       = 10_000
	maxMinAgeDays   = 3_650
)

// A Scope is the time in which a repeated activity is the same entry.
type Scope string

// The scopes of an entry.
const (
	PerDay   Scope = "day"
	PerMonth Scope = "month"
)

// A Reporter is a party that may report an action.
type Reporter string

// The reporters.
const (
	ByUser    Reporter = "user"
	ByService Reporter = "service"
)

// A Rule has the points of an action, or the board of a metric.
type Rule struct {
	Action string // the action or the metric
	Undo   string // the name of its undo; "" without one
	Board  string
	By     []Reporter

	NotOwn bool // the target must not be an article of the user, nor the other person be the user

	// Conditions on the reports of a user's own token:
	Published  bool // the target has to be an article that the forum published
	MinAgeDays int  // of the user's account; 0 for any

	// Of an action:
	Points       int64 // of one entry
	Entry        Scope
	EntryWithRef Scope // with a ref; "" if it takes none
	Cap          int   // the number of entries that count on a day; 0 for all
	TargetIsUser bool
	ByOther      bool // one entry for each other person

	// Of a metric, whose points are its value:
	Metric   bool
	Min, Max int64

	weights []Weight // on the boards that count it
	caps    []int    // see Caps
}

// TakesRef reports whether an activity of the action may have a ref.
func (r *Rule) TakesRef() bool { return r.EntryWithRef != "" }

// Scope returns the scope of an entry with this ref.
func (r *Rule) Scope(ref string) Scope {
	if ref != "" && r.TakesRef() {
		return r.EntryWithRef
	}
	return r.Entry
}

// MayReport reports whether the reporter may report the action.
func (r *Rule) MayReport(by Reporter) bool { return slices.Contains(r.By, by) }

// Counted returns how many of n entries of one day count.
func (r *Rule) Counted(n int) int {
	if r.Cap > 0 {
		return min(n, r.Cap)
	}
	return n
}

// A Ruleset is the rules in force on a day.
type Ruleset struct {
	firstDay board.Date // the first day; 0 for the first version
	rules    map[string]Rule
	words    map[string]*Rule // by action, undo and metric
	names    []string         // of words, sorted
}

// Find returns the rule of a word (an action, its undo or a metric), nil if there is none; word ==
// rule.Undo means that it is the undo. The caller must not change it.
func (rs *Ruleset) Find(word string) *Rule { return rs.words[word] }

// Words lists the actions, undos and metrics, sorted.
func (rs *Ruleset) Words() []string { return rs.names }

// Rules are a deployment's boards and the points that activities earn on them, by day.
// They are immutable and safe for concurrent use.
type Rules struct {
	source    []byte
	questions map[string]*Board
	boards    []string
	versions  []*Ruleset // sorted by from
	articles  Articles
	hooks     map[string]Hook
	events    []EventAddress
	fair      Fair
}

// Default returns the built-in rules.
func Default() *Rules {
	rules, err := ParseRules(defaultRules)
	if err != nil {
		panic("activity: the built-in rules are invalid: " + err.Error())
	}
	return rules
}

// On returns the rules in force on a day.
func (r *Rules) On(day board.Date) *Ruleset {
	i := sort.Search(len(r.versions)-1, func(i int) bool { return r.versions[i+1].firstDay > day })
	return r.versions[i]
}

// Versions returns the rulesets, by the first day that each is in force.
func (r *Rules) Versions() iter.Seq[*Ruleset] { return slices.Values(r.versions) }

// Last returns the rules as if their last version had been in force on every day. Its JSON is
// still that of all versions.
func (r *Rules) Last() *Rules {
	last := *r
	last.versions = last.versions[len(last.versions)-1:]
	return &last
}

// JSON returns the rules file, with the constants of articles added if it has none, and without the
// addresses of events.
func (r *Rules) JSON() []byte { return slices.Clone(r.source) }

// sortedKeys returns a map's keys in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// Believed is the part of the rules that lets members report by their own tokens without confirmation.
type Believed struct {
	Default bool     // actions and metrics are those of the built-in rules
	Actions []string // that count for targets that do not exist, sorted
	Points  int64    // the most that these add up to in a day by their caps, on all boards
	Metrics []Rule   // whose values are as members say, by name
}

// A Warning is a matter of the rules that an operator should look at, and the remedy.
type Warning struct{ About, Seen, Do string }

// The subjects of warnings.
const (
	AboutActions = "actions"
	AboutMetrics = "metrics"
)

// Believes returns the actions that the rules of a day let members report by their own tokens alone.
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

// Warnings returns the warnings for a deployment that accepts members' tokens: that the rules are
// the built-in ones, and that members may report a metric. Rules of a forum's own may trust
// members with other actions, as the forum has chosen that.
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
