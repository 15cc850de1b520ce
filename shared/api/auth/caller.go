package auth

import (
	"context"
	"encoding/base64"
	"errors"
	"strings"

	"laurel/shared/core/activity"
)

// ServiceScope is the scope of the forum's own backend in the tokens of an issuer.
const ServiceScope = "laurel/service"

// A Caller is the sender of a request or a message.
type Caller struct {
	User    string // a valid user id; "" when Service
	Service bool   // the forum's own backend, which acts for everybody
}

// ActsFor reports whether the caller may read and change a user's own data.
func (c Caller) ActsFor(user string) bool { return c.Service || c.User == user }

// Reporter returns the reporter that the caller is.
func (c Caller) Reporter() activity.Reporter {
	if c.Service {
		return activity.ByService
	}
	return activity.ByUser
}

// ContextKey is the name under which the authorizer tells API Gateway, and so the functions and the
// queue, the text of the caller.
const ContextKey = "caller"

// The texts of callers: the service, and the prefix of a user's id in base64.
const (
	serviceText = "service"
	userPrefix  = "user."
)

// Text returns the caller in at most 91 ASCII letters, digits and any of . - and _. API
// Gateway puts it into a JSON text without escaping it, and SQS takes it as a group.
func (c Caller) Text() string {
	if c.Service {
		return serviceText
	}
	return userPrefix + base64.RawURLEncoding.EncodeToString([]byte(c.User))
}

// ParseText returns the caller that has a text.
func ParseText(text string) (Caller, error) {
	if text == serviceText {
		return Caller{Service: true}, nil
	}
	id, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(text, userPrefix))
	c := Caller{User: string(id)}
	if err != nil || !activity.ValidUserID(c.User) || c.Text() != text { // there are other ways to write base64
		return Caller{}, errors.New("auth: is not the text of a caller")
	}
	return c, nil
}

type callerKey struct{}

// WithCaller returns a context with a caller.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerFrom returns the caller, and whether the request came with a valid token.
func CallerFrom(ctx context.Context) (Caller, bool) {
	c, ok := ctx.Value(callerKey{}).(Caller)
	return c, ok
}
