package httpapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"laurel/shared/auth"
	"laurel/shared/auth/token"
	"laurel/shared/board"
	"laurel/shared/request"
)

// An operation is a route with what is common to all: whom it is for, what may
// keep its answers, and what the document says about it.
type operation struct {
	id, method, path     string
	tag, summary, detail string
	access               access
	cache                string                // how long others keep answers that depend on the address alone; "": none
	errors               []int                 // further statuses of its problems
	body                 any                   // of the type that the body is, nil for none
	optional             bool                  // the body may be left out, and is {} then
	most                 int64                 // bytes of the body; 0 is maxBody
	more                 func(*huma.Operation) // adds to what the document says; nil for nothing
	status               int                   // of its answer; 0 is 200
}

// as returns another operation on the same path, without a body.
func (o operation) as(method, id, summary string, statuses ...int) operation {
	o.method, o.id, o.summary, o.errors = method, id, summary, statuses
	o.body, o.optional = nil, false
	return o
}

// newHuma makes the framework as Laurel wants it: JSON, the document at one
// address, nothing added to answers.
func (a *api) newHuma() huma.API {
	return huma.NewAPI(huma.Config{
		OpenAPI: newDocument(),
		Formats: map[string]huma.Format{
			"application/json": huma.DefaultJSONFormat,
			"json":             huma.DefaultJSONFormat, // of application/problem+json
		},
		DefaultFormat: "application/json",
		Transformers:  []huma.Transformer{ownProblem},
	}, humago.NewAdapter(a.mux, ""))
}

// register adds an operation whose answer is a T.
func register[I, T any](a *api, o operation, handle func(context.Context, *I) (T, error)) {
	op := o.describe(a, reflect.TypeFor[T]())
	if o.cache != "" {
		a.public[o.method+" "+o.path] = true
	}
	op.Middlewares = huma.Middlewares{
		func(ctx huma.Context, next func(huma.Context)) { a.measure(o, ctx, next) },
		func(ctx huma.Context, next func(huma.Context)) { a.guard(o, ctx, next) },
	}
	huma.Register(a.huma, op, func(ctx context.Context, in *I) (*reply, error) {
		v, err := handle(ctx, in)
		if err != nil {
			return nil, problemOf(ctx, a.Log, err)
		}
		r, err := newReply(ctx, v, o.cache)
		if err != nil {
			return nil, problemOf(ctx, a.Log, err)
		}
		if o.status != 0 {
			r.Status = o.status
		}
		return r, nil
	})
	if !a.documented {
		return
	}
	added := a.operation(o)
	if o.body != nil { // after the framework has looked, which leaves bodies alone then
		schema := a.huma.OpenAPI().Components.Schemas.Schema(reflect.TypeOf(o.body), true, "")
		content := map[string]*huma.MediaType{"application/json": {Schema: schema}}
		added.RequestBody = &huma.RequestBody{Required: !o.optional, Content: content}
	}
	a.describeRefusals(o, added)
	if o.more != nil {
		o.more(added)
	}
}

// measure measures an operation, if the handler does.
func (a *api) measure(o operation, ctx huma.Context, next func(huma.Context)) {
	measured, work := a.Metrics.Begin(ctx.Context(), o.id)
	if work == nil {
		next(ctx)
		return
	}
	_, w := humago.Unwrap(ctx)
	defer func() { // a panic has not answered yet
		answer, _ := w.(*response)
		work.End(answer == nil || answer.status == 0 || answer.status >= http.StatusInternalServerError)
	}()
	next(huma.WithContext(ctx, measured))
}

// guard refuses callers whom the operation is not for, unknown boards and windows, and what is wrong
// with the path and the query of a request without a body.
func (a *api) guard(o operation, ctx huma.Context, next func(huma.Context)) {
	r, w := humago.Unwrap(ctx)
	if o.access != forAll {
		w.Header().Set("Cache-Control", "private, no-store")
	}
	p := o.access.refuse(ctx.Context(), a.Log, r.PathValue("user"))
	if p == nil {
		p = a.missing(r)
	}
	x := &exchange{Request: r}
	if p == nil && o.body != nil {
		if x.body, p = readBody(r, cmp.Or(o.most, maxBody)); o.optional && len(x.body) == 0 {
			x.body = []byte("{}")
		}
	}
	if p == nil {
		if x.rest = queryViolations(ctx); o.body == nil { // else the body's come with them
			p = problemWith(&request.Violations{}, x.rest)
		}
	}
	if p != nil {
		p.write(w)
		return
	}
	next(huma.WithValue(ctx, exchangeKey{}, x))
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

// missing returns a problem when the path names a board or a window that is not
// there.
func (a *api) missing(r *http.Request) *Problem {
	name, word := r.PathValue("board"), r.PathValue("window")
	if name == "" && word == "" { // not in this path: neither can be empty in one that matches
		return nil
	}
	rules := a.Ledger.Rules()
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
