package activity

import (
	"slices"

	"laurel/shared/core/board"
)

// Needs are the facts that are to be read before activities of one user are decided.
type Needs struct {
	Months  []board.MonthOf // those of MonthsOf
	Targets []Target        // of each activity
}

// A Target tells the kind of an activity's target, as far as a decision depends on it.
type Target struct {
	User    bool // it is a user: a follow or an unfollow
	Article bool // the rules have conditions on the article that it is
}

// Needs returns the facts that the rules ask for before activities of one user are decided.
func (r *Rules) Needs(acts []Activity, calendar *board.Calendar, life *board.Life) Needs {
	n := Needs{Months: r.MonthsOf(acts, calendar, life), Targets: make([]Target, len(acts))}
	for i := range acts {
		a := &acts[i]
		if rule := r.On(calendar.Date(a.At)).Find(a.Action); rule != nil {
			n.Targets[i] = Target{User: rule.TargetIsUser, Article: a.ByUser && (rule.Published || rule.NotOwn)}
		}
	}
	return n
}

// MonthsOf returns the months whose entries activities of one user may change, in order: the activities' own, and for
// an undo or a restore of an entry by month the one before; none that are closed.
func (r *Rules) MonthsOf(acts []Activity, calendar *board.Calendar, life *board.Life) []board.MonthOf {
	months := make([]board.MonthOf, 0, 2)
	add := func(m board.MonthOf) bool {
		if life.Closed(board.PeriodOf(board.Month, m.First())) {
			return false
		}
		if !slices.Contains(months, m) {
			months = append(months, m)
		}
		return true
	}
	for i := range acts {
		a := &acts[i]
		day := calendar.Date(a.At)
		if a.Award != nil {
			add(day.Month())
			continue
		}
		rule := r.On(day).Find(a.Action)
		if rule == nil || !add(day.Month()) || rule.Scope(a.Ref) == PerDay {
			continue
		}
		if a.Action == rule.Undo || a.Restores {
			add(day.Month() - 1)
		}
	}
	slices.Sort(months)
	return months
}
