package items

import (
	"cmp"
	"slices"
	"time"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
)

// StepWait is how long a step of a period waits after the one before: longer than a writer may take.
const StepWait = 15 * time.Second

// voteSlack is how many days votes may come after the voting week: 48 h, and days of 23 hours.
const voteSlack = 3

// A Reason says why something is left for later.
type Reason string

// The reasons: those of a plan, and those of a tick.
const (
	ReasonWait     Reason = "waits"    // for writers that have read the head before the last step
	ReasonImport   Reason = "import"   // of one of its months is in progress
	ReasonHistory  Reason = "history"  // that may still come of a time before the table
	ReasonParts    Reason = "parts"    // its days, weeks or months are not final
	ReasonVotes    Reason = "votes"    // articles of the month can still be voted for
	ReasonReopened Reason = "reopened" // until the next night
	ReasonDue      Reason = "due"      // the next tick takes the step
	ReasonView     Reason = "view"     // it cannot be reached, or is full
	ReasonRestored Reason = "restored" // the table was: the view is a later one's
	ReasonBehind   Reason = "behind"   // the comparison with the view has not ended
	ReasonTime     Reason = "time"     // was over
	ReasonFailed   Reason = "failed"   // see the detail
)

// Periods are one, or several in a row.
type Periods struct {
	Period board.Period `json:"period,omitzero"`
	Until  board.Period `json:"until,omitzero"` // the last of several
}

// String returns their names.
func (s Periods) String() string {
	if s.Until == (board.Period{}) {
		return s.Period.Text()
	}
	return s.Period.Text() + " to " + s.Until.Text()
}

// With returns them with one more period, and whether that is the next in the row.
func (s Periods) With(p board.Period) (Periods, bool) {
	last := cmp.Or(s.Until, s.Period)
	s.Until = p
	return s, last != (board.Period{}) && last.Window() == p.Window() && last.Next() == p
}

// A Left is a step that is left, and its reason; without a period, something else than a period's step.
type Left struct {
	Periods
	Reason Reason    `json:"reason"`
	Detail string    `json:"detail,omitempty"` // the import's name, or an error
	Since  time.Time `json:"since,omitzero"`
	Next   time.Time `json:"next,omitzero"` // when a tick can continue; none: that depends on a person
}

// AddLeft returns the list with one more; periods in a row for the same reason are one.
func AddLeft(all []Left, l Left) []Left {
	if n := len(all); n > 0 {
		same := all[n-1]
		longer, ok := same.With(l.Period)
		if same.Periods = l.Periods; ok && same == l {
			all[n-1].Periods = longer
			return all
		}
	}
	return append(all, l)
}

// A Schedule says when periods take their steps.
type Schedule struct {
	Windows            []board.Window // that periods are closed of, those that tile
	Contests           []board.Period // of the rules: others are given up
	HotDays, HotMonths int            // see board.Due
	Wait               time.Duration
	Voting             board.Date // days for which an article takes votes, and these may be late
	Reopened           bool       // those that were reopened, too

	Calendar *board.Calendar
	Clock    board.Moment // the forum's time
	Now      board.Moment // real time
}

// NewSchedule returns the schedule of a forum's rules, with StepWait. Days and months are closed even without boards,
// as ledgers are.
func NewSchedule(l *ledger.Ledger, hotDays, hotMonths int, clock, now board.Moment) Schedule {
	rules := l.Rules()
	s := Schedule{
		HotDays: hotDays, HotMonths: hotMonths, Wait: StepWait,
		Voting: board.Date(rules.Articles().VotingDays) + voteSlack, Calendar: l.Calendar(), Clock: clock, Now: now,
		Contests: rules.Contests(),
	}
	for _, w := range board.Tiling() {
		if w == board.Day || w == board.Month || rules.Keeps(w) {
			s.Windows = append(s.Windows, w)
		}
	}
	return s
}

// A Plan has the periods that take each step now, each list in the order of windows, and the steps that are left.
type Plan struct {
	Closing, Making, Removing []board.Period
	Left                      []Left
}

// Plan decides from the head alone.
func (s Schedule) Plan(head *Head) (p Plan) {
	leave := func(period board.Period, why Reason, since, next time.Time) {
		p.Left = append(p.Left, Left{Periods: Periods{Period: period}, Reason: why, Since: since, Next: next})
	}
	for _, life := range head.Life.Unsettled() {
		next, why := life.Since.Add(s.Wait), s.unready(head, life.Period)
		switch {
		case s.givenUp(life):
		case life.State == board.PeriodReopened: // it is due, or not
		case s.Now < next:
			leave(life.Period, ReasonWait, life.Since.Time(), next.Time())
		case life.State == board.PeriodFinal:
			p.Removing = append(p.Removing, life.Period)
		case why != "":
			leave(life.Period, why, life.Since.Time(), time.Time{})
		default:
			p.Making = append(p.Making, life.Period)
		}
	}
	allDue, allHeld := s.due(head)
	for _, due := range allDue {
		if until := s.awaits(head, due); until != 0 {
			leave(due, ReasonHistory, head.Begun.Time(), until.Time())
		} else if why := s.unready(head, due); why != "" {
			leave(due, why, time.Time{}, time.Time{})
		} else if head.Life.State(due) == board.PeriodReopened && !s.Reopened {
			leave(due, ReasonReopened, head.Life.Since(due).Time(), time.Time{})
		} else {
			p.Closing = append(p.Closing, due)
		}
	}
	for _, held := range allHeld {
		l := Left{Periods: Periods{Period: held}, Reason: ReasonImport}
		l.Detail, l.Since = holderOf(head.Imports, held)
		p.Left = append(p.Left, l)
	}
	return p
}

// due returns the periods that are due, those of each window and then contests, and those that imports hold.
func (s Schedule) due(head *Head) (due, held []board.Period) {
	for _, w := range s.Windows {
		some, more := head.Life.Due(w, head.From, s.today(), s.HotDays, s.HotMonths)
		due, held = append(due, some...), append(held, more...)
	}
	some, more := head.Life.DueContests(s.Contests, head.From, s.today(), s.HotDays)
	return append(due, some...), append(held, more...)
}

// givenUp says whether the rules no longer have a contest that is not final: nothing is made of it.
func (s Schedule) givenUp(p board.PeriodLife) bool {
	return p.Period.Window() == board.Contest && p.State != board.PeriodFinal && !slices.Contains(s.Contests, p.Period)
}

// Unsettled returns all periods that have steps to take before they have left the view, including the steps that a tick
// would take now.
func (s Schedule) Unsettled(head *Head) (all []Left) {
	plan := s.Plan(head)
	for _, l := range plan.Left {
		all = AddLeft(all, l)
	}
	for _, p := range slices.Concat(plan.Removing, plan.Making, plan.Closing) {
		l := Left{Periods: Periods{Period: p}, Reason: ReasonDue}
		if since := head.Life.Since(p); since != 0 {
			l.Since = since.Time()
		}
		all = AddLeft(all, l)
	}
	return all
}

// unready says why a period has to wait for others: a month for its days and weeks, and until
// votes for its articles cannot change; a quarter and a year for their months.
func (s Schedule) unready(head *Head, p board.Period) Reason {
	parts := map[board.Window][]board.Window{
		board.Month: {board.Day, board.Week}, board.Quarter: {board.Month}, board.Year: {board.Month},
	}
	for _, w := range parts[p.Window()] {
		part := board.PeriodOf(w, max(p.First(), head.From.First()))
		for ; slices.Contains(s.Windows, w) && part.First() <= p.Last(); part = part.Next() {
			if !head.Life.Final(part) {
				return ReasonParts
			}
		}
	}
	if p.Window() == board.Month && s.today()-p.Last() <= s.Voting {
		return ReasonVotes
	}
	return ""
}

// today returns the forum's day.
func (s Schedule) today() board.Date { return s.Calendar.Date(s.Clock) }

// awaits returns until when a period waits for history, because it has a day that ended before the table began,
// as a week has whose days wait. 0: it does not.
func (s Schedule) awaits(head *Head, p board.Period) board.Moment {
	if s.Calendar.Start(p.First()+1) > head.Begun {
		return 0
	}
	return head.AwaitsHistory(s.Clock)
}

// holderOf returns the name of the first import that holds a period, and since when it does.
func holderOf(imports []Import, p board.Period) (name string, since time.Time) {
	from, to := p.First().Month(), p.Last().Month()
	for _, i := range imports {
		if slices.ContainsFunc(i.Months, func(m board.MonthOf) bool { return from <= m && m <= to }) {
			return i.Name, i.Since.Time()
		}
	}
	return "", time.Time{}
}
