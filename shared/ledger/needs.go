package ledger

import (
	"slices"

	"laurel/shared/activity"
	"laurel/shared/board"
)

// Needs returns the pages that Decide takes for the activities of one user, each
// once: the month's, the day's for entries by day, and for an undo the month
// before's. A board that keeps weeks needs the months next to them, one that keeps
// years or all time the totals; a follow needs the follow list, and everything the
// status. Activities of which nothing can be kept need none.
func (l *Ledger) Needs(activities []activity.Activity, arrival Arrival) []PageKey {
	needs := pageSet{keys: make([]PageKey, 0, 4), months: make([]board.MonthOf, 0, 2)}
	for i := range activities {
		a := &activities[i]
		day := l.calendar.Date(a.At)
		rule := l.rules.On(day).Find(a.Action)
		if rule == nil {
			continue
		}
		if _, refused := arrival.refuses(a, rule); refused {
			continue
		}
		month := day.Month()
		needs.month(month)
		switch {
		case rule.Metric:
		case rule.Scope(a.Ref) == activity.PerDay:
			needs.add(DayPage(day))
		case a.Action == rule.Undo, a.Restores:
			needs.month(month - 1)
		}
		if rule.TargetIsUser {
			needs.add(FollowsPage())
		}
	}
	return l.withNeeds(&needs)
}

// withNeeds adds what the pages of months need beside them.
func (l *Ledger) withNeeds(needs *pageSet) []PageKey {
	if len(needs.keys) == 0 {
		return nil
	}
	if l.rules.Keeps(board.Week) {
		for _, m := range needs.months {
			needs.add(MonthPage(m - 1))
			needs.add(MonthPage(m + 1))
		}
	}
	if l.rules.Keeps(board.Year, board.All) {
		needs.add(TotalsPage())
	}
	needs.add(StatusPage())
	return needs.keys
}

// ScoreNeeds returns the pages that Scores takes for the user's scores in periods.
func (l *Ledger) ScoreNeeds(periods []board.Period) []PageKey {
	var needs pageSet
	for _, p := range periods {
		switch p.Window() {
		case board.Day, board.Week, board.Month:
			needs.add(MonthPage(p.First().Month()))
			needs.add(MonthPage((p.Next().First() - 1).Month()))
		default:
			needs.add(TotalsPage())
		}
	}
	return needs.keys
}

// pageSet gathers keys without repeats; a batch rarely has more than a few.
type pageSet struct {
	keys   []PageKey
	months []board.MonthOf // those asked for by name
}

func (s *pageSet) month(m board.MonthOf) {
	if s.add(MonthPage(m)) {
		s.months = append(s.months, m)
	}
}

func (s *pageSet) add(k PageKey) bool {
	if slices.Contains(s.keys, k) {
		return false
	}
	s.keys = append(s.keys, k)
	return true
}
