package nightly

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"laurel/shared/board"
	"laurel/shared/redisstore"
	"laurel/shared/state"
)

// A Plan lists what is due.
type Plan struct {
	Periods []redisstore.LivePeriod // in the order in which they are moved
	Imports []state.Import          // in progress: what is due of their months is not listed
	months  []board.MonthOf
}

// Months returns the names of the months whose pages are due.
func (p Plan) Months() []string {
	names := make([]string, len(p.months))
	for i, month := range p.months {
		names[i] = month.String()
	}
	return names
}

// Due returns what a run would move, and changes nothing.
func Due(ctx context.Context, o Options) (Plan, error) {
	periods, err := o.Live.Periods(ctx)
	if err != nil {
		return Plan{}, err
	}
	set, err := closedSet(ctx, o.Live)
	if err != nil {
		return Plan{}, err
	}
	// Nobody may be on them, or not yet.
	for _, p := range append(set.AllReopened(), set.AllReopening()...) {
		listed := func(l redisstore.LivePeriod) bool { return l.Board == p.Board && l.Period == p.Period }
		if p.Board != "" && !slices.ContainsFunc(periods, listed) {
			periods = append(periods, p)
		}
	}
	months, err := o.Live.Months(ctx)
	if err != nil {
		return Plan{}, err
	}
	marks, err := o.marks(ctx)
	if err != nil {
		return Plan{}, err
	}
	due := func(p board.Period) bool { return o.due(p) && !o.held(marks, p) }
	plan := Plan{
		Periods: slices.DeleteFunc(periods, func(p redisstore.LivePeriod) bool { return !due(p.Period) }),
		Imports: marks,
		months: slices.DeleteFunc(months, func(m board.MonthOf) bool {
			return !due(board.PeriodOf(board.Month, m.First()))
		}),
	}
	slices.SortStableFunc(plan.Periods, func(a, b redisstore.LivePeriod) int {
		return cmp.Or(cmp.Compare(a.Period.Last(), b.Period.Last()), cmp.Compare(a.Period.Window(), b.Period.Window()),
			strings.Compare(a.Board, b.Board))
	})
	return plan, nil
}

// closedSet returns the closed-period set, which every shard has.
func closedSet(ctx context.Context, live Live) (*redisstore.ClosedSet, error) {
	sets, err := live.ClosedSets(ctx)
	if err != nil {
		return nil, err
	}
	return sets[0], nil
}

func (r *run) closedSet(ctx context.Context) (*redisstore.ClosedSet, error) {
	return closedSet(ctx, r.Live)
}

// due is board.Due, except that a month also waits for its last day and the week of that
// day: closing a month refuses activities that its days would still accept.
func (o Options) due(p board.Period) bool {
	today := o.Calendar.Date(o.Now)
	due := func(p board.Period) bool { return board.Due(p, today, o.HotDays, o.HotMonths) }
	if p.Window() != board.Month {
		return due(p)
	}
	return due(p) && due(board.PeriodOf(board.Day, p.Last())) &&
		(!o.Rules.Keeps(board.Week) || due(board.PeriodOf(board.Week, p.Last())))
}

// expires returns when the archive may delete a period, in seconds since the Unix epoch;
// 0 for never.
func (o Options) expires(p board.Period) int64 {
	next := p.Last() + 1
	switch {
	case p.Window() <= board.Week && o.ArchiveDays > 0:
		next += board.Date(o.ArchiveDays)
	case p.Window() > board.Week && o.ArchiveMonths > 0:
		next = (next.Month() + board.MonthOf(o.ArchiveMonths)).First()
	default:
		return 0
	}
	return o.Calendar.Start(next).Time().Unix()
}
