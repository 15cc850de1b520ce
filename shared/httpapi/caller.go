package httpapi

import (
	"context"
	"slices"

	"laurel/shared/activity"
	"laurel/shared/request"
)

// ServiceScope is the scope of the forum's own backend.
const ServiceScope = request.ServiceScope

// A Caller is whose token came with a request.
type Caller struct {
	Subject string // the user's id; means nothing when Service
	Service bool   // the forum's own backend
}

// NewCaller returns the caller that a checked token's subject and scopes stand
// for.
func NewCaller(subject string, scopes []string) Caller {
	return Caller{Subject: subject, Service: slices.Contains(scopes, ServiceScope)}
}

// Scopes reads a token's claim scope or scp: words in one string, or a list of
// them; API Gateway writes a list as a string in brackets.
func Scopes(claim any) []string {
	switch claim := claim.(type) {
	case string:
		return request.Scopes(claim)
	case []string:
		return claim
	case []any:
		var scopes []string
		for _, scope := range claim {
			if s, ok := scope.(string); ok {
				scopes = append(scopes, s)
			}
		}
		return scopes
	default:
		return nil
	}
}

type callerKey struct{}

// WithCaller returns a context that says who calls.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerFrom returns who calls, and whether the request came with a valid token.
func CallerFrom(ctx context.Context) (Caller, bool) {
	c, ok := ctx.Value(callerKey{}).(Caller)
	return c, ok
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
func (a access) refuse(ctx context.Context, user string) *problem {
	if a == forAll {
		return nil
	}
	caller, ok := CallerFrom(ctx)
	switch {
	case !ok:
		return unauthorized()
	case caller.Service:
		return nil
	case !activity.ValidUserID(caller.Subject):
		return forbidden("the token's subject is not the id of a user")
	case a == forService:
		return forbidden("only the forum's service may do this")
	case a == forUser && user != caller.Subject:
		return forbidden("a user's token is valid for that user only")
	default:
		return nil
	}
}
