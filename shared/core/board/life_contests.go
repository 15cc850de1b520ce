package board

import (
	"slices"
)

// findContest returns the span of a contest alone, the zero one for a live one. One whose first month has no ledgers
// any more is as one that was removed: nothing can be made of it.
func (l *Life) findContest(p Period) lifeSpan {
	if l == nil || p.window != Contest {
		return lifeSpan{}
	}
	if i, ok := l.contestAt(p); ok {
		return lifeSpan{p.n, p.n, l.contests[i].State, l.contests[i].Since}
	}
	if p.First().Month() <= l.gone {
		return lifeSpan{p.n, p.n, PeriodRemoved, 0}
	}
	return lifeSpan{}
}

func (l *Life) contestAt(p Period) (int, bool) {
	return slices.BinarySearchFunc(l.contests, p, func(c PeriodLife, p Period) int { return c.Period.Compare(p) })
}

// setContest sets the state of a contest in a life of its own.
func (l *Life) setContest(c PeriodLife) {
	i, known := l.contestAt(c.Period)
	l.contests = slices.Clone(l.contests)
	if !known {
		l.contests = slices.Insert(l.contests, i, c)
	}
	l.contests[i] = c
}

// Gone returns the last month whose ledgers are deleted, 0 for none.
func (l *Life) Gone() MonthOf {
	if l == nil {
		return 0
	}
	return l.gone
}

// Forget returns the life after the ledgers of a month are deleted: it forgets contests that began then or earlier, of
// which nothing can be made any more.
func (l *Life) Forget(m MonthOf) *Life {
	next := l.clone()
	if m <= next.gone {
		return next
	}
	next.gone = m
	next.number++
	next.contests = slices.DeleteFunc(slices.Clone(next.contests), func(c PeriodLife) bool {
		return c.Period.First().Month() <= m
	})
	return next
}

// Contests returns the contests that are not live, in order.
func (l *Life) Contests() []PeriodLife {
	if l == nil {
		return nil
	}
	return l.contests
}
