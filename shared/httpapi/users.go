package httpapi

import (
	"context"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"laurel/shared/board"
)

// Standings are where a user stands now, on every board and window.
type Standings struct {
	User      string          `json:"user" example:"ann"`
	Standings []BoardPosition `json:"standings" nullable:"false"`
}

// A BoardPosition is where a user stands on a board that it names.
type BoardPosition struct {
	Board  string `json:"board" example:"activity"`
	Window string `json:"window" enum:"day,week,month,year,all" example:"day"`
	Period string `json:"period" example:"2026-11-20"`
	Position
}

// Activity is what a user did, by day.
type Activity struct {
	User     string           `json:"user" example:"ann"`
	Timezone string           `json:"timezone" example:"Europe/Berlin"`
	Days     []Day            `json:"days" nullable:"false" doc:"Newest first; includes days without activity"`
	Totals   map[string]Tally `json:"totals" doc:"Totals by action"`
}

// A Day is what a user did on a day.
type Day struct {
	Day     string           `json:"day" format:"date" example:"2026-11-20"`
	Scores  map[string]int64 `json:"scores" doc:"By board"`
	Actions map[string]Tally `json:"actions" doc:"By action"`
}

// A Tally is how much of an action stands and what it is worth.
type Tally struct {
	Count  int64 `json:"count" example:"3" doc:"Number of entries that stand; 1 for a metric"`
	Points int64 `json:"points" example:"6" doc:"Points after the daily cap; a metric's value"`
}

type standingsInput struct{ UserPath }

// Resolve returns the violations that huma does not find.
func (in *standingsInput) Resolve(ctx huma.Context) []error {
	return append(queryViolations(ctx), userViolations("path.user", in.User)...)
}

type activityInput struct {
	UserPath
	Days int32 `query:"days" minimum:"1" maximum:"62" default:"31" doc:"How many days, today included"`
}

// Resolve returns the violations that huma does not find.
func (in *activityInput) Resolve(ctx huma.Context) []error {
	return append(queryViolations(ctx), userViolations("path.user", in.User)...)
}

func (a *api) registerUsers() {
	register(a, operation{
		id: "read-standings", method: http.MethodGet, path: "/v1/users/{user}/standings", tag: "users",
		summary: "Read a user's standings on all boards",
		parts:   Query, access: forUser, errors: []int{http.StatusServiceUnavailable},
	}, a.standings)
	register(a, operation{
		id: "read-activity", method: http.MethodGet, path: "/v1/users/{user}/activity", tag: "users",
		summary: "Read a user's activity by day",
		parts:   Query, access: forUser, errors: []int{http.StatusServiceUnavailable},
	}, a.activity)
}

func (a *api) standings(ctx context.Context, in *standingsInput) (Standings, error) {
	today := a.today()
	var views []board.View
	rules := a.Ledger.Rules()
	for _, name := range rules.Boards() {
		for _, w := range rules.Windows(name) {
			views = append(views, board.View{Board: name, Period: board.PeriodOf(w, today), User: in.User})
		}
	}
	standings, err := a.reader(today).readOwn(ctx, in.User, views)
	if err != nil {
		return Standings{}, err
	}
	s := Standings{User: in.User, Standings: make([]BoardPosition, len(views))}
	for i, v := range views {
		s.Standings[i] = BoardPosition{
			Board: v.Board, Window: v.Period.Window().String(), Period: v.Period.String(),
			Position: position(standings[i]),
		}
	}
	return s, nil
}

func (a *api) activity(ctx context.Context, in *activityInput) (Activity, error) {
	today := a.today()
	days, err := a.Store.Days(ctx, in.User, today-board.Date(in.Days)+1, today)
	if err != nil {
		return Activity{}, err
	}
	answer := Activity{User: in.User, Timezone: a.Ledger.Calendar().Zone().String(), Totals: map[string]Tally{}}
	for _, d := range slices.Backward(days) {
		day := Day{Day: d.Day.String(), Scores: d.Scores, Actions: map[string]Tally{}}
		for action, did := range d.Actions {
			day.Actions[action] = Tally{did.Count, did.Points}
			total := answer.Totals[action]
			answer.Totals[action] = Tally{total.Count + did.Count, total.Points + did.Points}
		}
		answer.Days = append(answer.Days, day)
	}
	return answer, nil
}

// today is the forum's day.
func (a *api) today() board.Date { return a.Ledger.Calendar().Date(board.MomentOf(a.Now())) }
