package ledger

import (
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/codec"
)

// MergeNeeds returns the pages that Merge takes.
func (l *Ledger) MergeNeeds(rows []Row) []PageKey {
	var needs pageSet
	for i := range rows {
		l.rowNeeds(&needs, &rows[i])
	}
	return l.withNeeds(&needs)
}

func (l *Ledger) rowNeeds(needs *pageSet, r *Row) {
	if month, ok := r.Page.Month(); ok {
		needs.month(month)
		needs.add(r.Page)
		return
	}
	if r.Changed&Follow != 0 {
		needs.add(FollowsPage())
	}
	day := l.calendar.Date(r.At)
	rule := l.rules.On(day).Find(r.Action)
	if rule == nil {
		return
	}
	if r.Changed&Own != 0 {
		needs.month(day.Month())
		if !rule.Metric && r.scope(rule) == activity.PerDay {
			needs.add(DayPage(day))
		}
	}
	if r.Changed&Before != 0 {
		needs.month(day.Month() - 1)
	}
}

// Merge merges accepted rows of one user into the pages that MergeNeeds names, in any
// order and any number of times. friends are the ids in the user's set of followed
// users, for rows that change the follow list: Join and Leave make it as the page says,
// where the rows or friends know the id of a hash. Compact rows are merged together with
// all others of the user that there are.
//
// It admits everything: age, exclusion, limits and closed days were checked when the
// rows were accepted. What is of a month whose pages take no more writes is left out,
// and so is what is of a day whose page is gone, as the month's page has its summary.
//
// whole says that these are all rows of the user. Then pages that are damaged are made
// anew, and so is that of a day of which the month's page counts less than the rows, or no
// more if the day is open. The
// error is that of Decide; it is also of a damaged page of which there are no rows, or fewer
// than its summary counts, and always of the status.
func (l *Ledger) Merge(
	pages Pages, closed *board.Closed, friends []string, rows []Row, whole bool,
) (Changes, error) {
	if whole {
		return l.mend(pages, closed, friends, rows)
	}
	p, err := l.open(pages, closed)
	if err != nil {
		return Changes{}, err
	}
	p.mergeRows(rows)
	if p.follow != nil {
		p.follow.compareWith(friends)
	}
	return p.changes(), nil
}

func (p *openPages) mergeRows(rows []Row) {
	for i := range rows {
		switch r := &rows[i]; {
		case r.Page != PageKey{}:
			p.mergeVoided(r)
		case r.Action == "" && r.Changed&Follow != 0:
			p.mergeReplaced(r)
		default:
			p.mergeRow(r)
		}
	}
}

func (p *openPages) mergeRow(r *Row) {
	date := p.ledger.calendar.Date(r.At)
	rule := p.ledger.rules.On(date).Find(r.Action)
	if rule == nil || rule.Metric != (r.Value != nil) {
		return // the rules were replaced
	}
	m := p.merging(&r.Activity, rule, date)
	m.into, m.key, m.scope = r.Changed, r.Key, r.scope(rule)
	if p.monthClosed(date.Month()) {
		m.into &^= Own
	}
	byDay := !rule.Metric && m.scope == activity.PerDay
	if m.into&Own != 0 && byDay && p.summarized(rule, date) && !p.lacks(rule, date) {
		m.into &^= Own
	}
	m.merge(&r.Activity)
}

// mergeReplaced merges what replacing a follow list has changed.
func (p *openPages) mergeReplaced(r *Row) {
	l := p.followList()
	for _, id := range r.Listed {
		l.merge(codec.Hash(id), id, r.At, false)
	}
	for _, hash := range r.ListedHashes {
		l.merge(hash, "", r.At, false)
	}
	for _, hash := range r.Unlisted {
		l.merge(hash, "", r.At, true)
	}
}

// summarized says whether all that is left of a day is its summary: it is final, or was
// and is live again, and its page is gone.
func (p *openPages) summarized(rule *activity.Rule, date board.Date) bool {
	d := p.day(date)
	return d.isNew && !d.dirty && (p.dayClosed(rule, date) || p.month(date.Month()).summarizes(date))
}

func (p *openPages) mergeVoided(r *Row) {
	month, ok := r.Page.Month()
	if !ok || p.monthClosed(month) {
		return
	}
	m := p.month(month)
	a := merging{openPages: p, date: m.days.First, at: r.At, key: r.Key}
	e := entered{month: m, totals: m.action(r.Action)}
	e.group = e.totals.group
	if r.Page.kind == kindDay {
		date := board.Date(r.Page.n)
		if rule := m.rule(e.totals, int(date-m.days.First)); p.summarized(rule, date) && !p.lacks(rule, date) {
			return
		}
		e.day = p.day(date)
		e.group = e.day.group(r.Action)
	}
	if e.at = e.group.find(r.Key); e.at < 0 {
		a.add(&e)
	}
	a.become(&e, e.moments().undone(r.At))
}
