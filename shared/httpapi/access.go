package httpapi

import (
	"context"

	"laurel/shared/activity"
	"laurel/shared/auth"
	"laurel/shared/problems"
)

// An access says whom an operation is for.
type access int

const (
	forAll     access = iota // without a token; one that comes along changes nothing
	forCaller                // any user, and the service
	forUser                  // the user in the path, and the service
	forService               // the service alone
)

// refuse returns why the caller may not do what the access is for, nil when it
// may. user is the one in the path.
func (a access) refuse(ctx context.Context, user string) *Problem {
	if a == forAll {
		return nil
	}
	caller, ok := auth.CallerFrom(ctx)
	switch {
	case !ok:
		return unauthorized()
	case caller.Service:
		return nil
	case !activity.ValidUserID(caller.User):
		return newProblem(problems.InvalidSubject, "the token's subject is not the id of a user")
	case a == forService:
		return newProblem(problems.ServiceOnly, "only the forum's service may do this")
	case a == forUser && !caller.ActsFor(user):
		return newProblem(problems.OtherUser, "a user's token is valid for that user only")
	default:
		return nil
	}
}
