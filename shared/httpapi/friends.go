package httpapi

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/boards"
	"laurel/shared/ledger"
)

// FriendsBoard is the board among those a user follows, and the user.
type FriendsBoard struct {
	BoardHead
	Total   int64    `json:"total" example:"2" doc:"How many the user follows, and the user"`
	Entries []Friend `json:"entries" nullable:"false" doc:"In the board's order; those without points come last, by id"`
}

// A Friend is a user on a friends board.
type Friend struct {
	Rank      *int64 `json:"rank" nullable:"true" minimum:"1" example:"1" doc:"Among the friends; null without points"`
	BoardRank *int64 `json:"boardRank" nullable:"true" minimum:"1" example:"17" doc:"On the whole board; null without points"`
	Score     int64  `json:"score" example:"34"`
	User      User   `json:"user"`
}

type friendsInput struct {
	BoardPath
	UserPath
	Limit int64 `query:"limit" minimum:"1" maximum:"100" default:"30" doc:"How many entries"`
}

// Resolve returns the violations that huma does not find.
func (in *friendsInput) Resolve(ctx huma.Context) []error {
	found := append(queryViolations(ctx), in.periodViolations("query.period", in.Period)...)
	return append(found, userViolations("path.user", in.User)...)
}

func (a *api) registerFriends() {
	register(a, operation{
		id: "read-friends", method: http.MethodGet, path: "/v1/boards/{board}/{window}/users/{user}/friends", tag: "people",
		summary: "Read a board of a user and those the user follows",
		parts:   Query, access: forUser, errors: []int{http.StatusNotFound, http.StatusServiceUnavailable},
	}, a.friends)
}

func (a *api) friends(ctx context.Context, in *friendsInput) (FriendsBoard, error) {
	now := a.Now()
	today := a.Ledger.Calendar().Date(board.MomentOf(now))
	v := board.View{Board: in.Board, Period: in.period(today), User: in.User, Limit: in.Limit}
	page, err := a.reader(today).friends(ctx, v)
	if err != nil {
		return FriendsBoard{}, err
	}
	users := make([]string, len(page.Friends))
	for i, f := range page.Friends {
		users[i] = f.User
	}
	profiles := a.names(ctx, users, page.Copies)
	answer := FriendsBoard{
		BoardHead: a.head(in.BoardPath, v.Period, now, page.Final),
		Total:     page.Total, Entries: make([]Friend, len(page.Friends)),
	}
	for i, f := range page.Friends {
		answer.Entries[i] = Friend{Rank: rank(f.Rank), BoardRank: rank(f.BoardRank), User: userOf(f.User, profiles[f.User])}
		if f.Rank > 0 {
			answer.Entries[i].Score = f.Packed.Score()
		}
	}
	return answer, nil
}

// rank is a rank as answers have it: null for none.
func rank(n int64) *int64 {
	if n <= 0 {
		return nil
	}
	return &n
}

// friends reads a friends board wherever the board is, by the same steps as read.
func (r boardReader) friends(ctx context.Context, v board.View) (boards.FriendsPage, error) {
	if r.due(v.Period) {
		if page, final, err := r.finalFriends(ctx, v); final || err != nil {
			return page, err
		}
	}
	page, err := r.Store.Friends(ctx, v)
	if err != nil {
		return boards.FriendsPage{}, err
	}
	// One on which nobody has points, and that is not due, may have been moved when
	// less was hot.
	nobody := len(page.Friends) == 0 || page.Friends[0].Rank == 0
	if r.due(v.Period) || (r.Archive != nil && nobody && r.ended(v.Period)) {
		if page, final, err := r.finalFriends(ctx, v); final || err != nil {
			return page, err
		}
	}
	return page, nil
}

// finalFriends reads a friends board from the archive, if the board is there: the
// list from Redis, those on it then in the archive's pages. Who was on the board
// stays; who was not, and is hidden or excluded now, is left out as on a live one.
func (r boardReader) finalFriends(ctx context.Context, v board.View) (page boards.FriendsPage, final bool, err error) {
	following, err := r.Store.Following(ctx, v.User, 0, ledger.MaxFollows)
	if err != nil {
		return boards.FriendsPage{}, false, err
	}
	users := slices.Concat(following.Users, []string{v.User})
	places, _, err := r.Archive.Friends(ctx, v.Board, v.Period, users)
	if errors.Is(err, archive.ErrNotFinal) {
		return boards.FriendsPage{}, false, nil
	}
	if err != nil {
		return boards.FriendsPage{}, false, err
	}
	on := make(map[string]bool, len(places))
	for _, p := range places {
		on[p.User] = true
	}
	var others []string
	if len(places) < len(users) {
		all := v
		all.Limit = int64(len(users))
		shown, err := r.Store.Friends(ctx, all)
		if err != nil {
			return boards.FriendsPage{}, false, err
		}
		for _, f := range shown.Friends {
			if !on[f.User] {
				others = append(others, f.User)
			}
		}
	}
	page.FriendsPage = board.FriendsPage{
		Final: true, Total: int64(len(places) + len(others)), Friends: board.Friends(places, others, v.Limit),
	}
	return page, true, nil
}
