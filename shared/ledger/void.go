package ledger

import (
	"maps"
	"slices"
	"strings"

	"laurel/shared/board"
	"laurel/shared/codec"
)

// Void undoes a user's entries on targets that are void, each up to its moment, follows
// excepted: those in months that take writes, and of days that are not final. pages
// are all of the user's. It returns a row for each entry. The error is that of Decide;
// pages that name none of the targets are not opened.
func (l *Ledger) Void(
	user string, pages Pages, closed *board.Closed, voids map[string]board.Moment,
) (Changes, []Row, error) {
	keys := map[string]board.Moment{}
	for target, until := range voids {
		key := string(codec.AppendKey(nil, target, "", false)) // which is never that of a follow
		if l.mayHave(pages, key) {
			keys[key] = until
		}
	}
	if len(keys) == 0 {
		return Changes{}, nil, nil
	}
	p, err := l.open(pages, closed)
	if err != nil {
		return Changes{}, nil, err
	}
	p.user = user
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		p.voidTarget(key, keys[key])
	}
	return p.changes(), p.voided, nil
}

// mayHave says whether entries on the target of a key may be on the pages, which hold
// keys as they are, but for the bit of a ref in the first byte.
func (l *Ledger) mayHave(pages Pages, key string) bool {
	for k, page := range pages {
		_, ok := k.Month()
		if ok && page != "" && (page[0] != l.entries.number || strings.Contains(page, key[1:])) {
			return true
		}
	}
	return false
}

// voidTarget undoes the entries on the target of a key.
func (p *openPages) voidTarget(key string, until board.Moment) {
	for _, m := range p.months {
		if p.monthClosed(m.of) {
			continue
		}
		for _, t := range m.actions {
			p.raiseAll(entered{month: m, totals: t, group: t.group}, key, until)
		}
	}
	for _, d := range p.days {
		m := p.month(d.of.Month())
		for _, g := range d.groups {
			t := m.action(g.action)
			if !p.monthClosed(m.of) && !p.dayClosed(m.rule(t, int(d.of-m.days.First)), d.of) {
				p.raiseAll(entered{month: m, totals: t, day: d, group: g}, key, until)
			}
		}
	}
}

// raiseAll undoes the entries of a group on the target of a key.
func (p *openPages) raiseAll(e entered, target string, until board.Moment) {
	a := merging{openPages: p, date: e.month.days.First, at: until}
	var keys []string
	for i := range e.group.records {
		if key := e.group.records[i].key; codec.SameTarget(key, target) {
			keys = append(keys, key)
		}
	}
	for _, key := range keys {
		e.at = e.group.find(key)
		a.raise(&e, until)
	}
}
