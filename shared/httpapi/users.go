package httpapi

import (
	"context"
	"net/http"
	"slices"

	"laurel/shared/board"
	"laurel/shared/people"
	"laurel/shared/records"
)

// Standings are where a user stands now, on every board and window.
type Standings struct {
	User      User            `json:"user"`
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
	User     User             `json:"user"`
	Timezone string           `json:"timezone" example:"Europe/Berlin"`
	Days     []Day            `json:"days" nullable:"false" doc:"Newest first; includes days without activity"`
	Totals   map[string]Tally `json:"totals" doc:"Totals by action"`
}

// A Day is what a user did on a day.
type Day = people.Day

// A Tally is how much of an action stands and what it is worth.
type Tally = people.Tally

type activityInput struct {
	UserPath
	Days int32 `query:"days" minimum:"1" maximum:"62" default:"31" doc:"How many days, today included"`
}

func (a *api) registerUsers() {
	register(a, operation{
		id: "read-standings", method: http.MethodGet, path: "/v1/users/{user}/standings", tag: "users",
		summary: "Read a user's standings on all boards",
		access:  forUser, errors: []int{http.StatusServiceUnavailable},
	}, a.standings)
	register(a, operation{
		id: "read-activity", method: http.MethodGet, path: "/v1/users/{user}/activity", tag: "users",
		summary: "Read a user's activity by day",
		access:  forUser, errors: []int{http.StatusServiceUnavailable},
	}, a.activity)
	register(a, operation{
		id: "export-user", method: http.MethodGet, path: "/v1/users/{user}/export", tag: "people",
		summary: "Export all that is kept of a user",
		detail: "Of what can be long it has the newest: 5,000 entries, 5,000 users of the follow list, 100 articles that " +
			"left the lists, and the places in the last 31 final periods of each board and window; truncated names the " +
			"parts that have more. The command `laurel export` has all of it. A user of whom nothing is " +
			"kept has empty parts.",
		access: forUser, errors: []int{http.StatusServiceUnavailable},
	}, a.export)
}

func (a *api) export(ctx context.Context, in *UserPath) (people.UserData, error) {
	return a.People.Newest(ctx, in.User)
}

func (a *api) standings(ctx context.Context, in *UserPath) (Standings, error) {
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
	s := Standings{User: userOf(in.User, records.Public{}), Standings: make([]BoardPosition, len(views))}
	for i, v := range views {
		s.Standings[i] = BoardPosition{
			Board: v.Board, Window: v.Period.Window().String(), Period: v.Period.String(),
			Position: a.position(v.Period, standings[i]),
		}
	}
	return s, nil
}

func (a *api) activity(ctx context.Context, in *activityInput) (Activity, error) {
	today := a.today()
	days, _, err := a.People.Days(ctx, in.User, today-board.Date(in.Days)+1, today)
	if err != nil {
		return Activity{}, err
	}
	answer := Activity{
		User: userOf(in.User, records.Public{}), Timezone: a.Ledger.Calendar().Zone().String(), Totals: map[string]Tally{},
	}
	for _, d := range slices.Backward(days) {
		day := people.DayOf(d)
		for action, did := range day.Actions {
			total := answer.Totals[action]
			answer.Totals[action] = Tally{Count: total.Count + did.Count, Points: total.Points + did.Points}
		}
		answer.Days = append(answer.Days, day)
	}
	return answer, nil
}

// today is the forum's day.
func (a *api) today() board.Date { return a.Ledger.Calendar().Date(board.MomentOf(a.Now())) }
