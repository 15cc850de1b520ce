package httpapi

import (
	"context"
	"net/http"

	"laurel/shared/people"
	"laurel/shared/request"
)

// A UserVisibility is what others see of a user.
type UserVisibility = people.UserVisibility

// A UserExclusion is whether the service has taken a user off the boards.
type UserExclusion = people.UserExclusion

func (a *api) registerVisibility() {
	register(a, visibilityOperation, a.putVisibility)
	register(a, exclusionOperation, a.putExclusion)
	exclusion := exclusionOperation
	exclusion.body, exclusion.optional, exclusion.errors = nil, false, []int{http.StatusServiceUnavailable}
	exclusion.id, exclusion.method, exclusion.summary = "delete-exclusion", http.MethodDelete, "Take back an exclusion"
	register(a, exclusion, func(ctx context.Context, in *UserPath) (UserExclusion, error) {
		return UserExclusion{}, a.People.SetExclusion(ctx, in.User, false)
	})
}

func (a *api) registerVisibilityReads() {
	visibility, exclusion := visibilityOperation, exclusionOperation
	visibility.id, visibility.method, visibility.body = "read-visibility", http.MethodGet, nil
	visibility.summary, visibility.errors = "Read what others see of a user", []int{http.StatusServiceUnavailable}
	register(a, visibility, a.visibility)
	exclusion.body, exclusion.optional, exclusion.errors = nil, false, []int{http.StatusServiceUnavailable}
	exclusion.id, exclusion.method, exclusion.summary = "read-exclusion", http.MethodGet, "Read whether a user is excluded"
	register(a, exclusion, func(ctx context.Context, in *UserPath) (UserExclusion, error) {
		status, err := a.People.Status(ctx, in.User)
		return UserExclusion{Excluded: status.Excluded || status.Shadowed, Shadow: status.Shadowed}, err
	})
}

// What visibility and exclusion have in common, as it is put.
var (
	visibilityOperation = operation{
		id: "put-visibility", method: http.MethodPut, path: "/v1/users/{user}/visibility", tag: "people",
		summary: "Change what others see of a user",
		detail: "A hidden user is on no live board or standing that others see. Activities are recorded as before, and " +
			"the user's own standings show the place without hiding. Final boards do not change. Public days are those of " +
			"the route days. What is left out stays as it is.",
		access: forUser, body: request.Visibility{}, errors: bodyErrors,
	}
	exclusionOperation = operation{
		id: "put-exclusion", method: http.MethodPut, path: "/v1/users/{user}/exclusion", tag: "people",
		summary: "Exclude a user from boards",
		detail: "An excluded user is on no live board, and activities of that time are not recorded. " +
			"Taken back, the user is on the boards again with the points from before. With shadow the user does not notice: " +
			"others see as little, but activities are recorded, and the user's own receipts, standings and friends boards " +
			"tell what would be.",
		access: forService, body: request.Exclusion{}, optional: true, errors: bodyErrors,
	}
)

func (a *api) putVisibility(ctx context.Context, in *userBody) (UserVisibility, error) {
	var body request.Visibility
	if p := problemWith(request.Decode(in.body, &body), in.rest); p != nil {
		return UserVisibility{}, p
	}
	var v people.Visibility
	if body.Boards != "" {
		v.Hidden = new(body.Boards == people.BoardsHidden)
	}
	if body.Days != "" {
		v.DaysPublic = new(body.Days == people.DaysPublic)
	}
	status, err := a.People.SetVisibility(ctx, in.User, v)
	return people.VisibilityOf(status), err
}

func (a *api) visibility(ctx context.Context, in *UserPath) (UserVisibility, error) {
	status, err := a.People.Status(ctx, in.User)
	return people.VisibilityOf(status), err
}

func (a *api) putExclusion(ctx context.Context, in *userBody) (UserExclusion, error) {
	var body request.Exclusion
	if p := problemWith(request.Decode(in.body, &body), in.rest); p != nil {
		return UserExclusion{}, p
	}
	now := UserExclusion{Excluded: body.Excluded == nil || *body.Excluded}
	if now.Excluded && body.Shadow {
		now.Shadow = true
		return now, a.People.Shadow(ctx, in.User)
	}
	return now, a.People.SetExclusion(ctx, in.User, now.Excluded)
}
