package httpapi

import (
	"context"
	"maps"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/forum/people"
	"laurel/shared/store/final"
)

// boardWinners are the first of a board's ended periods.
type boardWinners struct {
	Board   string          `json:"board"`
	Window  string          `json:"window"`
	Of      string          `json:"of,omitempty"`
	Periods []winnersPeriod `json:"periods"`
	Next    *string         `json:"next"`
}

// A winnersPeriod has the first users of a period, or the first teams.
type winnersPeriod struct {
	Period  string   `json:"period"`
	EndsAt  string   `json:"endsAt"`
	Final   bool     `json:"final"`
	Entries []Member `json:"entries"`
}

type winnersInput struct {
	windowPath
	Limit  int    `query:"limit" minimum:"1" maximum:"31" default:"12"`
	Top    int    `query:"top" minimum:"1" maximum:"10" default:"3"`
	Before string `query:"before" format:"period"`
}

// Wreaths are the first places that a user won.
type Wreaths struct {
	Wreaths []people.Wreath `json:"wreaths"`
}

func (a *api) wreaths(ctx context.Context, in *userPath) (Wreaths, error) {
	all, err := a.People.Wreaths(ctx, in.User, exchangeOf(ctx).rules)
	return Wreaths{all}, err
}

func (a *api) winners(ctx context.Context, in *winnersInput) (boardWinners, error) {
	answer := boardWinners{
		Board: in.Board, Window: in.Window, Of: a.kind(in.Board), Periods: []winnersPeriod{},
	}
	if !in.window().Ends() {
		return answer, nil
	}
	r, before := a.reader(), in.named(in.Before)
	current := r.present(in.Board, in.window())
	if in.window().Tiles() && (in.Before == "" || current.Compare(before) < 0) {
		before = current
	}
	periods, err := a.foundPeriods(ctx, in.windowPath, before, in.Limit+1)
	if err != nil {
		return answer, err
	}
	periods = slices.DeleteFunc(periods, func(f found) bool { return !r.ended(f.period) })
	more := len(periods) > in.Limit
	periods = periods[:min(in.Limit, len(periods))]
	if more {
		answer.Next = nextAt(ctx, "before", periods[in.Limit-1].period.String())
	}
	entries, err := a.firstEntries(ctx, in, periods)
	if err != nil {
		return answer, err
	}
	for i, p := range periods {
		_, endsAt := bounds(a.Ledger.Calendar(), p.period)
		answer.Periods = append(answer.Periods, winnersPeriod{
			Period: p.period.String(), EndsAt: *endsAt, Final: p.final != nil, Entries: entries[i],
		})
	}
	return answer, nil
}

// firstEntries returns the first entries of periods. Final ones stay those of people where a board has teams now.
func (a *api) firstEntries(ctx context.Context, in *winnersInput, periods []found) ([][]Member, error) {
	var kinds [2][]found
	kindOf := func(p found) int {
		if p.final != nil && p.final.Teams != nil || p.final == nil && a.Ledger.Rules().OfTeams(in.Board) {
			return 1
		}
		return 0
	}
	for _, p := range periods {
		kinds[kindOf(p)] = append(kinds[kindOf(p)], p)
	}
	persons, err := a.firstPeople(ctx, in, kinds[0])
	if err != nil {
		return nil, err
	}
	teams, err := a.firstTeams(ctx, in, kinds[1])
	if err != nil {
		return nil, err
	}
	first, entries := [2][][]Member{persons, teams}, make([][]Member, len(periods))
	for i, p := range periods {
		kind := kindOf(p)
		entries[i], first[kind] = first[kind][0], first[kind][1:]
	}
	return entries, nil
}

// firstPeople returns the entries of the first people of periods.
func (a *api) firstPeople(ctx context.Context, in *winnersInput, periods []found) ([][]Member, error) {
	places, names, err := a.firsts(ctx, in, periods)
	if err != nil {
		return nil, err
	}
	entries := make([][]Member, len(periods))
	public := a.People.Names(ctx, slices.Collect(maps.Keys(names)), names)
	for i, p := range periods {
		entries[i] = a.entries(p.period, places[i], public)
	}
	return entries, nil
}

// firstTeams returns the entries of the first teams of periods: of live ones in one trip to the view.
func (a *api) firstTeams(ctx context.Context, in *winnersInput, periods []found) ([][]Member, error) {
	entries, r := make([][]Member, len(periods)), a.reader()
	var views []board.View
	for _, p := range periods {
		if p.final == nil {
			views = append(views, board.View{Board: in.Board, Period: p.period})
		}
	}
	pages, err := a.View.ReadAll(ctx, views)
	if err != nil {
		return nil, err
	}
	for i, p := range periods {
		var teams []board.Team
		if p.final != nil {
			teams = p.final.Teams
		} else {
			page := pages[0]
			if pages = pages[1:]; page.Total == 0 { // it has become final meanwhile
				if page, err = r.read(ctx, board.View{Board: in.Board, Period: p.period}); err != nil {
					return nil, err
				}
			}
			teams = page.Teams.Places
		}
		entries[i] = a.teamEntries(in.Board, teams[:min(len(teams), in.Top)], nil)
	}
	return entries, nil
}

// firsts returns the first places of periods, and the names of the users on them: those of live ones in one
// trip to the view, those of final ones in a read of the table for each 100 people.
func (a *api) firsts(ctx context.Context, in *winnersInput, periods []found) (
	places [][]board.Place, names map[string]string, err error,
) {
	var finals []final.Period
	var views []board.View
	for _, p := range periods {
		if p.final != nil {
			finals = append(finals, *p.final)
		} else {
			views = append(views, board.View{Board: in.Board, Period: p.period, Limit: int64(in.Top)})
		}
	}
	won, names, err := a.Finals.Winners(ctx, finals, in.Top)
	if err != nil {
		return nil, nil, err
	}
	pages, err := a.View.ReadAll(ctx, views)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range periods {
		if p.final != nil {
			places, won = append(places, won[0]), won[1:]
			continue
		}
		page := pages[0]
		if page.Total == 0 { // it has become final meanwhile
			v := board.View{Board: in.Board, Period: p.period, Limit: int64(in.Top)}
			if page, err = a.reader().read(ctx, v); err != nil {
				return nil, nil, err
			}
		}
		maps.Copy(names, nameless(page.Names, page.Users()))
		places, pages = append(places, page.Places), pages[1:]
	}
	return places, names, nil
}
