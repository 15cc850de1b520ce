package httpapi

import (
	"context"
	"net/http"
	"slices"

	"laurel/shared/board"
	"laurel/shared/final"
)

// Periods are those of a board's window with anyone on them.
type Periods struct {
	Board   string         `json:"board" example:"activity"`
	Window  string         `json:"window" enum:"day,week,month,year,all" example:"day"`
	Periods []ListedPeriod `json:"periods" nullable:"false" doc:"The newest first"`
	Next    *string        `json:"next" example:"/v1/boards/activity/day/periods?before=2026-10-21" doc:"The path of the periods before; null at the end"`
}

// A ListedPeriod is a period and what is on it.
type ListedPeriod struct {
	Period   string  `json:"period" example:"2026-11-20"`
	StartsAt string  `json:"startsAt" format:"date-time" example:"2026-11-20T00:00:00+01:00" doc:"The period's first moment"`
	EndsAt   *string `json:"endsAt" format:"date-time" example:"2026-11-21T00:00:00+01:00" doc:"The first moment after the period; null for all"`
	Final    bool    `json:"final" doc:"Whether the period is closed and will not change again"`
	Total    int64   `json:"total" minimum:"1" example:"2" doc:"How many are on the board"`
}

type periodsInput struct {
	WindowPath
	Limit  int    `query:"limit" minimum:"1" maximum:"100" default:"31" doc:"How many periods"`
	Before string `query:"before" format:"period" example:"2026-11-20" doc:"Only periods before this one"`
}

func (a *api) registerPeriods() {
	register(a, operation{
		id: "list-periods", method: http.MethodGet, path: "/v1/boards/{board}/{window}/periods", tag: "boards",
		summary: "List the periods of a board",
		detail:  "Periods with at least one entry, live and final, newest first.",
		access:  forAll, cache: cacheLive, errors: []int{http.StatusNotFound, http.StatusServiceUnavailable},
	}, a.periods)
}

func (a *api) periods(ctx context.Context, in *periodsInput) (Periods, error) {
	before, _ := board.ParsePeriod(in.window(), in.Before) // it was looked at; none is the zero one
	all, err := a.foundPeriods(ctx, in.WindowPath, before, in.Limit+1)
	if err != nil {
		return Periods{}, err
	}
	answer := Periods{Board: in.Board, Window: in.Window, Periods: []ListedPeriod{}}
	for _, f := range all[:min(in.Limit, len(all))] {
		p := ListedPeriod{Period: f.period.String(), Final: f.final != nil, Total: f.total}
		p.StartsAt, p.EndsAt = bounds(a.Ledger.Calendar(), f.period)
		answer.Periods = append(answer.Periods, p)
	}
	if len(all) > in.Limit {
		answer.Next = nextAt(ctx, "before", answer.Periods[in.Limit-1].Period)
	}
	return answer, nil
}

// found is a period with somebody on it, and where.
type found struct {
	period board.Period
	total  int64
	final  *final.Period // nil for one that can still change
}

// foundPeriods returns what is live and what is final, newest first: those before a period, all for the
// zero one, and at most so many of what is final. The view is asked first: what leaves it meanwhile is
// final already, and listed as that.
func (a *api) foundPeriods(ctx context.Context, of WindowPath, before board.Period, limit int) ([]found, error) {
	live, err := a.View.PeriodsOf(ctx, of.Board, of.window())
	if err != nil {
		return nil, err
	}
	finals, err := a.Finals.Periods(ctx, of.Board, of.window(), before, limit)
	if err != nil {
		return nil, err
	}
	var all []found
	isFinal := map[board.Period]bool{}
	for i, f := range finals {
		isFinal[f.Period] = true
		all = append(all, found{f.Period, f.Total, &finals[i]})
	}
	for _, l := range live {
		if l.Total > 0 && !isFinal[l.Period] && (before == (board.Period{}) || l.Period.Compare(before) < 0) {
			all = append(all, found{l.Period, l.Total, nil})
		}
	}
	slices.SortFunc(all, func(p, q found) int { return q.period.Compare(p.period) })
	return all, nil
}
