package httpapi

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"laurel/shared/auth"
)

// newDocument is what the document says before there are operations.
func newDocument() *huma.OpenAPI {
	return &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title:   "Laurel",
			Version: version,
			Contact: &huma.Contact{Name: "The operator of this deployment"},
			License: &huma.License{Name: "Apache 2.0", Identifier: "Apache-2.0"},
			Description: "Leaderboards for forums: report what users do, read who leads and where anyone stands. " +
				"Ids are strings, moments are RFC 3339. Errors are problems (RFC 9457) that list every violation of a request, " +
				"by codes that do not change; /problems/index has all of them. In AWS API Gateway answers some requests itself, " +
				"with {\"message\": ...} and no code: 401 without a token, 403 with one that is not valid, 429, and 404 where " +
				"there is no route.",
		},
		Servers: []*huma.Server{{URL: "/", Description: "Where this document is"}},
		Tags: []*huma.Tag{
			{Name: "activities", Description: "Activities of users"},
			{Name: "queue", Description: "Activities, recorded asynchronously"},
			{Name: "hooks", Description: "Signed webhooks of forums"},
			{Name: "boards", Description: "Boards, public"},
			{Name: "users", Description: "Data of one user, for that user and the forum's service"},
			{Name: "people", Description: "Profiles, follow lists, visibility and erasure"},
			{Name: "articles", Description: "Articles, votes and groups"},
			{Name: "service", Description: "About Laurel itself"},
		},
		Components: &huma.Components{
			Headers: map[string]*huma.Header{requestIDName: {
				Description: "The request's id: the one that came with the request, or a new one. API Gateway's in AWS, whose " +
					"own answers have it as Apigw-Requestid",
				Schema: &huma.Schema{Type: huma.TypeString},
			}},
			Schemas: newRegistry(),
			SecuritySchemes: map[string]*huma.SecurityScheme{securityScheme: {
				Type: "http", Scheme: "bearer", BearerFormat: "JWT",
				Description: "The claim sub is the user; the scope " + auth.ServiceScope +
					" is the forum's service, which may do all.",
			}},
		},
	}
}

// securityScheme is the name of the tokens in the document.
const securityScheme = "token"

// requestIDName is the name of the header with a request's id in the document.
const requestIDName = "RequestId"

// schemaPrefix is before the name of a schema in a reference to it.
const schemaPrefix = "#/components/schemas/"

// version of the operations; the addresses carry its first number.
const version = "1.0.0"

// describe writes the OpenAPI document of the operations.
func (a *api) describe() []byte {
	finish(a.huma.OpenAPI(), a.Ledger.Rules())
	document, err := json.Marshal(a.huma.OpenAPI())
	if err != nil { // it depends on nothing but this package
		panic(fmt.Sprintf("httpapi: the OpenAPI document: %v", err))
	}
	return document
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
