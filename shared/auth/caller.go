package auth

import (
	"context"
	"slices"
	"strings"

	"laurel/shared/activity"
)

// ServiceScope is the scope of the forum's own backend.
const ServiceScope = "laurel/service"

// A Caller is who sent a request or a message.
type Caller struct {
	User    string // the user's id; means nothing when Service
	Service bool   // the forum's own backend, which acts for everybody
}

// NewCaller returns the caller that a checked token's subject and scopes stand
// for.
func NewCaller(subject string, scopes []string) Caller {
	return Caller{User: subject, Service: slices.Contains(scopes, ServiceScope)}
}

// ActsFor reports whether the caller may read and change what is a user's own.
func (c Caller) ActsFor(user string) bool { return c.Service || c.User == user }

// Reporter returns as whom the caller reports activities.
func (c Caller) Reporter() activity.Reporter {
	if c.Service {
		return activity.ByService
	}
	return activity.ByUser
}

// Scopes reads a token's claim scope or scp: words in one string, which API Gateway puts
// in brackets when it was a list, or a list of them.
func Scopes(claim any) []string {
	switch claim := claim.(type) {
	case string:
		return strings.Fields(strings.TrimSuffix(strings.TrimPrefix(claim, "["), "]"))
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
