package httpapi

import (
	"cmp"
	"context"
	"maps"
	"net/url"
	"strconv"
	"time"

	"laurel/shared/core/board"
	"laurel/shared/core/profile"
)

// A Board is a piece of a board in one period.
type Board struct {
	BoardHead
	Total    int64         `json:"total"`
	Entries  []Member      `json:"entries"`
	Next     *string       `json:"next"`
	Standing *userStanding `json:"standing,omitempty"`

	Standings []userStanding `json:"standings,omitempty"`
}

// A BoardHead names the board, the period and the time of an answer.
type BoardHead struct {
	Board    string  `json:"board"`
	Window   string  `json:"window"`
	Period   string  `json:"period"`
	Timezone string  `json:"timezone"`
	StartsAt string  `json:"startsAt"`
	EndsAt   *string `json:"endsAt"`
	AsOf     string  `json:"asOf"`
	Final    bool    `json:"final"`
	Of       string  `json:"of,omitempty"`
}

// A Member is a user on a board, or a team.
type Member struct {
	Rank      int64         `json:"rank"`
	Score     int64         `json:"score"`
	ReachedAt string        `json:"reachedAt,omitempty"`
	User      *profile.User `json:"user,omitempty"`
	Team      *Team         `json:"team,omitempty"`

	PreviousRank previousRank `json:"previousRank,omitzero"`
}

// A previousRank is a rank in the period before: 0 when it was not asked for, noRank when there is none.
type previousRank int64

const noRank previousRank = -1

// MarshalJSON writes the rank, or null for none.
func (r previousRank) MarshalJSON() ([]byte, error) {
	if r == noRank {
		return []byte("null"), nil
	}
	return strconv.AppendInt(nil, int64(r), 10), nil
}

// A userStanding is a place of a user on a board.
type userStanding struct {
	User profile.User `json:"user"`
	Position
}

// A Position is a rank with its details. On a board of teams it is that of the person's team.
type Position struct {
	Rank         *int64   `json:"rank"`
	Score        int64    `json:"score"`
	ReachedAt    *string  `json:"reachedAt"`
	Total        int64    `json:"total"`
	Percentile   *float64 `json:"percentile"`
	ToNext       *int64   `json:"toNext"`
	PreviousRank *int64   `json:"previousRank"`
	Team         *Team    `json:"team,omitempty"`
	Own          *int64   `json:"own,omitempty"`
}

// parts are those of a page whose places are shown as entries.
type parts struct{ page, near bool }

// people are the places of people.
func (p parts) people(page board.Page) (places []board.Place) {
	if p.page {
		places = append(places, page.Places...)
	}
	if p.near {
		places = append(places, page.Neighbours...)
	}
	return places
}

// A movementQuery asks for previous ranks in entries.
type movementQuery struct {
	With string `query:"with" enum:"movement"`
}

type boardInput struct {
	boardPath
	paging
	After string `query:"after" format:"place"`
	movementQuery
	User  string   `query:"user" format:"user-id"`
	Users []string `query:"users,explode" maxItems:"100" uniqueItems:"true" format:"user-id"`
}

// view returns the view of a board that the request asks for.
func (in *boardInput) view(query url.Values) board.View {
	v := board.View{Offset: in.Offset, Limit: in.Limit, User: in.User, Users: in.Users, Movement: in.With != ""}
	if in.After != "" {
		v.After, v.AfterTeam = board.ParsePlace(in.After), board.ParseTeam(in.After)
		v.Offset = 0
	}
	if len(v.Users) > 0 && !query.Has("limit") && !query.Has("offset") && !query.Has("after") {
		v.Limit = 0
	}
	return v
}

type standingInput struct {
	boardPath
	userPath
	movementQuery
	Around int64 `query:"around" minimum:"0" maximum:"25" default:"2"`
}

func (a *api) boardPage(ctx context.Context, in *boardInput) (Board, error) {
	v := in.view(exchangeOf(ctx).query)
	return a.board(ctx, in.boardPath, v, parts{page: true})
}

func (a *api) standing(ctx context.Context, in *standingInput) (Board, error) {
	v := board.View{User: in.User, Around: in.Around, Movement: in.With != ""}
	return a.board(ctx, in.boardPath, v, parts{near: true})
}

// board answers with a piece of a board, some of whose places it shows as entries, and the path of the next page.
func (a *api) board(ctx context.Context, path boardPath, v board.View, shown parts) (Board, error) {
	page, b, err := a.reader().piece(ctx, path, &v, shown)
	x := exchangeOf(ctx)
	b.Next = nextPage(x.URL.EscapedPath(), maps.Clone(x.query), v, page)
	return b, err
}

// piece reads a piece of a board, and completes the view of it by the board and the period.
func (r boardReader) piece(ctx context.Context, path boardPath, v *board.View, shown parts) (
	page board.Page, b Board, err error,
) {
	r.choose(path, v)
	page, err = r.read(ctx, *v)
	if err == nil {
		err = r.addToEnter(ctx, []board.View{*v}, []board.Page{page})
	}
	if err = path.answers(*v, page.Period, err); err == nil {
		v.Period = page.Period
		b = r.boardOf(ctx, *v, page, shown)
	}
	return page, b, err
}

// nextPage is the path of the page after one, by its last place; nil at the end. On a final board, whose
// places do not move, that may be the place of an erased user.
func nextPage(path string, query url.Values, v board.View, page board.Page) *string {
	if page.Teams != nil {
		return nextTeams(path, query, v, page)
	}
	if len(page.Places) == 0 || page.Places[len(page.Places)-1].Rank >= page.Total {
		return nil
	}
	last := page.Places[len(page.Places)-1]
	query.Del("after")
	query.Del("offset")
	query.Set("period", v.Period.String())
	if last.Erased() {
		query.Set("offset", strconv.FormatInt(last.Rank, 10))
	} else {
		query.Set("after", last.Text())
	}
	return new(path + "?" + query.Encode())
}

// boardOf is the answer with a page of a board, of which some parts are the entries.
func (r boardReader) boardOf(ctx context.Context, v board.View, page board.Page, shown parts) Board {
	b := Board{BoardHead: r.head(v, page.Final), Total: page.Total}
	if !page.Final {
		page.Names = nameless(page.Names, page.Users())
	}
	profiles := r.People.Names(ctx, append(page.Users(), v.Asked()...), page.Names)
	places := shown.people(page)
	b.Entries = r.entries(v.Period, places, profiles)
	if v.Movement {
		for i, p := range places {
			b.Entries[i].PreviousRank = cmp.Or(previousRank(page.Previous[p.User]), noRank)
		}
	}
	if page.Teams != nil {
		b.Of = ofTeams
		var previous map[string]int64
		if v.Movement {
			previous = page.Teams.Previous
		}
		b.Entries = r.teamEntries(v.Board, shown.teams(v, page), previous)
	}
	for i, s := range page.Standings {
		user := v.Users[i]
		b.Standings = append(b.Standings, userStanding{userOf(user, profiles[user]), r.position(v, s)})
	}
	if page.Standing != nil {
		b.Standing = &userStanding{userOf(v.User, profiles[v.User]), r.position(v, *page.Standing)}
	}
	return b
}

// nameless adds to the names that came with a live board that the others on it have none, as the
// view has the names of all who are on a board.
func nameless(names map[string]string, users []string) map[string]string {
	if names == nil {
		names = make(map[string]string, len(users))
	}
	for _, user := range users {
		if _, named := names[user]; !named {
			names[user] = ""
		}
	}
	return names
}

// head names the board and the period of an answer.
func (r boardReader) head(v board.View, final bool) BoardHead {
	calendar := r.Ledger.Calendar()
	h := BoardHead{
		Board: v.Board, Window: v.Period.Window().String(), Period: v.Period.String(), Timezone: calendar.Zone().String(),
		AsOf: r.moment(r.now), Final: final,
	}
	h.StartsAt, h.EndsAt = bounds(calendar, v.Period)
	return h
}

// bounds writes a period's first moment and the first one after it, nil for all time.
func bounds(c *board.Calendar, p board.Period) (startsAt string, endsAt *string) {
	start, end := c.Bounds(p)
	if p.Window() != board.All {
		endsAt = new(end.Time().In(c.Zone()).Format(time.RFC3339))
	}
	return start.Time().In(c.Zone()).Format(time.RFC3339), endsAt
}

// moment writes a moment in the forum's time zone, "" for none.
func (a *api) moment(m board.Moment) string { return a.Ledger.Calendar().Text(m) }

// reached writes when a score was reached in a period.
func (a *api) reached(p board.Period, ticks int64) string {
	return a.moment(a.Ledger.Calendar().AtTicks(p, ticks))
}

func (a *api) entries(period board.Period, places []board.Place, profiles map[string]profile.Public) []Member {
	entries := make([]Member, len(places))
	for i, p := range places {
		entries[i] = Member{
			Rank: p.Rank, Score: p.Packed.Score(), ReachedAt: a.reached(period, p.Packed.Ticks()),
			User: new(userOf(p.User, profiles[p.User])),
		}
	}
	return entries
}

// position is a standing on the board and in the period of a view.
func (a *api) position(v board.View, s board.Standing) Position {
	p := Position{
		Rank: rank(s.Rank), Score: s.Score, Total: s.Total, Percentile: s.Percentile, ToNext: s.ToNext,
		PreviousRank: s.PreviousRank,
	}
	switch {
	case s.Of != nil:
		p.Own = &s.Of.Own
		if s.Of.Group != "" {
			p.Team = a.teamOf(v.Board, s.Of.Group, s.Of.Members)
		}
	case s.Rank > 0:
		p.ReachedAt = new(a.reached(v.Period, s.Ticks))
	}
	return p
}
