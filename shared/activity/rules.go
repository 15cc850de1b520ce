package activity

import (
	_ "embed"
	"maps"
	"slices"
	"sort"

	"laurel/shared/board"
)

//go:embed rules.json
var defaultRules []byte

// Limits of what rules may say. MaxDayEntries and MaxMonthEntries are also how
// many entries a user's day and a user's month hold (package ledger).
const (
	MaxDayEntries   = 1_000
	MaxMonthEntries = 4_000
	maxPoints       = 10_000
)

// A Scope is how long doing the same thing again is the same entry.
type Scope string

// The scopes of an entry.
const (
	PerDay   Scope = "day"
	PerMonth Scope = "month"
)

// A Reporter is who may report an action.
type Reporter string

// The reporters.
const (
	ByUser    Reporter = "user"
	ByService Reporter = "service"
)

// A Rule says what one action is worth, or on which board a metric is kept.
type Rule struct {
	Action string // the action or the metric
	Undo   string // the word that takes it back, "" when nothing does
	Board  string
	By     []Reporter

	// Of an action:
	Points       int64 // of one entry
	Entry        Scope
	EntryWithRef Scope // with a ref; "" when it takes none
	Cap          int   // how many entries of a day count; 0: all
	TargetIsUser bool

	// Of a metric, whose points are its value:
	Metric   bool
	Min, Max int64
}

// TakesRef says whether an activity of the action may have a ref.
func (r Rule) TakesRef() bool { return r.EntryWithRef != "" }

// Scope returns the scope of the entry that an activity with this ref enters.
func (r Rule) Scope(ref string) Scope {
	if ref != "" && r.TakesRef() {
		return r.EntryWithRef
	}
	return r.Entry
}

// MayReport says whether the reporter may report the action.
func (r Rule) MayReport(by Reporter) bool { return slices.Contains(r.By, by) }

// Counted returns how many of n entries of one day count.
func (r Rule) Counted(n int) int {
	if r.Cap > 0 {
		return min(n, r.Cap)
	}
	return n
}

// A Ruleset is the rules in force on a day.
type Ruleset struct {
	from  board.Date // the first day; the first version has none
	rules map[string]Rule
	words map[string]*Rule // by action, undo and metric
	names []string         // of words, sorted
}

// Rule returns the rule that a word (an action, its undo or a metric) falls
// under; word == rule.Undo tells an undo.
func (rs *Ruleset) Rule(word string) (Rule, bool) {
	if r := rs.words[word]; r != nil {
		return *r, true
	}
	return Rule{}, false
}

// Find is Rule without the copy, nil where there is none. The rule must not be
// changed.
func (rs *Ruleset) Find(word string) *Rule { return rs.words[word] }

// Words lists the actions, undos and metrics, sorted.
func (rs *Ruleset) Words() []string { return rs.names }

// Rules are a deployment's boards and what earns points on them, by day. They
// do not change and are safe for concurrent use.
type Rules struct {
	source   []byte
	windows  map[string][]board.Window
	boards   []string
	versions []*Ruleset // by from, the first one without
	articles Articles
}

// Default returns the rules that are built in.
func Default() *Rules {
	rules, err := ParseRules(defaultRules)
	if err != nil {
		panic("activity: the built-in rules are invalid: " + err.Error())
	}
	return rules
}

// On returns the rules in force on a day.
func (r *Rules) On(day board.Date) *Ruleset {
	i := sort.Search(len(r.versions)-1, func(i int) bool { return r.versions[i+1].from > day })
	return r.versions[i]
}

// Boards lists the names of the boards, sorted.
func (r *Rules) Boards() []string { return r.boards }

// Windows returns the windows that a board keeps, the shortest first; nil when
// there is no such board.
func (r *Rules) Windows(name string) []board.Window { return r.windows[name] }

// Keeps says whether any board keeps one of the windows.
func (r *Rules) Keeps(windows ...board.Window) bool {
	for _, kept := range r.windows {
		if slices.ContainsFunc(windows, func(w board.Window) bool { return slices.Contains(kept, w) }) {
			return true
		}
	}
	return false
}

// JSON returns the rules as they were written, with the constants of articles
// where they have none.
func (r *Rules) JSON() []byte { return slices.Clone(r.source) }

// sortedKeys lists a map's keys in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
