package ledger

import (
	"laurel/shared/activity"
	"laurel/shared/board"
)

// Registers are what an activity can change, a bit each.
type Registers byte

// The registers.
const (
	Own    Registers = 1 << iota // the entry of its own month or day, or a metric's value
	Before                       // the entry of the month before
	Follow                       // the follow list
	Vote                         // a vote on an article, which the ledger knows nothing of
)

// A Row is an activity that was accepted and has changed something.
type Row struct {
	activity.Activity
	Registers Registers
}

// MergeNeeds returns the pages that Merge takes.
func (l *Ledger) MergeNeeds(rows []Row, voided []Voided) []PageKey {
	var needs pageSet
	for i := range rows {
		r := &rows[i]
		day := l.calendar.Date(r.At)
		rule := l.rules.On(day).Find(r.Action)
		if rule == nil {
			continue
		}
		if r.Registers&Own != 0 {
			needs.month(day.Month())
			if !rule.Metric && rule.Scope(r.Ref) == activity.PerDay {
				needs.add(DayPage(day))
			}
		}
		if r.Registers&Before != 0 {
			needs.month(day.Month() - 1)
		}
		if r.Registers&Follow != 0 {
			needs.add(FollowsPage())
		}
	}
	for _, v := range voided {
		month, _ := v.Page.Month()
		needs.month(month)
		needs.add(v.Page)
	}
	return l.withNeeds(&needs)
}

// Merge merges what was accepted of one user into the pages that MergeNeeds names,
// in any order and any number of times. It admits everything: age, exclusion, limits
// and closed days were looked at when it was accepted. What is of a month whose pages
// take no more writes is left out, and so is what is of a closed day whose page is
// gone, as the month's page has the summary of it; not so when whole says that all
// there is of the user is being merged, into nothing. The error wraps
// codec.ErrDamaged.
func (l *Ledger) Merge(
	pages Pages, closed *board.Closed, rows []Row, voided []Voided, whole bool,
) (Changes, error) {
	p, err := l.open(pages, closed)
	if err != nil {
		return Changes{}, err
	}
	for i := range rows {
		p.mergeRow(&rows[i], whole)
	}
	for _, v := range voided {
		p.mergeVoided(v, whole)
	}
	return p.changes(), nil
}

func (p *openPages) mergeRow(r *Row, whole bool) {
	date := p.ledger.calendar.Date(r.At)
	rule := p.ledger.rules.On(date).Find(r.Action)
	if rule == nil {
		return // the rules were replaced
	}
	m := p.merging(&r.Activity, rule, date)
	m.into = r.Registers
	if m.into&Own != 0 && p.monthClosed(date.Month()) {
		m.into &^= Own
	}
	byDay := !rule.Metric && m.scope == activity.PerDay
	if m.into&Own != 0 && byDay && !whole && p.summarized(rule, date) {
		m.into &^= Own
	}
	m.merge(&r.Activity)
}

// summarized says whether all that is left of a day is its summary.
func (p *openPages) summarized(rule *activity.Rule, date board.Date) bool {
	return p.dayClosed(rule, date) && p.day(date).isNew
}

func (p *openPages) mergeVoided(v Voided, whole bool) {
	month, _ := v.Page.Month()
	if p.monthClosed(month) {
		return
	}
	m := p.month(month)
	a := merging{openPages: p, date: m.days.First, at: v.Undone, key: v.Key}
	e := entered{month: m, totals: m.action(v.Action)}
	e.group = e.totals.group
	if v.Page.kind == kindDay {
		date := board.Date(v.Page.n)
		if !whole && p.summarized(m.rule(e.totals, int(date-m.days.First)), date) {
			return
		}
		e.day = p.day(date)
		e.group = e.day.group(v.Action)
	}
	if e.at = e.group.find(v.Key); e.at < 0 {
		a.add(&e)
	}
	a.become(&e, e.moments().undone(v.Undone))
}
