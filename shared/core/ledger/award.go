package ledger

import (
	"maps"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

// MaxAwards is how many awards a user's month has at most, those that were taken back included. They have room for
// MaxAwardRoom bytes.
const MaxAwards = 200

// An Award is points that the service gave a user, or took. It is an entry of its month by its id, with one moment;
// once it is taken back it stays so.
type Award struct {
	At     board.Moment
	Points int64
	Board  string
	Reason string
	Taken  bool // back
}

// awards are those of an open month.
type awards struct {
	rules *activity.Rules
	byID  map[string]Award
	given []givenAward
	dirty bool
}

// A givenAward is one that stands, with its day of the month, from 0.
type givenAward struct {
	Award
	day int
}

// take takes the awards of a ledger.
func (a *awards) take(all map[string]Award, days *board.MonthDays) {
	a.byID, a.given = all, nil
	for _, award := range all {
		if !award.Taken {
			a.given = append(a.given, givenAward{award, days.Index(award.At)})
		}
	}
}

// worth returns the sum of awards on a board of days from one to another, exclusive, and the moment of the last one
// above zero.
func (a *awards) worth(name string, start, until int) (points int64, reached board.Moment) {
	if len(a.given) == 0 {
		return 0, 0
	}
	name = a.rules.AwardBoard(name)
	for i := range a.given {
		if g := &a.given[i]; g.Board == name && start <= g.day && g.day < until {
			if points += g.Points; g.Points > 0 {
				reached = max(reached, g.At)
			}
		}
	}
	return points, reached
}

// tally counts the awards of a day, on any board.
func (a *awards) tally(day int) (t Tally) {
	for i := range a.given {
		if a.given[i].day == day {
			t.Count, t.Points = t.Count+1, t.Points+a.given[i].Points
		}
	}
	return t
}

// award gives an award or takes it back, and returns the receipt.
func (p *openPages) award(a *activity.Activity, date board.Date) Receipt {
	r := Receipt{Board: a.Award.Board, Day: date}
	if status, refused := p.refusesAward(a, date); refused {
		r.Status = status
		return r
	}
	m := p.month(date.Month())
	known, found := m.awards.byID[a.Award.ID]
	next := Award{At: a.At, Points: a.Award.Points, Board: a.Award.Board, Reason: a.Award.Reason}
	switch {
	case a.Award.Taken && (!found || known.Taken):
		r.Status = NothingToRevoke
	case a.Award.Taken:
		next, r.Status, r.Board = known, Revoked, known.Board
		next.Taken, r.Day = true, p.ledger.calendar.Date(known.At)
	case known.Taken:
		r.Status = Superseded
	case known == next:
		r.Status = Duplicate
	case found:
		r.Status = AwardDiffers
	case !hasRoomForAward(m.awards.byID, a.Award.ID, next):
		r.Status = TooManyAwards
	default:
		r.Status = Counted
	}
	if r.Status == Counted || r.Status == Revoked {
		r.Points = p.putAward(m, a.Award.ID, next, r.Day)
	}
	if p.account.Status.Excluded {
		return Receipt{Status: Excluded, Board: r.Board, Day: r.Day}
	}
	if r.Status.Kept() {
		r.Scores = p.scores(r.Board, r.Day)
	}
	return r
}

// refusesAward returns the status of an award that is not kept by its moment or its user, and whether it is one. To
// take one back has no age.
func (p *openPages) refusesAward(a *activity.Activity, date board.Date) (Status, bool) {
	taken := a.Award.Taken
	switch {
	case p.monthClosed(date.Month()), !taken && !p.known.Life.TakesReports(date):
		return TooLate, true
	case min(a.At, p.known.Now) <= p.erased:
		return WasErased, true
	case taken:
		return "", false
	}
	status, refused := p.refusesAt(a.At)
	if !refused && p.account.Status.Excluded {
		return Excluded, true
	}
	return status, refused
}

// putAward puts an award into a month, and returns the change of the month's score on its board.
func (p *openPages) putAward(m *month, id string, next Award, date board.Date) int64 {
	for _, name := range p.ledger.rules.Boards() {
		if p.ledger.rules.AwardBoard(name) == next.Board {
			p.touch(name, date)
		}
	}
	before, _ := m.sum(next.Board)
	all := maps.Clone(m.awards.byID)
	if all == nil {
		all = map[string]Award{}
	}
	all[id] = next
	m.awards.take(all, m.days)
	m.awards.dirty = true
	after, _ := m.sum(next.Board)
	return after - before
}
