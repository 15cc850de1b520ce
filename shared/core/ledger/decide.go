package ledger

import (
	"maps"
	"slices"
	"time"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
)

// MonthsOf returns the months whose ledgers DecideAccount may change for activities of one user.
func (l *Ledger) MonthsOf(acts []activity.Activity, life *board.Life) []board.MonthOf {
	return l.rules.MonthsOf(acts, l.calendar, life)
}

// DecideAccount applies the activities of one user, without violations, in their order to the ledgers that
// MonthsOf names, and returns a result of its arguments alone. The error wraps codec.ErrDamaged or
// ErrFormat and names the month.
func (l *Ledger) DecideAccount(a *Account, acts []activity.Activity, s Surroundings) (Decided, error) {
	p := l.open(a, s)
	defer p.close()
	months := l.MonthsOf(acts, s.Life)
	for _, date := range months {
		if _, given := a.Months[date]; !given {
			panic("ledger: the month " + date.String() + " was not given")
		}
	}
	if err := p.openMonths(p.counted(months)); err != nil {
		return Decided{}, err
	}
	if err := p.openDays(acts); err != nil {
		return Decided{}, err
	}
	d := Decided{Receipts: make([]Receipt, len(acts))}
	for i := range acts {
		p.erased = max(a.Erased, s.Former[i])
		d.Receipts[i] = p.decide(&acts[i])
	}
	p.finish(&d)
	return d, nil
}

// decide admits an activity, merges it into the ledgers and returns its receipt.
func (p *openPages) decide(a *activity.Activity) Receipt {
	date := p.ledger.calendar.Date(a.At)
	if a.Award != nil {
		return p.award(a, date)
	}
	rule := p.ledger.rules.On(date).Find(a.Action)
	if rule == nil {
		panic("ledger: an activity with a violation: unknown action " + a.Action)
	}
	if status, refused := p.refusesIn(a, rule, date); refused {
		return Receipt{Status: status, Board: rule.Board, Day: date}
	}
	m := applying{
		openPages: p, rule: rule, scope: rule.Scope(a.Ref), date: date, moment: a.At, day: date,
		void: p.known.Voids[a.Target], other: p.otherOf(a, rule),
	}
	m.apply(a)
	if p.account.Status.Excluded {
		return Receipt{Status: Excluded, Board: rule.Board, Day: date}
	}
	return Receipt{Status: m.status, Points: m.points, Board: rule.Board, Day: m.day, Scores: p.scores(rule.Board, m.day)}
}

// otherOf returns the other person of an activity that its entry keeps; 0 for none.
func (p *openPages) otherOf(a *activity.Activity, rule *activity.Rule) codec.PersonHash {
	if a.Other == "" || rule.Metric || rule.TargetIsUser || rule.Scope(a.Ref) != activity.PerMonth || rule.ByRefAlone(a) {
		return 0
	}
	return p.known.PersonOf(a.Other)
}

// refusesIn returns the status of an activity that is not kept, and whether it is one. Of an excluded user undos
// are kept.
func (p *openPages) refusesIn(a *activity.Activity, rule *activity.Rule, date board.Date) (Status, bool) {
	if !p.known.Life.TakesReports(date) || rule.Scope(a.Ref) == activity.PerDay && p.pageGone(date) {
		return TooLate, true
	}
	moment := min(a.At, p.known.Now)
	if moment <= p.erased || rule.TargetIsUser && moment <= p.known.Erased[a.Target] {
		return WasErased, true
	}
	if status, refused := p.refusesAt(a.At); refused {
		return status, true
	}
	if rule.TargetIsUser && p.isOwn(a.Target) || rule.NotOwn && p.isOwn(a.Other) {
		return Self, true
	}
	status, refused := p.refusesByUser(a, rule)
	if p.account.Status.Excluded && (refused || a.Action != rule.Undo) {
		return Excluded, true
	}
	return status, refused
}

// refusesAt returns the status of an activity whose moment is too far from the clock, and whether it is one.
func (p *openPages) refusesAt(moment board.Moment) (Status, bool) {
	switch now := p.known.Now; {
	case !p.known.AnyAge && now-moment > board.Moment(MaxAge.Milliseconds()):
		return TooLate, true
	case moment-now > board.Moment(MaxAhead.Milliseconds()):
		return TooEarly, true
	default:
		return "", false
	}
}

// refusesByUser returns the status of an activity that the rules do not let a user's own token report, and
// whether it is one.
func (p *openPages) refusesByUser(a *activity.Activity, rule *activity.Rule) (Status, bool) {
	if !a.ByUser {
		return "", false
	}
	if age := time.Duration(rule.MinAgeDays) * 24 * time.Hour; age > 0 &&
		(p.account.Since == 0 || a.At < p.account.Since.Add(age)) {
		return TooNew, true
	}
	article, known := p.known.Articles[a.Target]
	switch {
	case rule.Published && (!known || article.Deleted && a.Action != rule.Undo):
		return UnknownTarget, true
	case rule.NotOwn && known && p.isOwn(article.Author):
		return Self, true
	default:
		return "", false
	}
}

// pageGone says whether all that is left of a day is its summaries: it was closed, or a
// process that knows that it is has written since this one read the life.
func (p *openPages) pageGone(date board.Date) bool {
	if p.wasClosed(date) {
		return true
	}
	d, m := p.day(date), p.month(date.Month())
	day := int(date - m.days.First)
	return d.isNew && !d.dirty && slices.ContainsFunc(m.actions, func(t *actionTotals) bool {
		rule := m.rule(t, day)
		return t.summary(day) != nil && rule.Action != "" && !rule.Metric
	})
}

// finish puts the changed pages into the decision.
func (p *openPages) finish(d *Decided) {
	d.Account, d.Follows = p.account, p.follows
	for _, m := range p.months {
		if next := p.changedLedger(m); next != nil {
			d.Changed, d.Account.Months[m.number] = append(d.Changed, m.number), next
		}
	}
	if len(d.Changed) == 0 {
		return
	}
	for _, was := range p.before {
		if now := p.place(was.Board, was.Period); now != was {
			d.Moved = append(d.Moved, Moved{now, was.Packed})
		}
	}
}

// changedLedger returns the ledger of a month as it is now, without the pages of days that were closed; nil if
// nothing of it has changed.
func (p *openPages) changedLedger(m *month) *MonthLedger {
	var days []*day
	for _, d := range p.days {
		if d.dirty && d.date.Month() == m.number {
			days = append(days, d)
		}
	}
	if !m.dirty && !m.awards.dirty && len(days) == 0 {
		return nil
	}
	next := &MonthLedger{User: p.account.User, After: p.account.Erased, Awards: m.awards.byID}
	if was := p.account.ledger(m.number); was != nil {
		next.Month, next.Votes = was.Month, was.Votes
		next.Days = maps.Clone(was.Days)
		maps.DeleteFunc(next.Days, func(day board.Date, _ string) bool { return p.wasClosed(day) })
	}
	if m.dirty {
		next.Month = p.page(m.groups)
	}
	for _, d := range days {
		if next.Days == nil {
			next.Days = make(map[board.Date]string, len(days))
		}
		next.Days[d.date] = p.page(d.groups)
	}
	return next
}

// page returns the page of those groups that have anything, "" of none.
func (p *openPages) page(all []*group) string {
	groups := make([]*group, 0, len(all))
	for _, g := range all {
		if len(g.summaries)+len(g.records) > 0 {
			groups = append(groups, g)
		}
	}
	if len(groups) == 0 {
		return ""
	}
	p.room.page = appendGroups(p.room.page[:0], groups)
	return string(p.room.page)
}
