package httpapi

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

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

// A GatewayMessage is an answer of API Gateway itself, which can be no problem. Nothing of it
// is required: some generated clients read the problem of the same status as one.
type GatewayMessage struct {
	Message string `json:"message,omitempty" example:"Unauthorized" doc:"Unauthorized, Forbidden or Too Many Requests"`
}

// describeRefusals adds to what the document says of an operation how API Gateway answers,
// which counts requests and asks the authorizer before any of this runs, and what may
// happen anywhere.
func (a *api) describeRefusals(o operation, op *huma.Operation) {
	schema := a.huma.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[GatewayMessage](), true, "")
	refusals := map[string]string{
		"429":     "Too many requests of all callers together. In AWS API Gateway answers.",
		"default": "Any other failure: a problem, such as 500. In AWS API Gateway answers when no function does.",
	}
	if o.access != forAll {
		refusals["401"] = "No token, or one that is not valid: the code says why. In AWS API Gateway answers, which sends " +
			"no problem."
		refusals["403"] = "In AWS, a token that is not valid: API Gateway answers, which sends no problem."
		if op.Responses["403"] != nil {
			refusals["403"] = "Not for this token: a problem. In AWS API Gateway answers a token that is not " +
				"valid, and sends none."
		}
	}
	for status, text := range refusals {
		response := op.Responses[status]
		if response == nil {
			response = &huma.Response{Content: map[string]*huma.MediaType{}}
			op.Responses[status] = response
		}
		if status != "403" {
			problem := &huma.Schema{Ref: schemaPrefix + "Problem"}
			response.Content["application/problem+json"] = &huma.MediaType{Schema: problem}
		}
		response.Description = text
		response.Content["application/json"] = &huma.MediaType{Schema: schema}
	}
}

// operation returns what the document says of an operation.
func (a *api) operation(o operation) *huma.Operation {
	all := operationsOf(a.huma.OpenAPI().Paths[o.path])
	return all[slices.IndexFunc(all, func(op *huma.Operation) bool { return op.OperationID == o.id })]
}

// describe makes the operation's place in the document.
func (o operation) describe(a *api, answer reflect.Type) huma.Operation {
	op := huma.Operation{
		OperationID: o.id, Method: o.method, Path: o.path, Summary: o.summary, Description: o.detail, Tags: []string{o.tag},
		DefaultStatus:      cmp.Or(o.status, http.StatusOK),
		SkipValidateParams: true,                                     // queryViolations does
		Responses:          map[string]*huma.Response{"default": {}}, // or the framework describes its own problem
	}
	if a.documented {
		op.Responses = o.responses(a.huma.OpenAPI().Components.Schemas, answer)
	}
	if o.access != forAll {
		op.Security = []map[string][]string{{securityScheme: {}}}
	}
	return op
}

// responses describes the operation's answers and problems.
func (o operation) responses(schemas huma.Registry, answer reflect.Type) map[string]*huma.Response {
	content := map[string]*huma.MediaType{xmlType: {Schema: &huma.Schema{Type: huma.TypeString}}}
	if !answer.Implements(reflect.TypeFor[xmlAnswer]()) {
		content = map[string]*huma.MediaType{"application/json": {Schema: schemas.Schema(answer, true, o.id)}}
	}
	responses := map[string]*huma.Response{strconv.Itoa(cmp.Or(o.status, http.StatusOK)): {
		Description: "Success", Content: content,
	}}
	if o.method == http.MethodGet && !answer.Implements(reflect.TypeFor[withStatus]()) {
		responses[strconv.Itoa(http.StatusNotModified)] = &huma.Response{Description: "Still as If-None-Match says"}
	}
	statuses := append([]int{http.StatusUnprocessableEntity}, o.errors...) // no query takes unknown parameters
	if o.access == forUser || o.access == forService {
		statuses = append(statuses, http.StatusForbidden)
	}
	problem := schemas.Schema(reflect.TypeFor[Problem](), true, "")
	for _, status := range statuses {
		responses[strconv.Itoa(status)] = &huma.Response{
			Description: http.StatusText(status),
			Content:     map[string]*huma.MediaType{"application/problem+json": {Schema: problem}},
		}
	}
	return responses
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
