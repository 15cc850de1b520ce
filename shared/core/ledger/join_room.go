package ledger

import (
	"cmp"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/core/codec"
)

// fitted returns the joined ledger, without the entries for which it has no room, and then without reasons of awards.
func (j *joining) fitted() (joined Joined) {
	var spare []spareEntry
	for {
		joined.Ledger = j.ledger()
		excess := j.excess(joined.Ledger)
		if excess <= 0 {
			return joined
		}
		if spare == nil {
			spare = j.spareEntries()
		}
		if len(spare) == 0 && !j.month.awards.shorten(excess, j.month.days) {
			return joined
		}
		n := 0
		for freed := 0; n < len(spare) && freed < excess; n++ {
			freed += minRecord + laterInDay + len(spare[n].key)
		}
		j.drop(spare[:n])
		joined.Dropped += int64(n)
		spare = spare[n:]
	}
}

// ledger returns the joined ledger as it is written.
func (j *joining) ledger() *MonthLedger {
	j.month.dirty = true
	for _, d := range j.into.days {
		d.dirty = len(d.groups) > 0 && d.entries() > 0
	}
	return j.into.changedLedger(j.month)
}

// excess returns by how many bytes a ledger may come to exceed the limit of an item.
func (j *joining) excess(next *MonthLedger) int {
	size := j.into.sizesOf(next, true)
	votes, awards := next.votesSize(), awardsSize(next.Awards)
	if old := j.old.account.ledger(j.month.number); old != nil {
		votes += old.votesSize()
	}
	return size.all(j.month.entries()) + max(votes-MaxVotes, 0) + max(awards-MaxAwardRoom, 0) - MaxItem
}

// A spareEntry is an entry that a joined ledger may do without.
type spareEntry struct {
	group *group
	key   string
	rank  int // the lowest is dropped first
	order board.Moment
}

// Ranks of spare entries.
const (
	onlyUndone = iota // kept for activities that may still arrive
	overCap
	notStanding // and registers of refs
	counting
)

// spareEntries returns all entries in the order in which a joined ledger drops them: those that are only undone, the
// oldest first; those over their day's cap, the latest first; at last all others.
func (j *joining) spareEntries() (all []spareEntry) {
	for _, t := range j.month.actions {
		all = append(all, j.month.spare(t, t.group)...)
		for _, d := range j.into.days {
			if i, known := d.find(t.action); known {
				all = append(all, j.month.spare(t, d.groups[i])...)
			}
		}
	}
	slices.SortFunc(all, func(a, b spareEntry) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.order, b.order),
			cmp.Compare(a.group.action, b.group.action), cmp.Compare(a.key, b.key))
	})
	return all
}

// spare returns the entries of a group of an action, as they may be dropped.
func (m *month) spare(t *actionTotals, g *group) (all []spareEntry) {
	over := m.entriesOverCap(t, g)
	for i := range g.records {
		r := &g.records[i]
		e := spareEntry{group: g, key: r.key, rank: notStanding, order: r.earliest()}
		switch {
		case r.Last == 0 && codec.HasTarget(r.key):
			e.rank = onlyUndone
		case over[r.key]:
			e.rank, e.order = overCap, -r.CountsAt()
		case r.Stands():
			e.rank, e.order = counting, -r.CountsAt()
		}
		all = append(all, e)
	}
	return all
}

// entriesOverCap returns the keys of a group's entries that stand and do not count, as their days have their caps of
// earlier ones.
func (m *month) entriesOverCap(t *actionTotals, g *group) map[string]bool {
	var standing []*record
	for i := range g.records {
		if r := &g.records[i]; r.Stands() && !m.isVoid(t, r) {
			standing = append(standing, r)
		}
	}
	slices.SortFunc(standing, func(a, b *record) int { return cmp.Compare(a.CountsAt(), b.CountsAt()) })
	over, counted := map[string]bool{}, [31]int{}
	for _, r := range standing {
		day := m.days.Index(r.CountsAt())
		counted[day]++
		if limit := m.rule(t, day).Cap; limit > 0 && counted[day] > limit {
			over[r.key] = true
		}
	}
	return over
}

// drop drops entries, and sums up the days of those by day again.
func (j *joining) drop(spare []spareEntry) {
	gone := map[*group]map[string]bool{}
	for _, e := range spare {
		if gone[e.group] == nil {
			gone[e.group] = map[string]bool{}
		}
		gone[e.group][e.key] = true
	}
	for g, keys := range gone {
		g.records = slices.DeleteFunc(g.records, func(r record) bool { return keys[r.key] })
	}
	for _, d := range j.into.days {
		day := int(d.date - j.month.days.First)
		for _, g := range d.groups {
			if t := j.month.action(g.action); gone[g] != nil {
				t.setSummary(summarize(g, day, j.month.rule(t, day)))
			}
		}
	}
}
