package httpapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"

	"laurel/shared/api/auth"
	"laurel/shared/api/auth/token"
	"laurel/shared/api/wire"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

// run answers a request for an operation, and measures it if the handler does.
func (a *api) run(o *route, w http.ResponseWriter, r *http.Request) {
	ctx, work := a.Metrics.Begin(r.Context(), o.id)
	if work != nil {
		defer func() { // a panic has not answered yet
			answer, _ := w.(*response)
			work.End(answer == nil || answer.status == 0 || answer.status >= http.StatusInternalServerError)
		}()
	}
	if o.access != forAll {
		w.Header().Set("Cache-Control", "private, no-store")
	}
	x := &exchange{Request: r, rules: a.Ledger.Guests(), private: o.access != forAll}
	if o.private {
		x.rules = a.Ledger.Rules()
	}
	ctx = a.standIns(ctx, o, x)
	if p := a.accept(ctx, o, x); p != nil {
		p.write(w)
		return
	}
	a.queryStandIns(ctx, o, x)
	ctx = context.WithValue(ctx, exchangeKey{}, x)
	answer, err := o.call(a, ctx, x.fill(o.parameters()))
	if err != nil {
		problemOf(ctx, a.Log, err).write(w)
		return
	}
	x.answer(w, answer, o)
}

// accept reads a request, and refuses callers without access to the operation, unknown boards and windows, and
// violations in the path and the query of a request without a body.
func (a *api) accept(ctx context.Context, o *route, x *exchange) (p *Problem) {
	if p := cmp.Or(o.access.refuse(ctx, a.Log, x.PathValue("user")), missing(x.rules, x.Request)); p != nil {
		return p
	}
	if o.body != nil {
		if x.body, p = readBody(x.Request, cmp.Or(o.most, maxBody)); p != nil {
			return p
		}
		if o.empty && len(x.body) == 0 {
			x.body = []byte("{}")
		}
	}
	query, err := url.ParseQuery(x.URL.RawQuery)
	x.query = query
	if x.rest = parameterViolations(x, o.parameters(), err); o.body != nil { // the body's come with them
		return nil
	}
	if n, _ := io.ReadFull(x.Body, make([]byte, 1)); n > 0 {
		x.rest = slices.Insert(x.rest, 0, newViolation(activity.CodeNoBody, "body", "must be left out", nil))
	}
	return problemWith(&wire.Violations{}, x.rest)
}

// An access names the callers of an operation.
type access string

const (
	forAll     access = "all"     // without a token; one that comes along changes nothing
	forCaller  access = "caller"  // any user, and the service
	forUser    access = "user"    // the user in the path, and the service
	forService access = "service" // the forum's service alone
)

// refuse returns the reason that the caller lacks the access, nil when it has it. user is the one in the path.
func (a access) refuse(ctx context.Context, log *slog.Logger, user string) *Problem {
	if a == forAll {
		return nil
	}
	caller, ok := auth.CallerFrom(ctx)
	switch {
	case !ok:
		return refusal(ctx, log)
	case caller.Service, a == forCaller, a == forUser && caller.ActsFor(user):
		return nil
	case a == forUser:
		return newProblem(CodeOtherUser, "a user's token is valid for that user only")
	default:
		return newProblem(CodeServiceOnly, "only the forum's service may do this")
	}
}

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

// missing returns a problem when the path names a board or a window that some rules do not have.
func missing(rules *activity.Rules, r *http.Request) *Problem {
	name, word := r.PathValue("board"), r.PathValue("window")
	if name == "" && word == "" { // not in this path: neither can be empty in one that matches
		return nil
	}
	windows := rules.Windows(name)
	if windows == nil {
		return newProblem(CodeUnknownBoard, "no such board; the boards are "+words(rules.Boards()))
	}
	if w, err := board.ParseWindow(word); word != "" && (err != nil || !slices.Contains(windows, w)) {
		return unknownWindow(name, windows)
	}
	return nil
}

// unknownWindow is the problem of a window that a board does not keep.
func unknownWindow(name string, keeps []board.Window) *Problem {
	return newProblem(CodeUnknownWindow, fmt.Sprintf("no such window; the windows of %s are %s", name, words(keeps)))
}
