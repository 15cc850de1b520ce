package httpapi

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/store/final"
)

// BoardList is the boards of the rules.
type BoardList struct {
	Boards []listedBoard `json:"boards"`
}

// A listedBoard is a board, its windows, and its names on pages.
type listedBoard struct {
	Board   string   `json:"board"`
	Windows []string `json:"windows"`

	Labels map[string]string `json:"labels"`
	Unit   map[string]string `json:"unit"`

	Question question `json:"question"`
	Audience string   `json:"audience,omitempty"`
}

// A question has the weights of a board today, its conditions on people, and its teams.
type question struct {
	Counts map[string]weight `json:"counts"`
	From   string            `json:"from,omitempty"` // of a contest
	To     string            `json:"to,omitempty"`
	People *admitted         `json:"people,omitempty"`
	Teams  []activity.Team   `json:"teams,omitempty"`
}

// A weight is the worth of an action, or of a metric's value, on a board.
type weight struct {
	Points int64 `json:"points"`
	Cap    int   `json:"cap,omitempty"`
}

// admitted are the conditions of a board on people. The names of groups are private.
type admitted struct {
	Groups  bool     `json:"groups"`
	In      []string `json:"in,omitempty"`
	NotIn   []string `json:"notIn,omitempty"`
	NewDays int      `json:"newDays,omitempty"`
}

func questionOf(rules *activity.Rules, name string, today board.Date) question {
	q := question{Counts: map[string]weight{}, Teams: rules.Board(name).Teams}
	for _, w := range rules.On(today).Weights(name) {
		q.Counts[w.Action] = weight{w.Points, w.Cap}
	}
	if c := rules.Board(name).Contest; c != (board.Period{}) {
		q.From, q.To = c.First().String(), c.Last().String()
	}
	if p := rules.Board(name).People; !p.Everybody() {
		q.People = &admitted{Groups: p.Grouped(), In: p.In, NotIn: p.NotIn, NewDays: p.NewDays}
	}
	return q
}

func (a *api) boardList(ctx context.Context, _ *struct{}) (BoardList, error) {
	rules, today := exchangeOf(ctx).rules, a.reader().today
	list := BoardList{Boards: []listedBoard{}}
	for _, name := range rules.Boards() {
		text := rules.Text(name)
		b := listedBoard{
			Board: name, Windows: []string{}, Labels: text.Labels, Unit: text.Unit, Question: questionOf(rules, name, today),
		}
		if rules.Board(name).Members {
			b.Audience = activity.AudienceMembers
		}
		for _, w := range rules.Windows(name) {
			b.Windows = append(b.Windows, w.String())
		}
		list.Boards = append(list.Boards, b)
	}
	return list, nil
}

// boardWindows are the current periods of several windows of a board.
type boardWindows struct {
	Board   string  `json:"board"`
	Windows []Board `json:"windows"`
}

type boardWindowsInput struct {
	Board   string   `path:"board"`
	Windows []string `query:"windows" maxItems:"8" uniqueItems:"true" enum:"day,week,month,quarter,year,all,contest,7d,30d"`
	Limit   int64    `query:"limit" minimum:"1" maximum:"100" default:"10"`
	User    string   `query:"user" format:"user-id"`
	movementQuery
}

func (a *api) boardWindows(ctx context.Context, in *boardWindowsInput) (boardWindows, error) {
	x := exchangeOf(ctx)
	windows := x.rules.Windows(in.Board)
	if keeps := windows; len(in.Windows) > 0 {
		windows = nil
		for _, name := range in.Windows {
			w, _ := board.ParseWindow(name) // it was looked at
			if !slices.Contains(keeps, w) {
				return boardWindows{}, unknownWindow(in.Board, keeps)
			}
			windows = append(windows, w)
		}
	}
	r := a.reader()
	views := make([]board.View, len(windows))
	for i, w := range windows {
		views[i] = board.View{
			Board: in.Board, Period: r.present(in.Board, w), Limit: in.Limit, User: in.User, Movement: in.With != "",
		}
	}
	pages, err := r.readCurrent(ctx, views)
	if err != nil {
		return boardWindows{}, err
	}
	answer := boardWindows{Board: in.Board, Windows: make([]Board, len(views))}
	for i, v := range views {
		v.Period = pages[i].Period
		b := r.boardOf(ctx, v, pages[i], parts{page: true})
		query := maps.Clone(x.query)
		query.Del("windows")
		query.Set("limit", strconv.FormatInt(in.Limit, 10)) // the default limit differs there
		b.Next = nextPage(x.URL.EscapedPath()+"/"+v.Period.Window().String(), query, v, pages[i])
		answer.Windows[i] = b
	}
	return answer, nil
}

// Periods are those of a board's window with anyone on them.
type Periods struct {
	Board   string         `json:"board"`
	Window  string         `json:"window"`
	Periods []listedPeriod `json:"periods"`
	Next    *string        `json:"next"`
}

// A listedPeriod is a period and the number of users on it.
type listedPeriod struct {
	Period   string  `json:"period"`
	StartsAt string  `json:"startsAt"`
	EndsAt   *string `json:"endsAt"`
	Final    bool    `json:"final"`
	Total    int64   `json:"total"`
}

type periodsInput struct {
	windowPath
	Limit  int    `query:"limit" minimum:"1" maximum:"100" default:"31"`
	Before string `query:"before" format:"period"`
}

func (a *api) periods(ctx context.Context, in *periodsInput) (Periods, error) {
	before := in.named(in.Before)
	all, err := a.foundPeriods(ctx, in.windowPath, before, in.Limit+1)
	if err != nil {
		return Periods{}, err
	}
	answer := Periods{Board: in.Board, Window: in.Window, Periods: []listedPeriod{}}
	for _, f := range all[:min(in.Limit, len(all))] {
		p := listedPeriod{Period: f.period.String(), Final: f.final != nil, Total: f.total}
		p.StartsAt, p.EndsAt = bounds(a.Ledger.Calendar(), f.period)
		answer.Periods = append(answer.Periods, p)
	}
	if len(all) > in.Limit {
		answer.Next = nextAt(ctx, "before", answer.Periods[in.Limit-1].Period)
	}
	return answer, nil
}

// found is a period with at least one user on it, and its place.
type found struct {
	period board.Period
	total  int64
	final  *final.Period // nil for one that can still change
}

// foundPeriods returns the live and the final periods, newest first: those before a period, all for the
// zero one, with at most limit final ones. It asks the view first: a period that leaves it meanwhile is
// final already, and listed as final. Windows that roll list none.
func (a *api) foundPeriods(ctx context.Context, path windowPath, before board.Period, limit int) ([]found, error) {
	if path.window().Rolls() {
		return nil, nil
	}
	live, err := a.View.PeriodsOf(ctx, path.Board, path.window())
	if err != nil {
		return nil, err
	}
	finals, err := a.Finals.Periods(ctx, path.Board, path.window(), before, limit)
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
