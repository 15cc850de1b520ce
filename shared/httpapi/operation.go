package httpapi

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"laurel/shared/auth"
	"laurel/shared/auth/token"
	"laurel/shared/board"
	"laurel/shared/request"
)

// An operation is a route with what is common to all.
type operation struct {
	id, method, path     string
	tag, summary, detail string
	access               access
	cache                string          // how long others keep answers that depend on the address alone; "": none
	body                 string          // the name of its schema; "" for none
	optional             bool            // the body may be left out, and is {} then
	most                 int64           // KiB of the body
	example              json.RawMessage // of the body
	also                 map[int]bool    // statuses beside those that follow from the rest; false: not this one
	statuses             []int           // all but 401, 429 and default; that of success first
}

// operationList has a block for each operation: its id, method and path; its tag, whom it is for, whose caches keep
// its answers, what it takes, and statuses that do not follow from that; its summary; and perhaps more words, and an
// example of a body.
//
//go:embed operations.txt
var operationList string

// operations has each operation by its id.
var operations = sync.OnceValue(func() map[string]*operation {
	all := map[string]*operation{}
	for block := range strings.SplitSeq(strings.TrimSpace(operationList), "\n\n") {
		lines := strings.Split(block, "\n")
		route, common := strings.Fields(lines[0]), strings.Split(lines[1], ", ")
		o := &operation{id: route[0], method: route[1], path: route[2], tag: common[0], summary: lines[2], most: 256}
		o.also = map[int]bool{}
		for _, text := range common[1:] {
			o.add(text)
		}
		for _, text := range lines[3:] {
			if example, is := strings.CutPrefix(text, "Example: "); is {
				o.example = json.RawMessage(example)
			} else {
				o.detail = text
			}
		}
		o.statuses = o.follow()
		all[o.id] = o
	}
	return all
})

// add adds a part of the second line of an operation's block.
func (o *operation) add(text string) {
	known := true
	word, value, _ := strings.Cut(text, " ")
	switch word {
	case "for":
		o.access = access(value)
	case "cached":
		o.cache, known = map[string]string{"live": cacheLive, "static": cacheStatic}[value]
	case "takes":
		o.body = value
	case "may": // take
		o.body, o.optional = strings.TrimPrefix(value, "take "), true
	case "up": // to so many KiB: a webhook has a post as text and as HTML
		n, _ := fmt.Sscanf(value, "to %d KiB", &o.most)
		known = n == 1
	case "also", "not":
		for number := range strings.FieldsSeq(value) {
			status, err := strconv.Atoi(number)
			o.also[status], known = word == "also", known && err == nil
		}
	default:
		known = false
	}
	if !known {
		panic("httpapi: operations.txt says of " + o.id + ": " + text)
	}
}

// follow returns the statuses that follow from the rest, and those that the block adds or leaves out.
func (o *operation) follow() []int {
	takes, some := o.body != "", o.access != forAll && o.access != forCaller
	statuses := map[int]bool{
		http.StatusOK: true, http.StatusUnprocessableEntity: true, http.StatusServiceUnavailable: o.cache != cacheStatic,
		http.StatusNotModified: o.method == http.MethodGet, http.StatusForbidden: some,
		http.StatusBadRequest: takes, http.StatusRequestEntityTooLarge: takes, http.StatusUnsupportedMediaType: takes,
		http.StatusNotFound: strings.Contains(o.path, "{board}"),
	}
	maps.Copy(statuses, o.also)
	maps.DeleteFunc(statuses, func(_ int, is bool) bool { return !is })
	return slices.Sorted(maps.Keys(statuses))
}

// register adds the operation of an id, whose answer is a T.
func register[I, T any](a *api, id string, handle func(context.Context, *I) (T, error)) {
	o := operations()[id]
	a.answers[id] = reflect.TypeFor[T]()
	a.public[o.method+" "+o.path] = o.cache != ""
	huma.Register(a.huma, huma.Operation{
		OperationID: id, Method: o.method, Path: o.path,
		SkipValidateParams: true,                                     // queryViolations does
		Responses:          map[string]*huma.Response{"default": {}}, // or the framework describes its own problem
		Middlewares: huma.Middlewares{func(ctx huma.Context, next func(huma.Context)) {
			a.measure(o, ctx, func(ctx huma.Context) { a.guard(o, ctx, next) })
		}},
	}, func(ctx context.Context, in *I) (*reply, error) {
		v, err := handle(ctx, in)
		if err != nil {
			return nil, problemOf(ctx, a.Log, err)
		}
		return newReply(ctx, v, o), nil
	})
}

// measure measures an operation, if the handler does.
func (a *api) measure(o *operation, ctx huma.Context, next func(huma.Context)) {
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
func (a *api) guard(o *operation, ctx huma.Context, next func(huma.Context)) {
	r, w := humago.Unwrap(ctx)
	if o.access != forAll {
		w.Header().Set("Cache-Control", "private, no-store")
	}
	p := o.access.refuse(ctx.Context(), a.Log, r.PathValue("user"))
	if p == nil {
		p = a.missing(r)
	}
	x := &exchange{Request: r}
	if p == nil && o.body != "" {
		if x.body, p = readBody(r, o.most<<10); o.optional && len(x.body) == 0 {
			x.body = []byte("{}")
		}
	}
	if p == nil {
		if x.rest = queryViolations(ctx); o.body == "" { // else the body's come with them
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
type access string

const (
	forAll    access = "all"    // without a token; one that comes along changes nothing
	forCaller access = "caller" // any user, and the service
	forUser   access = "user"   // the user in the path, and the service
)

// refuse returns why the caller may not do what the access is for, nil when it may. user is the one in the path.
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

// missing returns a problem when the path names a board or a window that is not there.
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
