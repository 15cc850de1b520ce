package ledger

import (
	"maps"
	"slices"
	"strings"

	"laurel/shared/core/board"
	"laurel/shared/core/codec"
)

// VoidAccount undoes the entries of an account on the surroundings' void targets, each up to its moment, follows
// excepted: those of months that are not closed, and by day those of days that never were. The error is that of
// DecideAccount; pages that name none of the targets are not opened.
func (l *Ledger) VoidAccount(a *Account, s Surroundings) (Decided, error) {
	p, keys := l.open(a, s), map[string]board.Moment{}
	defer p.close()
	for target, until := range s.Voids {
		keys[string(codec.EntryKey{Target: target}.Append(nil))] = until // it is never the key of a follow
	}
	if err := p.openNaming(slices.Sorted(maps.Keys(keys))); err != nil {
		return Decided{}, err
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		p.voidTarget(key, keys[key])
	}
	d := Decided{}
	p.finish(&d)
	return d, nil
}

// openNaming opens the months that are not closed and whose ledgers may have entries on the targets of keys, and
// the pages of their days that may; and for boards over several months all others.
func (p *openPages) openNaming(keys []string) error {
	// Pages hold keys as they are, but for the bits of a ref and another person in the first byte.
	names := func(page string) bool {
		return slices.ContainsFunc(keys, func(key string) bool { return strings.Contains(page, key[1:]) })
	}
	var months []board.MonthOf
	for _, number := range p.account.sorted() {
		source := p.account.ledger(number)
		if source == nil || p.monthClosed(number) {
			continue
		}
		found := names(source.Month)
		for _, day := range slices.Sorted(maps.Keys(source.Days)) {
			if !names(source.Days[day]) {
				continue
			}
			found = true
			if err := p.openDay(day); err != nil {
				return err
			}
		}
		if found {
			months = append(months, number)
		}
	}
	if len(months) == 0 {
		return nil
	}
	return p.openMonths(p.counted(months))
}

// voidTarget undoes the entries on the target of a key.
func (p *openPages) voidTarget(key string, until board.Moment) {
	for _, m := range p.months {
		if p.monthClosed(m.number) {
			continue
		}
		for _, t := range m.actions {
			p.raiseAll(entered{month: m, totals: t, group: t.group}, key, until)
		}
	}
	for _, d := range p.days {
		m := p.month(d.date.Month())
		for _, g := range d.groups {
			p.raiseAll(entered{month: m, totals: m.action(g.action), day: d, group: g}, key, until)
		}
	}
}

// raiseAll undoes the entries of a group on the target of a key.
func (p *openPages) raiseAll(e entered, target string, until board.Moment) {
	a := applying{openPages: p, date: e.month.days.First, moment: until}
	a.becomeAll(e, func(key string) bool { return codec.SameTarget(key, target) }, e.raised(until))
}
