package ledger

import (
	"cmp"

	"laurel/shared/activity"
	"laurel/shared/board"
)

// A Range is what a place on a board may have come to.
type Range struct {
	Least, Most int64
	Vague       bool // there is something that may have counted or not
}

// Has says whether a score is one of those that a place with something vague may have come to.
func (r Range) Has(score int64) bool { return r.Vague && r.Least <= score && score <= r.Most }

// Bounds returns what an account's ledgers may have come to on a board in a day or a week before all
// was known of how its entries by month were undone, by the user or as a target was void, and undos
// taken back: each such entry may have counted on any day from the one on which it was first done to
// that of the last time, or not at all. The error is that of DecideAccount.
func (l *Ledger) Bounds(a *Account, name string, of board.Period) (Range, error) {
	b := bounds{Ledger: l, board: name, of: of, counts: map[actionDay]sureAndVague{}}
	entries, err := l.entriesOf(a)
	if err != nil {
		return Range{}, err
	}
	for i := range entries {
		b.add(&entries[i])
	}
	return b.sum(), nil
}

// bounds are what the entries of a period count for.
type bounds struct {
	*Ledger
	board   string
	of      board.Period
	counts  map[actionDay]sureAndVague
	metrics int64
}

type actionDay struct {
	action string
	day    board.Date
}

// sureAndVague are how many entries count for certain, and how many more may.
type sureAndVague struct{ sure, vague int }

func (b *bounds) add(e *Entry) {
	switch {
	case e.Scope == "":
		if b.rule(actionDay{e.Action, e.Day}) != nil {
			b.metrics += e.Value
		}
	case e.Scope == activity.PerMonth && (e.Undone != 0 || e.Restored != 0):
		last := min(b.calendar.Date(e.Last), b.of.Last())
		for day := max(b.calendar.Date(e.First), b.of.First()); e.Last != 0 && day <= last; day++ {
			b.count(e.Action, day, sureAndVague{vague: 1})
		}
	case e.Stands():
		b.count(e.Action, cmp.Or(e.Day, b.calendar.Date(e.CountsAt())), sureAndVague{sure: 1})
	}
}

func (b *bounds) count(action string, day board.Date, n sureAndVague) {
	at := actionDay{action, day}
	was := b.counts[at]
	b.counts[at] = sureAndVague{was.sure + n.sure, was.vague + n.vague}
}

// rule returns the rule by which an action is worth something on the board on a day of the period,
// nil if it is not.
func (b *bounds) rule(at actionDay) *activity.Rule {
	rule := b.rules.On(at.day).Find(at.action)
	if rule == nil || rule.Action != at.action || rule.Board != b.board || board.PeriodOf(b.of.Window(), at.day) != b.of {
		return nil
	}
	return rule
}

func (b *bounds) sum() (r Range) {
	r.Least, r.Most = b.metrics, b.metrics
	for at, n := range b.counts {
		if rule := b.rule(at); rule != nil {
			r.Least += rule.Points * int64(rule.Counted(n.sure))
			r.Most += rule.Points * int64(rule.Counted(n.sure+n.vague))
			r.Vague = r.Vague || n.vague > 0
		}
	}
	r.Least, r.Most = min(r.Least, board.MaxScore), min(r.Most, board.MaxScore)
	return r
}
