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
	const daysOfMonth = 31
	capped, names := r.mostCapped(PerMonth)
	if n := capped * daysOfMonth; n > MaxMonthEntries {
		all = append(all, fmt.Sprintf("the caps of %s allow %d entries in a month, and a ledger has room for %d",
			strings.Join(names, ", "), n, MaxMonthEntries))
	}
	if capped, names = r.mostCapped(PerDay); capped > maxByDay {
		all = append(all, fmt.Sprintf("the caps of %s allow %d entries by day on a day, and a ledger surely has room for %d",
			strings.Join(names, ", "), capped, maxByDay))
	}
	return all
}

// mostCapped returns how many entries of a scope caps allow on a day, and the actions with these caps: of the version
// that allows the most.
func (r *Rules) mostCapped(scope Scope) (most int, actions []string) {
	for _, rs := range r.versions {
		sum, capped := 0, []string(nil)
		for _, name := range sortedKeys(rs.rules) {
			if rule := rs.rules[name]; rule.Cap > 0 && (rule.Entry == scope || rule.EntryWithRef == scope) {
				sum, capped = sum+rule.Cap, append(capped, name)
			}
		}
		if sum > most {
			most, actions = sum, capped
		}
	}
	return most, actions
}
