package httpapi

import (
	"context"
	"net/http"

	"laurel/shared/request"
)

// boardsHidden is the visibility of a user whom others do not see on boards.
const boardsHidden = "hidden"

// UserVisibility is a visibility with whose it is.
type UserVisibility struct {
	User string `json:"user" example:"ann"`
	request.Visibility
}

// An Exclusion is whether an operator has taken a user off the boards.
type Exclusion struct {
	User     string `json:"user" example:"ann"`
	Excluded bool   `json:"excluded"`
}

func (a *api) registerVisibility() {
	register(a, operation{
		id: "put-visibility", method: http.MethodPut, path: "/v1/users/{user}/visibility", tag: "people",
		summary: "Hide a user from boards, or show the user again",
		detail: "A hidden user is on no live board or standing that others see. Activities are recorded as before, and " +
			"the user's own standings show the place without hiding. Final boards do not change.",
		parts: Record, access: forUser, body: request.Visibility{}, errors: bodyErrors,
	}, a.putVisibility)
	const detail = "An excluded user is on no live board, and activities of that time are not recorded. " +
		"Taken back, the user is on the boards again with the points from before."
	exclusion := operation{
		id: "put-exclusion", method: http.MethodPut, path: "/v1/users/{user}/exclusion", tag: "people",
		summary: "Exclude a user from boards", detail: detail,
		parts: Record, access: forService, errors: []int{http.StatusServiceUnavailable},
	}
	register(a, exclusion, func(ctx context.Context, in *onlyUser) (Exclusion, error) {
		return a.exclude(ctx, in.User, true)
	})
	exclusion.id, exclusion.method, exclusion.summary = "delete-exclusion", http.MethodDelete, "Take back an exclusion"
	register(a, exclusion, func(ctx context.Context, in *onlyUser) (Exclusion, error) {
		return a.exclude(ctx, in.User, false)
	})
}

func (a *api) putVisibility(ctx context.Context, in *userBody) (UserVisibility, error) {
	var body request.Visibility
	if p := problemWith(request.Decode(in.body, &body), in.rest); p != nil {
		return UserVisibility{}, p
	}
	if err := a.Store.SetHidden(ctx, in.User, body.Boards == boardsHidden); err != nil {
		return UserVisibility{}, err
	}
	return UserVisibility{User: in.User, Visibility: body}, nil
}

func (a *api) exclude(ctx context.Context, user string, excluded bool) (Exclusion, error) {
	if err := a.Store.SetExclusion(ctx, user, excluded); err != nil {
		return Exclusion{}, err
	}
	return Exclusion{User: user, Excluded: excluded}, nil
}
