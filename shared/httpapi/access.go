package httpapi

import (
	"context"
	"net/http"

	"laurel/shared/auth"
)

type refusalKey struct{}

// WithRefusal returns a context of a request without a valid token: where an operation
// needs one, a handler answers in place of the problem 401.
func WithRefusal(ctx context.Context, refusal http.Handler) context.Context {
	return context.WithValue(ctx, refusalKey{}, refusal)
}

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
	case a == forService:
		return newProblem(CodeServiceOnly, "only the forum's service may do this")
	case a == forUser && !caller.ActsFor(user):
		return newProblem(CodeOtherUser, "a user's token is valid for that user only")
	default:
		return nil
	}
}
