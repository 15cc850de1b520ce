package ledger

import (
	"fmt"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/codec"
)

// A Book is one user's pages opened for recording. It is for one goroutine.
type Book struct {
	ledger *Ledger
	closed *board.Closed
	months []*month
	days   []*day
	totals *totals // nil when no board needs it
	follow *FollowList
	status UserStatus
	before []snapshot
}

// place is where a score stands: a board's period.
type place struct {
	board  string
	period board.Period
}

// snapshot is what a place held before the first change to it.
type snapshot struct {
	place
	packed board.Packed
}

// Open opens the pages that Needs named: their bytes by key, "" or absent where
// there is no such page yet. closed is what takes no more writes. The error
// wraps codec.ErrDamaged and names the page.
func (l *Ledger) Open(pages map[PageKey]string, closed *board.Closed) (*Book, error) {
	b := &Book{ledger: l, closed: closed, before: make([]snapshot, 0, 8)}
	for key, page := range pages {
		var err error
		switch key.kind {
		case kindMonth:
			var m *month
			m, err = l.openMonth(board.MonthOf(key.n), page)
			b.months = append(b.months, m)
		case kindDay:
			var d *day
			d, err = openDay(board.Date(key.n), page)
			b.days = append(b.days, d)
		case kindFollows:
			b.follow, err = OpenFollows(page)
		case kindStatus:
			b.status, err = OpenUserStatus(page)
		default:
			b.totals, err = openTotals(page)
		}
		if err != nil {
			return nil, fmt.Errorf("page %s: %w", key, err)
		}
	}
	return b, nil
}

// month returns an open month. One that Needs did not name is a mistake of the
// caller, not of the data.
func (b *Book) month(of board.MonthOf) *month {
	if m := b.findMonth(of); m != nil {
		return m
	}
	panic(fmt.Sprintf("ledger: page %s was not opened", of))
}

func (b *Book) findMonth(of board.MonthOf) *month {
	for _, m := range b.months {
		if m.of == of {
			return m
		}
	}
	return nil
}

func (b *Book) day(of board.Date) *day {
	for _, d := range b.days {
		if d.of == of {
			return d
		}
	}
	panic(fmt.Sprintf("ledger: page %s was not opened", of))
}

// Apply merges one activity without faults and answers with its receipt.
func (b *Book) Apply(a activity.Activity, arrival Arrival) Receipt {
	date := b.ledger.calendar.Date(a.At)
	rule, ok := b.ledger.rules.On(date).Rule(a.Action)
	if !ok {
		panic("ledger: an activity with a fault: unknown action " + a.Action)
	}
	if status, refused := b.refuse(a, rule, date, arrival); refused {
		return Receipt{Status: status, Board: rule.Board, Day: date}
	}
	w := work{Book: b, rule: rule, scope: rule.Scope(a.Ref), date: date, at: a.At, day: date}
	switch {
	case rule.Metric:
		w.report(*a.Value)
	case a.Action == rule.Undo:
		w.key = keyOf(a, rule)
		w.undo()
	default:
		w.key = keyOf(a, rule)
		w.do()
	}
	if rule.TargetIsUser { // counted, capped or kept nowhere else: the list is its own
		b.followList().merge(a.Target, a.At, a.Action == rule.Undo)
	}
	return Receipt{Status: w.status, Points: w.points, Board: rule.Board, Day: w.day, Scores: b.scores(rule.Board, w.day)}
}

func (b *Book) followList() *FollowList {
	if b.follow == nil {
		panic("ledger: page follows was not opened")
	}
	return b.follow
}

// keyOf returns the key of the activity's entry.
func keyOf(a activity.Activity, rule activity.Rule) string {
	var room [64]byte // most keys fit
	return string(codec.AppendKey(room[:0], a.Target, a.Ref, rule.TargetIsUser))
}

// refuse returns the status of an activity that is not kept, and whether it is
// one: because its own day or month is final, by the clock, or because the user
// is excluded.
func (b *Book) refuse(a activity.Activity, rule activity.Rule, date board.Date, arrival Arrival) (Status, bool) {
	if b.monthClosed(date.Month()) ||
		b.closed.Has(rule.Board, board.PeriodOf(board.Day, date)) ||
		b.closed.Has(rule.Board, board.PeriodOf(board.Month, date)) {
		return TooLate, true
	}
	if status, refused := arrival.refuses(a, rule); refused {
		return status, true
	}
	return Excluded, b.status.Excluded
}

// monthClosed says whether a month's pages take no more writes.
func (b *Book) monthClosed(m board.MonthOf) bool {
	return b.closed.Has("", board.PeriodOf(board.Month, m.First()))
}
