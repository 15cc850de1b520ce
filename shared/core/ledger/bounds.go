package ledger

import (
	"cmp"
	"slices"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

// A Range limits the possible score of a place on a board.
type Range struct {
	Least, Most int64
	Vague       bool // there is something that may have counted or not
}

// Has says whether a score is one of those that a place with something vague may have come to.
func (r Range) Has(score int64) bool { return r.Vague && r.Least <= score && score <= r.Most }

// Bounds returns the limits of an account's former scores on a board in a period, while undos, restores, void pairs and
// earlier activities of its entries by month were not yet known: each such entry may have counted on any day from
// the one on which it was first done to that of the last time, or not at all. The error is that of DecideAccount.
func (l *Ledger) Bounds(a *Account, name string, period board.Period) (r Range, err error) {
	entries, err := l.entriesOf(a)
	if err != nil {
		return Range{}, err
	}
	counts := map[actionDay][2]int{} // how many entries count for certain, and how many more may
	count := func(counted actionDay, kind int) {
		n := counts[counted]
		n[kind]++
		counts[counted] = n
	}
	for _, e := range entries {
		switch {
		case e.Award != nil:
			r = r.withAward(e.Award, l.awardCounts(e.Award, name, period))
		case e.Scope == "":
			if w := l.weightOf(e.Action, e.Day, name, period); w != nil {
				r.Least, r.Most = r.Least+w.Worth(e.Value), r.Most+w.Worth(e.Value)
			}
		case e.Scope == activity.PerMonth && (l.mayHaveMoved(&e) || e.Void || slices.Contains(a.WasVoid, e.Other)):
			last := min(l.calendar.Date(e.Last), period.Last())
			for day := max(l.calendar.Date(e.First), period.First()); e.Last != 0 && day <= last; day++ {
				count(actionDay{e.Action, day}, 1)
			}
		case e.Stands():
			count(actionDay{e.Action, cmp.Or(e.Day, l.calendar.Date(e.CountsAt()))}, 0)
		}
	}
	for counted, n := range counts {
		if w := l.weightOf(counted.action, counted.day, name, period); w != nil {
			least, most := w.Worth(int64(n[0])), w.Worth(int64(n[0]+n[1]))
			r.Least, r.Most = r.Least+min(least, most), r.Most+max(least, most)
			r.Vague = r.Vague || n[1] > 0
		}
	}
	r.Least, r.Most = min(r.Least, board.MaxScore), min(r.Most, board.MaxScore)
	return r, nil
}

// mayHaveMoved says whether an entry by month may have counted on another day than it does now: it was undone or
// restored, or done on two days, of which an import may have brought the first one last.
func (l *Ledger) mayHaveMoved(e *Entry) bool {
	return e.Undone != 0 || e.Restored != 0 || l.calendar.Date(e.First) != l.calendar.Date(e.Last)
}

type actionDay struct {
	action string
	day    board.Date
}

// weightOf returns the weight of an action on a board on a day of a period, nil for none.
func (l *Ledger) weightOf(action string, day board.Date, name string, period board.Period) *activity.Weight {
	rule := l.rules.On(day).Find(action)
	if rule == nil || rule.Action != action || !period.Has(day) {
		return nil
	}
	return rule.On(name)
}
