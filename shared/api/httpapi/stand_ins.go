package httpapi

import (
	"context"
	"slices"

	"laurel/shared/api/auth"
)

// userFormat is the format of parameters that are users' ids.
const userFormat = "user-id"

// standIns puts the ids of the people who stand for the users in a request's path, and for its caller, into their
// places, unless the operation is about the ids themselves, or records reports, for which recording looks for them.
// Where the table cannot be read, the ids stay.
func (a *api) standIns(ctx context.Context, o *route, x *exchange) context.Context {
	caller, known := auth.CallerFrom(ctx)
	if o.ownID || o.access != forAll && !known {
		return ctx
	}
	var names, users []string
	for _, p := range o.parameters() {
		if p.path && p.format == userFormat {
			names, users = append(names, p.name), append(users, x.PathValue(p.name))
		}
	}
	x.given = slices.Clone(users)
	if known && caller.User != "" {
		users = append(users, caller.User)
	}
	users = a.resolve(ctx, users)
	for i, name := range names {
		x.SetPathValue(name, users[i])
	}
	if len(users) > len(names) {
		caller.User = users[len(names)]
		ctx = auth.WithCaller(ctx, caller)
	}
	return ctx
}

// queryStandIns does so in the query, whose parameters have no violations; a list may have one twice then.
func (a *api) queryStandIns(ctx context.Context, o *route, x *exchange) {
	for _, p := range o.parameters() {
		if values := x.query[p.name]; !p.path && p.format == userFormat && len(values) > 0 {
			x.query[p.name] = a.resolve(ctx, values)
		}
	}
}

// resolve returns the ids of the people who stand for users, as far as the table can be read.
func (a *api) resolve(ctx context.Context, users []string) []string {
	if len(users) == 0 {
		return nil
	}
	resolved, err := a.Items.Resolve(ctx, users...)
	if err != nil {
		a.Log.WarnContext(ctx, "merged users are not looked for", "cause", err)
		return users
	}
	return resolved
}
