package httpapi

import (
	"context"
	"slices"

	"laurel/shared/api/wire"
	"laurel/shared/core/board"
	"laurel/shared/core/profile"
	"laurel/shared/forum/people"
)

// friendsBoard is the board among those a user follows, and the user.
type friendsBoard struct {
	BoardHead
	Total   int64          `json:"total"`
	Entries []friendMember `json:"entries"`
	Next    *string        `json:"next"`

	Standing friendStanding `json:"standing"`
}

// A friendMember is a user on a friends board.
type friendMember struct {
	Rank      *int64 `json:"rank"`
	BoardRank *int64 `json:"boardRank"`
	Score     int64  `json:"score"`

	ReachedAt *string `json:"reachedAt"`

	User profile.User `json:"user"`
}

// A friendStanding is where the user is on the friends board.
type friendStanding struct {
	User       profile.User `json:"user"`
	Rank       *int64       `json:"rank"`
	BoardRank  *int64       `json:"boardRank"`
	Score      int64        `json:"score"`
	ReachedAt  *string      `json:"reachedAt"`
	Total      int64        `json:"total"`
	Percentile *float64     `json:"percentile"`
	ToNext     *int64       `json:"toNext"`
}

type friendsInput struct {
	boardPath
	userPath
	paging
}

func (a *api) friends(ctx context.Context, in *friendsInput) (friendsBoard, error) {
	r := a.reader()
	if a.Ledger.Rules().OfTeams(in.Board) {
		return friendsBoard{}, newProblem(CodeNoFriendsBoard, "the board is of teams, and friends are people")
	}
	v := board.View{User: in.User, Offset: in.Offset, Limit: in.Limit}
	r.choose(in.boardPath, &v)
	page, err := r.friends(ctx, v)
	if err == nil && page.Period != v.Period { // the place of a hidden user is of that period
		v.Period, v.Exact = page.Period, true
		page, err = r.friends(ctx, v)
	}
	if err := in.answers(v, page.Period, err); err != nil {
		return friendsBoard{}, err
	}
	if page.Standing.Rank == 0 && !page.Final { // a deliberate exception, as addToEnter's
		id := people.Absent{ID: board.ID{Board: v.Board, Period: v.Period}, User: in.User}
		if err := r.toEnter(ctx, []absence{{id, &page.Standing}}, true); err != nil {
			return friendsBoard{}, err
		}
	}
	profiles := a.People.Names(ctx, append(page.Users(), in.User), page.Names)
	own := a.position(v, page.Standing)
	answer := friendsBoard{
		BoardHead: r.head(v, page.Final),
		Total:     page.Total, Entries: make([]friendMember, len(page.Friends)),
		Next: next(ctx, in.Offset, in.Limit, page.Total, "period", v.Period.String()),
		Standing: friendStanding{
			User: userOf(in.User, profiles[in.User]), Rank: own.Rank, BoardRank: rank(page.BoardRank), Score: own.Score,
			ReachedAt: own.ReachedAt, Total: own.Total, Percentile: own.Percentile, ToNext: own.ToNext,
		},
	}
	for i, f := range page.Friends {
		friend := friendMember{Rank: rank(f.Rank), BoardRank: rank(f.BoardRank), User: userOf(f.User, profiles[f.User])}
		if f.Rank > 0 {
			friend.Score, friend.ReachedAt = f.Packed.Score(), new(a.reached(v.Period, f.Packed.Ticks()))
		}
		answer.Entries[i] = friend
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

// friends reads a friends board wherever the board is. The list is the table's, kept for a minute.
func (r boardReader) friends(ctx context.Context, v board.View) (board.FriendsPage, error) {
	friends, own, err := r.People.FriendsOf(ctx, v)
	if err != nil {
		return board.FriendsPage{}, err
	}
	return settled(r, v.Period,
		func() (board.FriendsPage, error) { return r.finalFriends(ctx, v, friends, own) },
		func() (board.FriendsPage, bool, error) {
			page, err := r.View.Friends(ctx, v, friends, own)
			return page, len(page.Friends) == 0 || page.Friends[0].Rank == 0, err
		})
}

// finalFriends reads a friends board from the table. A user on the
// board stays; a user who was not on it, and is hidden or excluded now, is left out as on a live one.
func (r boardReader) finalFriends(ctx context.Context, v board.View, friends []string, own board.Packed) (
	page board.FriendsPage, err error,
) {
	users := append(slices.Clone(friends), v.User)
	places, _, err := r.Finals.Friends(ctx, v.Board, v.Period, users)
	if err != nil {
		return page, err
	}
	on := make(map[string]bool, len(places))
	for _, p := range places {
		on[p.User] = true
	}
	var others []string
	if len(places) < len(users) {
		all := v
		all.Offset, all.Limit = 0, int64(len(users))
		shown, err := r.View.Friends(ctx, all, friends, own)
		if err != nil {
			return page, err
		}
		for _, f := range shown.Friends {
			if !on[f.User] {
				others = append(others, f.User)
			}
		}
	}
	page = board.NewFriendsPage(v.User, places, others, v.Offset, v.Limit)
	page.Period, page.Final = v.Period, true
	return page, nil
}

// followed says how long a follow list is.
type followed struct {
	Total int64 `json:"total"`
}

// Following is a page of the users whom a user follows.
type Following struct {
	Users []profile.User `json:"users"`
	Total int64          `json:"total"`
	Next  *string        `json:"next"`
}

type followingInput struct {
	userPath
	paging
}

func (a *api) follow(ctx context.Context, in *userPath) (followed, error) {
	var body wire.FollowList
	found := decode(ctx, &body)
	body.Check(in.User, found)
	if p := refused(ctx, found); p != nil {
		return followed{}, p
	}
	total, err := a.People.ReplaceFollowing(ctx, in.User, body.IDs(), board.MomentOf(a.Now()))
	return followed{Total: total}, err
}

func (a *api) following(ctx context.Context, in *followingInput) (Following, error) {
	users, total, err := a.People.Following(ctx, in.User, in.Offset, in.Limit)
	profiles := a.People.Names(ctx, users, nil)
	answer := Following{Users: make([]profile.User, len(users)), Total: total, Next: next(ctx, in.Offset, in.Limit, total)}
	for i, id := range users {
		answer.Users[i] = userOf(id, profiles[id])
	}
	return answer, err
}
