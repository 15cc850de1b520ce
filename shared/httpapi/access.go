package httpapi

import (
	"context"
	"errors"
	"log/slog"

	"laurel/shared/auth"
	"laurel/shared/auth/token"
)

type refusalKey struct{}

// WithRefusal returns a context of a request whose token was refused with an error of package token:
// an operation that needs one answers by it.
func WithRefusal(ctx context.Context, err error) context.Context {
	return context.WithValue(ctx, refusalKey{}, err)
}

// refusal returns why nobody calls. The log has the fault, and nobody's id.
func refusal(ctx context.Context, log *slog.Logger) *Problem {
	err, _ := ctx.Value(refusalKey{}).(error)
	refused, ok := errors.AsType[*token.Refusal](err)
	switch {
	case ok && refused.Fault != token.Missing:
		log.InfoContext(ctx, "a token is refused", "code", refused.Fault)
		p := newProblem(Code(refused.Fault), refused.Detail)
		p.header.Set("WWW-Authenticate", `Bearer error="invalid_token"`)
		return p
	case errors.Is(err, token.ErrKeys):
		log.ErrorContext(ctx, "tokens cannot be checked", "cause", err)
		return passingProblem(CodeUnavailable, "30", "the keys of the tokens' issuer cannot be read; try again")
	}
	p := newProblem(Code(token.Missing), "missing token")
	p.header.Set("WWW-Authenticate", "Bearer")
	return p
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
func (a access) refuse(ctx context.Context, log *slog.Logger, user string) *Problem {
	if a == forAll {
		return nil
	}
	caller, ok := auth.CallerFrom(ctx)
	switch {
	case !ok:
		return refusal(ctx, log)
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
