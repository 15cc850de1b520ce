package ledger

import (
	"slices"
	"sort"

	"laurel/shared/activity"
	"laurel/shared/board"
)

// day is a user's day page, open: the entries that are by day.
type day struct {
	of     board.Date
	groups []*group // by action
	isNew  bool
	dirty  bool
}

// group returns the group of an action, a new one where there is none.
func (d *day) group(action string) *group {
	i := sort.Search(len(d.groups), func(i int) bool { return d.groups[i].action >= action })
	if i < len(d.groups) && d.groups[i].action == action {
		return d.groups[i]
	}
	d.groups = slices.Insert(d.groups, i, &group{action: action})
	return d.groups[i]
}

// entries returns how many entries the page holds.
func (d *day) entries() int {
	n := 0
	for _, g := range d.groups {
		n += len(g.records)
	}
	return n
}

// kept returns the groups of the day's page, those with entries.
func (d *day) kept() []*group {
	groups := make([]*group, 0, len(d.groups))
	for _, g := range d.groups {
		if len(g.records) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

// summarize sums up what of a day page's group stands, for the month page. Where
// the action has entries by month too, the two share a cap, so the summary lists
// all moments that may be within it; else the decisive one is enough.
func summarize(g *group, index int, rule *activity.Rule) daySummary {
	n := daySummary{day: index}
	for i := range g.records {
		if g.records[i].Stands() {
			n.moments = append(n.moments, g.records[i].CountsAt())
		}
	}
	if n.n = int64(len(n.moments)); n.n == 0 {
		return n
	}
	slices.Sort(n.moments)
	n.moments = n.moments[:rule.Counted(len(n.moments))]
	shared := rule.TakesRef() && rule.EntryWithRef != rule.Entry
	if last := len(n.moments) - 1; !shared || rule.Cap == 0 {
		n.moments = n.moments[last:]
	}
	return n
}
