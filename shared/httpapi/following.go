package httpapi

import (
	"context"
	"net/http"

	"laurel/shared/board"
	"laurel/shared/request"
)

// Followed says how long a follow list is.
type Followed struct {
	Total int64 `json:"total" example:"2" doc:"How many are on the list"`
}

// Following is a page of whom a user follows.
type Following struct {
	Users []User  `json:"users" nullable:"false" doc:"By id"`
	Total int64   `json:"total" example:"2" doc:"Length of the whole list"`
	Next  *string `json:"next" example:"/v1/users/ann/following?offset=30" doc:"The path of the next page; null at the end"`
}

type followingInput struct {
	UserPath
	Paging
}

func (a *api) registerFollowing() {
	register(a, operation{
		id: "put-following", method: http.MethodPut, path: "/v1/users/{user}/following", tag: "people",
		summary: "Replace a user's follow list",
		detail: "The activities follow and unfollow update the list too. Replacing it gives no points. It takes what is " +
			"read, of a whole list.",
		access: forUser, body: request.FollowList{},
		errors: append([]int{http.StatusConflict}, bodyErrors...),
	}, a.follow)
}

func (a *api) registerFollowingReads() {
	register(a, operation{
		id: "read-following", method: http.MethodGet, path: "/v1/users/{user}/following", tag: "people",
		summary: "Read a user's follow list",
		access:  forUser, errors: []int{http.StatusServiceUnavailable},
	}, a.following)
}

func (a *api) follow(ctx context.Context, in *userBody) (Followed, error) {
	var body request.FollowList
	found := request.Decode(in.body, &body)
	body.Check(in.User, found)
	if p := problemWith(found, in.rest); p != nil {
		return Followed{}, p
	}
	if err := a.People.ReplaceFollowing(ctx, in.User, body.IDs(), board.MomentOf(a.Now())); err != nil {
		return Followed{}, err
	}
	return Followed{Total: int64(len(body.Users))}, nil
}

func (a *api) following(ctx context.Context, in *followingInput) (Following, error) {
	users, total, err := a.People.Following(ctx, in.User, in.Offset, in.Limit)
	if err != nil {
		return Following{}, err
	}
	profiles := a.People.Names(ctx, users, nil)
	answer := Following{Users: make([]User, len(users)), Total: total, Next: next(ctx, in.Offset, in.Limit, total)}
	for i, id := range users {
		answer.Users[i] = userOf(id, profiles[id])
	}
	return answer, nil
}
