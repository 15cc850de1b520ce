package board

import "slices"

// Hold returns the life with months held by an import, beside those that it holds already.
func (l *Life) Hold(id string, months ...MonthOf) *Life {
	next := l.clone()
	if next.held == nil {
		next.held = map[string][]MonthOf{}
	}
	all := slices.Concat(next.held[id], months)
	slices.Sort(all)
	next.held[id] = slices.Compact(all)
	return next
}

// Release returns the life without the periods that an import held.
func (l *Life) Release(id string) *Life {
	next := l.clone()
	delete(next.held, id)
	return next
}

// holds says whether an import holds one of a period's months.
func (l *Life) holds(p Period) bool {
	if l == nil || p.window == All {
		return false
	}
	from, to := p.First().Month(), p.Last().Month()
	for _, months := range l.held {
		if slices.ContainsFunc(months, func(m MonthOf) bool { return from <= m && m <= to }) {
			return true
		}
	}
	return false
}

// A PeriodLife is a period with its state and since when.
type PeriodLife struct {
	Period Period
	State  PeriodState
	Since  Moment
}

// Unsettled returns the periods that are closed, final and not removed, or reopened, by window
// and time: the periods that a night has to continue with.
func (l *Life) Unsettled() []PeriodLife {
	if l == nil {
		return nil
	}
	var all []PeriodLife
	for _, w := range Windows()[:All-Day] {
		for _, s := range l.spans[w-Day] {
			if s.state == PeriodRemoved {
				continue
			}
			for n := s.from; n <= s.to; n++ {
				all = append(all, PeriodLife{Period{w, n}, s.state, s.since})
			}
		}
	}
	return all
}

// Due returns the periods of a window that are live or reopened and due today, from the first month on, oldest
// first: those that are not held, and those that are. There are none if that month is 0.
func (l *Life) Due(w Window, first MonthOf, today Date, hotDays, hotMonths int) (due, held []Period) {
	if first == 0 {
		return nil, nil
	}
	for p := PeriodOf(w, first.First()); Due(p, today, hotDays, hotMonths); p = p.Next() {
		switch {
		case l.Closed(p):
		case l.holds(p):
			held = append(held, p)
		default:
			due = append(due, p)
		}
	}
	return due, held
}

// LiveMonths returns the months from one to another, both included, that are not final: whose
// ledgers the view follows; none if the first is 0.
func (l *Life) LiveMonths(from, to MonthOf) []MonthOf {
	var live []MonthOf
	for m := from; m <= to && from != 0; m++ {
		if !l.Final(Period{Month, int32(m)}) {
			live = append(live, m)
		}
	}
	return live
}
