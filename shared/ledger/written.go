package ledger

import (
	"maps"

	"laurel/shared/board"
)

// finish puts what has changed into what is decided.
func (p *openPages) finish(d *Decided) {
	d.Account, d.Follows = p.account, p.follows
	for _, m := range p.months {
		if next := p.changedLedger(m); next != nil {
			d.Changed, d.Account.Months[m.of] = append(d.Changed, m.of), next
		}
	}
	if len(d.Changed) == 0 {
		return
	}
	d.Moved = make([]Moved, 0, len(p.before))
	for _, at := range p.before {
		if now := p.packed(at.place); now != at.packed {
			d.Moved = append(d.Moved, Moved{Shown{at.board, at.period, now}, at.packed})
		}
	}
}

// changedLedger returns the ledger of a month as it is now, without the pages of days that
// were closed; nil if nothing of it has changed.
func (p *openPages) changedLedger(m *month) *MonthLedger {
	var days []*day
	for _, d := range p.days {
		if d.dirty && d.of.Month() == m.of {
			days = append(days, d)
		}
	}
	if !m.dirty && len(days) == 0 {
		return nil
	}
	next := &MonthLedger{User: p.account.User, After: p.account.Erased}
	if was := p.account.ledger(m.of); was != nil {
		next.Month, next.Votes = was.Month, was.Votes
		next.Days = maps.Clone(was.Days)
		maps.DeleteFunc(next.Days, func(day board.Date, _ string) bool { return p.wasClosed(day) })
	}
	if m.dirty {
		next.Month = p.page(m.groups())
	}
	for _, d := range days {
		if next.Days == nil {
			next.Days = make(map[board.Date]string, len(days))
		}
		next.Days[d.of] = p.page(d.kept())
	}
	return next
}

// page returns the page of groups, "" of none.
func (p *openPages) page(groups []*group) string {
	if len(groups) == 0 {
		return ""
	}
	p.room.page = appendGroups(p.room.page[:0], groups)
	return string(p.room.page)
}
