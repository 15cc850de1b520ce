package activity

import (
	"fmt"
	"strings"
)

// maxByDay is how many entries by day a user's ledger has room for on each of the days that may still be reported,
// with targets of any length.
const maxByDay = 250

// RoomWarnings returns a warning for caps that allow more than a user's ledger has room for: more than the room is
// refused, even within the caps. It looks at every version.
func (r *Rules) RoomWarnings() (all []string) {
	byMonth, byDay := new(capSum), new(capSum)
	for _, rs := range r.versions {
		month, day := new(capSum), new(capSum)
		for _, name := range sortedKeys(rs.rules) {
			rule := rs.rules[name]
			if rule.Entry == PerMonth || rule.EntryWithRef == PerMonth {
				month.add(&rule)
			}
			if rule.Entry == PerDay || rule.EntryWithRef == PerDay {
				day.add(&rule)
			}
		}
		byMonth, byDay = byMonth.larger(month), byDay.larger(day)
	}
	const daysOfMonth = 31
	if n := byMonth.sum * daysOfMonth; n > MaxMonthEntries {
		all = append(all, fmt.Sprintf("the caps of %s allow %d entries in a month, and a ledger has room for %d",
			strings.Join(byMonth.names, ", "), n, MaxMonthEntries))
	}
	if byDay.sum > maxByDay {
		all = append(all, fmt.Sprintf("the caps of %s allow %d entries by day on a day, and a ledger surely has room for %d",
			strings.Join(byDay.names, ", "), byDay.sum, maxByDay))
	}
	return all
}

// A capSum is how many entries the caps of some actions allow on a day.
type capSum struct {
	sum   int
	names []string
}

func (c *capSum) add(r *Rule) {
	if r.Cap > 0 {
		c.sum, c.names = c.sum+r.Cap, append(c.names, r.Action)
	}
}

func (c *capSum) larger(other *capSum) *capSum {
	if other.sum > c.sum {
		return other
	}
	return c
}
