package httpapi

import (
	"context"
	"maps"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/core/profile"
	"laurel/shared/forum/people"
)

// Standings are where a user stands now, on every board and window.
type Standings struct {
	User      profile.User    `json:"user"`
	Standings []boardPosition `json:"standings"`
}

// A boardPosition is where a user stands on a board that it names.
type boardPosition struct {
	Board  string `json:"board"`
	Window string `json:"window"`
	Period string `json:"period"`
	Position
}

// Activity is the activity of a user, by day.
type Activity struct {
	User     profile.User            `json:"user"`
	Timezone string                  `json:"timezone"`
	Days     []people.Day            `json:"days"`
	Totals   map[string]people.Tally `json:"totals"`
}

type activityInput struct {
	userPath
	Days int64 `query:"days" minimum:"1" maximum:"62" default:"31"`
}

func (a *api) export(ctx context.Context, in *userPath) (people.UserData, error) {
	return a.People.Newest(ctx, in.User)
}

func (a *api) standings(ctx context.Context, in *userPath) (Standings, error) {
	r := a.reader()
	var views []board.View
	rules := a.Ledger.Rules()
	for _, name := range rules.Boards() {
		for _, w := range rules.Windows(name) {
			v := board.View{Board: name, Period: r.present(name, w), User: in.User}
			on, err := r.runs(ctx, v.Period)
			if err != nil {
				return Standings{}, err
			}
			if on {
				views = append(views, v)
			}
		}
	}
	standings, err := r.readOwn(ctx, in.User, views)
	s := Standings{User: userOf(in.User, profile.Public{}), Standings: make([]boardPosition, len(standings))}
	for i, own := range standings {
		p := own.Period
		position := a.position(board.View{Board: own.Board, Period: p}, own.Standing)
		s.Standings[i] = boardPosition{own.Board, p.Window().String(), p.String(), position}
	}
	return s, err
}

func (a *api) activity(ctx context.Context, in *activityInput) (Activity, error) {
	today := a.reader().today
	days, _, err := a.People.Days(ctx, in.User, today-board.Date(in.Days)+1, today)
	answer := Activity{
		User: userOf(in.User, profile.Public{}), Timezone: a.Ledger.Calendar().Zone().String(),
		Totals: map[string]people.Tally{},
	}
	for _, d := range slices.Backward(days) {
		day := people.DayOf(d)
		for action, did := range day.Actions {
			total := answer.Totals[action]
			answer.Totals[action] = people.Tally{Count: total.Count + did.Count, Points: total.Points + did.Points}
		}
		answer.Days = append(answer.Days, day)
	}
	return answer, err
}

// KeptEntries are a page of the kept entries of a user's activities, and whether they count.
type KeptEntries struct {
	User    profile.User       `json:"user"`
	Entries []people.KeptEntry `json:"entries"`
	Total   int64              `json:"total"`
	Next    *string            `json:"next"`
}

type entriesInput struct {
	userPath
	Board  string `query:"board" format:"id"`
	Action string `query:"action" format:"id"`
	Since  string `query:"since" format:"moment"`
	paging
}

func (a *api) keptEntries(ctx context.Context, in *entriesInput) (KeptEntries, error) {
	all, err := a.People.Entries(ctx, in.User, in.Board)
	since, _ := board.ParseNearest(in.Since) // it was checked, or is left out
	answer := KeptEntries{User: userOf(in.User, profile.Public{}), Entries: []people.KeptEntry{}}
	for i := range all {
		e := &all[i]
		if e.Latest() < since || in.Action != "" && e.Action != in.Action {
			continue
		}
		if index := answer.Total - in.Offset; index >= 0 && index < in.Limit {
			answer.Entries = append(answer.Entries, people.EntryOf(e, a.Ledger.Calendar()))
		}
		answer.Total++
	}
	answer.Next = next(ctx, in.Offset, in.Limit, answer.Total)
	return answer, err
}

// publicDays are the scores by day of a user who opened them.
type publicDays struct {
	User     profile.User `json:"user"`
	Timezone string       `json:"timezone"`
	Days     []scoredDay  `json:"days"`
}

// A scoredDay has the scores of a day.
type scoredDay struct {
	Day    string           `json:"day"`
	Scores map[string]int64 `json:"scores"`
}

func (a *api) days(ctx context.Context, in *activityInput) (publicDays, error) {
	today := a.reader().today
	days, status, err := a.People.Days(ctx, in.User, today-board.Date(in.Days)+1, today)
	if err != nil {
		return publicDays{}, err
	}
	if !status.DaysPublic || status.Excluded || status.Shadowed {
		return publicDays{}, newProblem(CodeDaysPrivate, "the user has no public days")
	}
	answer := publicDays{User: userOf(in.User, profile.Public{}), Timezone: a.Ledger.Calendar().Zone().String()}
	for _, d := range slices.Backward(days) {
		maps.DeleteFunc(d.Scores, func(name string, _ int64) bool { return a.Ledger.Guests().Board(name) == nil })
		answer.Days = append(answer.Days, scoredDay{Day: d.Day.String(), Scores: d.Scores})
	}
	return answer, nil
}
