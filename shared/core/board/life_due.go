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
	if l == nil || !p.window.Ends() {
		return false
	}
	for _, months := range l.held {
		if slices.ContainsFunc(months, p.Touches) {
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
// and time, contests last: the periods that a night has to continue with.
func (l *Life) Unsettled() []PeriodLife {
	if l == nil {
		return nil
	}
	var all []PeriodLife
	for _, w := range Tiling() {
		for _, s := range l.spans[w-Day] {
			if s.state == PeriodRemoved {
				continue
			}
			for n := s.from; n <= s.to; n++ {
				all = append(all, PeriodLife{Period{window: w, n: n}, s.state, s.since})
			}
		}
	}
	for _, c := range l.contests {
		if c.State != PeriodRemoved {
			all = append(all, c)
		}
	}
	return all
}

// Due returns the periods of a window that tiles that are live or reopened and due today, from the first month on,
// oldest first: those that are not held, and those that are. There are none if that month is 0.
func (l *Life) Due(w Window, first MonthOf, today Date, hotDays, hotMonths int) (due, held []Period) {
	if first == 0 {
		return nil, nil
	}
	var all []Period
	for p := PeriodOf(w, first.First()); Due(p, today, hotDays, hotMonths); p = p.Next() {
		all = append(all, p)
	}
	return l.open(all)
}

// DueContests returns those of some contests likewise.
func (l *Life) DueContests(contests []Period, first MonthOf, today Date, hotDays int) (due, held []Period) {
	var all []Period
	for _, p := range contests {
		if first != 0 && p.Last().Month() >= first && Due(p, today, hotDays, 0) {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, Period.Compare)
	return l.open(all)
}

// open returns the periods that are not closed: those that are not held, and those that are.
func (l *Life) open(all []Period) (open, held []Period) {
	for _, p := range all {
		switch {
		case l.Closed(p):
		case l.holds(p):
			held = append(held, p)
		default:
			open = append(open, p)
		}
	}
	return open, held
}

// LiveMonths returns the months from one to another, both included, that are not final; none if the first is 0.
func (l *Life) LiveMonths(from, to MonthOf) []MonthOf {
	return l.FollowedMonths(from, to, nil)
}

// Follows says whether the view follows the ledgers of a month: the month, or a contest that touches it, is not final.
func (l *Life) Follows(m MonthOf, contests []Period) bool {
	return !l.Final(PeriodOf(Month, m.First())) ||
		slices.ContainsFunc(contests, func(c Period) bool { return c.Touches(m) && !l.Final(c) })
}

// FollowedMonths returns the months from one to another, both included, whose ledgers the view follows; none if the
// first is 0.
func (l *Life) FollowedMonths(from, to MonthOf, contests []Period) (months []MonthOf) {
	for m := from; m <= to && from != 0; m++ {
		if l.Follows(m, contests) {
			months = append(months, m)
		}
	}
	return months
}
