package httpapi

import (
	"context"

	"laurel/shared/api/auth"
	"laurel/shared/api/wire"
	"laurel/shared/forum/people"
)

func (a *api) putVisibility(ctx context.Context, in *userPath) (people.UserVisibility, error) {
	var body wire.Visibility
	if p := refused(ctx, decode(ctx, &body)); p != nil {
		return people.UserVisibility{}, p
	}
	return a.People.SetVisibility(ctx, in.User, people.UserVisibility(body))
}

func (a *api) visibility(ctx context.Context, in *userPath) (people.UserVisibility, error) {
	status, err := a.People.Status(ctx, in.User)
	return people.VisibilityOf(status), err
}

func (a *api) exclusion(ctx context.Context, in *userPath) (people.UserExclusion, error) {
	status, err := a.People.Status(ctx, in.User)
	if caller, _ := auth.CallerFrom(ctx); !caller.Service { // users do not notice it
		status.Shadowed = false
	}
	return people.UserExclusion{Excluded: status.Excluded || status.Shadowed, Shadow: status.Shadowed}, err
}

func (a *api) putExclusion(ctx context.Context, in *userPath) (people.UserExclusion, error) {
	var body wire.Exclusion
	if p := refused(ctx, decode(ctx, &body)); p != nil {
		return people.UserExclusion{}, p
	}
	now := people.UserExclusion{Excluded: body.Excluded == nil || *body.Excluded}
	now.Shadow = now.Excluded && body.Shadow
	return now, a.People.SetExclusion(ctx, in.User, now, body.Reason)
}

func (a *api) deleteExclusion(ctx context.Context, in *userPath) (people.UserExclusion, error) {
	return people.UserExclusion{}, a.People.SetExclusion(ctx, in.User, people.UserExclusion{}, "")
}
