package ledger

import (
	"cmp"
	"maps"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/core/codec"
)

// A Joined is the ledger of a month of two people who are one person from now on.
type Joined struct {
	Ledger  *MonthLedger // nil if neither had one
	Dropped int64        // entries for which it had no room
}

// Join returns the ledger of a month of two accounts as one of the first account: the ledger of a person who did all of
// both. It does not change the accounts. The moments of an entry of both are minima and maxima; a day that was closed
// has the numbers of both, and the later decisive moments; of two awards with one id the earlier stands, and taken back
// in either is taken back. Entries by which the first account's people follow themselves are left out, and votes are
// the caller's. The error is that of DecideAccount.
func (l *Ledger) Join(into, old *Account, number board.MonthOf, s Surroundings) (Joined, error) {
	if into.ledger(number) == nil && old.ledger(number) == nil {
		return Joined{}, nil
	}
	j := joining{into: l.open(into, s), old: l.open(old, s)}
	defer j.into.close()
	defer j.old.close()
	for _, p := range []*openPages{j.into, j.old} {
		if err := p.openMonths([]board.MonthOf{number}); err != nil {
			return Joined{}, err
		}
	}
	j.month, j.other = j.into.month(number), j.old.month(number)
	for _, m := range []*month{j.month, j.other} {
		if err := j.openDays(m); err != nil {
			return Joined{}, err
		}
	}
	j.join()
	return j.fitted(), nil
}

// joining is two accounts whose ledgers of a month are joined into the first one's.
type joining struct {
	into, old    *openPages
	month, other *month
}

// openDays opens, for both accounts, the days of which one has a page.
func (j *joining) openDays(m *month) error {
	for _, p := range []*openPages{j.into, j.old} {
		source := p.account.ledger(m.number)
		if source == nil {
			continue
		}
		for _, date := range slices.Sorted(maps.Keys(source.Days)) {
			if j.into.hasDay(date) {
				continue
			}
			if err := cmp.Or(j.into.openDay(date), j.old.openDay(date)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *openPages) hasDay(date board.Date) bool {
	return slices.ContainsFunc(p.days, func(d *day) bool { return d.date == date })
}

// join joins all of the second account's month into the first one's.
func (j *joining) join() {
	m := j.month
	for _, t := range j.other.actions {
		joinRecords(m.action(t.action).group, t.group)
	}
	for _, t := range m.actions {
		m.dropOwnFollows(t)
		t.applyRegisters()
	}
	for n, d := range j.into.days {
		if other := j.old.days[n]; !j.isGone(d, other) {
			for _, g := range other.groups {
				joinRecords(d.group(g.action), g)
			}
			for _, g := range d.groups {
				g.applyRegisters()
			}
		} else {
			d.groups = nil
		}
	}
	for day := range m.days.Days {
		j.joinSummaries(day)
	}
	joinAwards(&m.awards, j.other.awards.byID, m.days)
}

// isGone says whether all that is left of a day is its summaries, in one ledger at least.
func (j *joining) isGone(d, other *day) bool {
	return j.into.wasClosed(d.date) || d.isNew && j.month.closedDay(d.date) || other.isNew && j.other.closedDay(d.date)
}

// closedDay says whether the month has a summary of entries by day.
func (m *month) closedDay(date board.Date) bool {
	day := int(date - m.days.First)
	return slices.ContainsFunc(m.actions, func(t *actionTotals) bool {
		rule := m.rule(t, day)
		return t.summary(day) != nil && rule.Action != "" && !rule.Metric
	})
}

// joinRecords joins the entries of another group into a group.
func joinRecords(g, other *group) {
	index := make(map[string]int, len(g.records))
	for i := range g.records {
		index[g.records[i].key] = i
	}
	for _, r := range other.records {
		if i, known := index[r.key]; known {
			was := &g.records[i]
			was.Moments, was.other = was.and(r.Moments), max(was.other, r.other)
		} else {
			g.records = append(g.records, r)
		}
	}
	g.sort()
}

func (g *group) sort() {
	slices.SortFunc(g.records, func(x, y record) int { return compareRecords(&x, &y) })
}

// and returns the moments of an entry that was done by two people.
func (m Moments) and(other Moments) Moments {
	if m.First == 0 || other.First != 0 && other.First < m.First {
		m.First = other.First
	}
	m.Last = max(m.Last, other.Last)
	return m.undone(other.Undone).restored(other.Restored)
}

// applyRegisters gives the entries of a group the moments of their refs' registers.
func (g *group) applyRegisters() {
	changed := false
	for _, register := range g.records {
		if codec.HasTarget(register.key) {
			continue
		}
		for i := range g.records {
			if r := &g.records[i]; codec.HasTarget(r.key) && codec.SameRef(r.key, register.key) {
				r.Moments, changed = r.undone(register.Undone).restored(register.Restored), true
			}
		}
	}
	if changed {
		g.sort()
	}
}

// dropOwnFollows drops the entries by which a person follows oneself.
func (m *month) dropOwnFollows(t *actionTotals) {
	t.records = slices.DeleteFunc(t.records, func(r record) bool {
		return m.rule(t, m.days.Index(r.earliest())).TargetIsUser && slices.Contains(m.own, codec.PersonIn(r.key))
	})
}

// joinSummaries joins the summaries of a day: those of pages from the joined pages, others with each other.
func (j *joining) joinSummaries(number int) {
	m, date := j.month, j.month.days.First+board.Date(number)
	for _, t := range j.other.actions {
		m.action(t.action)
	}
	var page *day
	for n, d := range j.into.days {
		if d.date == date && !j.isGone(d, j.old.days[n]) {
			page = d
			for _, g := range d.groups { // an act of one and a restore of the other may stand together alone
				m.action(g.action)
			}
		}
	}
	var joined []daySummary // by action
	for _, t := range m.actions {
		next, rule := daySummary{day: number}, m.rule(t, number)
		mine, theirs := t.summary(number), (*daySummary)(nil)
		if i, known := j.other.find(t.action); known {
			theirs = j.other.actions[i].summary(number)
		}
		switch {
		case page != nil && !rule.Metric:
			if i, known := page.find(t.action); known {
				next = summarize(page.groups[i], number, rule)
			}
		case mine != nil && theirs != nil && rule.Metric:
			next = betterMetric(mine, theirs)
		case mine != nil && theirs != nil:
			next = joinDay(mine, theirs, rule)
		case mine != nil || theirs != nil:
			next = *cmp.Or(mine, theirs)
		}
		joined = append(joined, next)
	}
	for i, t := range m.actions {
		t.setSummary(joined[i])
	}
}

// joinAwards joins awards of a month: of two with one id the earlier stands.
func joinAwards(a *awards, others map[string]Award, days *board.MonthDays) {
	if len(others) == 0 {
		return
	}
	all := maps.Clone(a.byID)
	if all == nil {
		all = map[string]Award{}
	}
	for id, other := range others {
		was, known := all[id]
		taken := other.Taken || known && was.Taken
		if known && was.compare(other) < 0 {
			other = was
		}
		other.Taken = taken
		all[id] = other
	}
	a.take(all, days)
}

// compare is the order in which one of two awards with one id stands: the earlier, at one moment the lesser.
func (a Award) compare(other Award) int {
	return cmp.Or(cmp.Compare(a.At, other.At), cmp.Compare(a.Points, other.Points),
		cmp.Compare(a.Board, other.Board), cmp.Compare(a.Reason, other.Reason))
}

// shorten takes the reasons from awards, the earliest first, until they have some bytes less, and reports whether there
// were any.
func (a *awards) shorten(excess int, days *board.MonthDays) bool {
	all := maps.Clone(a.byID)
	ids := slices.SortedFunc(maps.Keys(all), func(x, y string) int { return all[x].compare(all[y]) })
	freed := 0
	for _, id := range ids {
		award := all[id]
		if freed >= excess {
			break
		}
		freed += len(award.Reason)
		award.Reason = ""
		all[id] = award
	}
	a.take(all, days)
	return freed > 0
}
