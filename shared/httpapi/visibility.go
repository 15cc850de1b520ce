package httpapi

import (
	"context"
	"net/http"

	"laurel/shared/people"
	"laurel/shared/request"
)

func (a *api) registerVisibility() {
	register(a, visibilityOperation, a.putVisibility)
	register(a, exclusionOperation, a.putExclusion)
	const summary = "Take back an exclusion"
	register(a, exclusionOperation.as(http.MethodDelete, "delete-exclusion", summary, http.StatusServiceUnavailable),
		func(ctx context.Context, in *UserPath) (people.UserExclusion, error) {
			return people.UserExclusion{}, a.People.SetExclusion(ctx, in.User, people.UserExclusion{})
		})
}

func (a *api) registerVisibilityReads() {
	register(a, visibilityOperation.as(http.MethodGet, "read-visibility", "Read what others see of a user",
		http.StatusServiceUnavailable), a.visibility)
	register(a, exclusionOperation.as(http.MethodGet, "read-exclusion", "Read whether a user is excluded",
		http.StatusServiceUnavailable), a.exclusion)
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

func (a *api) putVisibility(ctx context.Context, in *UserPath) (people.UserVisibility, error) {
	var body request.Visibility
	if p := refused(ctx, decode(ctx, &body)); p != nil {
		return people.UserVisibility{}, p
	}
	return a.People.SetVisibility(ctx, in.User, people.UserVisibility(body))
}

func (a *api) visibility(ctx context.Context, in *UserPath) (people.UserVisibility, error) {
	status, err := a.People.Status(ctx, in.User)
	return people.VisibilityOf(status), err
}

func (a *api) exclusion(ctx context.Context, in *UserPath) (people.UserExclusion, error) {
	status, err := a.People.Status(ctx, in.User)
	return people.UserExclusion{Excluded: status.Excluded || status.Shadowed, Shadow: status.Shadowed}, err
}

func (a *api) putExclusion(ctx context.Context, in *UserPath) (people.UserExclusion, error) {
	var body request.Exclusion
	if p := refused(ctx, decode(ctx, &body)); p != nil {
		return people.UserExclusion{}, p
	}
	now := people.UserExclusion{Excluded: body.Excluded == nil || *body.Excluded}
	now.Shadow = now.Excluded && body.Shadow
	return now, a.People.SetExclusion(ctx, in.User, now)
}
