package httpapi

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"laurel/shared/request"
)

// documentHead is what the document says before there are operations. The version is of these: the addresses carry
// its first number.
//
//go:embed document.json
var documentHead []byte

// Names in the document.
const (
	securityScheme = "token"                 // how callers are known
	requestIDName  = "RequestId"             // the header with a request's id
	schemaPrefix   = "#/components/schemas/" // before the name of a schema in a reference to it
)

// describe writes the OpenAPI document of all operations.
func (a *api) describe() []byte {
	whole := a.serve(Record, Query)
	document := whole.huma.OpenAPI()
	failed := json.Unmarshal(documentHead, document)
	for _, body := range []any{
		request.Report{},
		request.TargetVoid{},
		request.Hook{},
		request.Pair{},
		request.PutProfile{},
		request.ProfileList{},
		request.FollowList{},
		request.Visibility{},
		request.Exclusion{},
		request.PublicCategories{},
		request.NewArticle{},
		request.ArticleDetails{},
	} {
		document.Components.Schemas.Schema(reflect.TypeOf(body), true, "")
	}
	for _, item := range document.Paths {
		for _, op := range operationsOf(item) {
			operations()[op.OperationID].describe(op, document.Components.Schemas, whole.answers[op.OperationID])
		}
	}
	finish(document, a.Ledger.Rules())
	text, err := json.Marshal(document)
	if err = errors.Join(failed, err); err != nil { // it depends on nothing but this package
		panic(fmt.Sprintf("httpapi: the OpenAPI document: %v", err))
	}
	return text
}

// describe adds to the document what an operation takes and answers.
func (o *operation) describe(op *huma.Operation, schemas huma.Registry, answer reflect.Type) {
	op.Tags, op.Summary, op.Description = []string{o.tag}, o.summary, o.detail
	if o.access != forAll {
		op.Security = []map[string][]string{{securityScheme: {}}}
	}
	if o.body != "" {
		if schemas.Map()[o.body] == nil {
			panic("httpapi: the document has no schema " + o.body)
		}
		media := &huma.MediaType{Schema: &huma.Schema{Ref: schemaPrefix + o.body}}
		if o.example != nil {
			media.Example = o.example
		}
		content := map[string]*huma.MediaType{"application/json": media}
		op.RequestBody = &huma.RequestBody{Required: !o.optional, Content: content}
	}
	content := map[string]*huma.MediaType{xmlType: {Schema: &huma.Schema{Type: huma.TypeString}}}
	if answer != reflect.TypeFor[Queued]() {
		content = map[string]*huma.MediaType{"application/json": {Schema: schemas.Schema(answer, true, o.id)}}
	}
	problem := map[string]*huma.MediaType{
		"application/problem+json": {Schema: schemas.Schema(reflect.TypeFor[Problem](), true, "")},
	}
	op.Responses = map[string]*huma.Response{}
	for _, status := range o.statuses {
		response := &huma.Response{Description: http.StatusText(status), Content: maps.Clone(problem)}
		switch {
		case status == http.StatusNotModified:
			response = &huma.Response{Description: "Still as If-None-Match says"}
		case status < http.StatusMultipleChoices:
			response = &huma.Response{Description: "Success", Content: content}
		}
		op.Responses[strconv.Itoa(status)] = response
	}
	o.describeRefusals(op, schemas)
	o.describeOwn(op)
}

// describeOwn adds what the document says of single operations.
func (o *operation) describeOwn(op *huma.Operation) {
	switch o.id {
	case "read-health":
		op.Responses["503"] = &huma.Response{Description: "A store is unavailable", Content: op.Responses["200"].Content}
	case "post-article":
		op.Responses["200"].Description, op.Responses["201"].Description = "The article exists", "The article is created"
	case "queue-activities":
		op.Responses["202"].Content[xmlType].Example = string(Queued{
			"5fea7756-0ea4-451a-a703-a558b933e274", "0a1b2c3d4e5f60718293a4b5c6d7e8f9",
		}.xml())
		op.RequestBody.Content["application/json"].Schema = &huma.Schema{
			Description: "A Report or a ReportedActivity; validated when it is recorded",
		}
	case "post-hook":
		media := op.RequestBody.Content["application/json"]
		media.Schema = &huma.Schema{
			Description: "What the source sends; of standard, a Hook",
			AnyOf:       []*huma.Schema{media.Schema, {Type: huma.TypeObject}},
		}
	}
}

// A GatewayMessage is an answer of API Gateway itself, which can be no problem. Nothing of it
// is required: some generated clients read the problem of the same status as one.
type GatewayMessage struct {
	Message string `json:"message,omitempty" example:"Unauthorized" doc:"Unauthorized, Forbidden or Too Many Requests"`
}

// describeRefusals adds to what the document says of an operation how API Gateway answers, which counts
// requests and asks the authorizer before any of this runs, and what may happen anywhere.
func (o *operation) describeRefusals(op *huma.Operation, schemas huma.Registry) {
	gateway := &huma.MediaType{Schema: schemas.Schema(reflect.TypeFor[GatewayMessage](), true, "")}
	problem := &huma.MediaType{Schema: &huma.Schema{Ref: schemaPrefix + "Problem"}}
	either := map[string]*huma.MediaType{"application/json": gateway, "application/problem+json": problem}
	say := func(status, text string) { op.Responses[status] = &huma.Response{Description: text, Content: either} }
	say("429", "Too many requests of all callers together. In AWS API Gateway answers.")
	say("default", "Any other failure: a problem, such as 500. In AWS API Gateway answers when no function does.")
	if o.access == forAll {
		return
	}
	say("401", "No token, or one that is not valid: the code says why. In AWS API Gateway answers, which sends "+
		"no problem.")
	if op.Responses["403"] != nil {
		say("403", "Not for this token: a problem. In AWS API Gateway answers a token that is not valid, and sends none.")
		return
	}
	op.Responses["403"] = &huma.Response{
		Description: "In AWS, a token that is not valid: API Gateway answers, which sends no problem.",
		Content:     map[string]*huma.MediaType{"application/json": gateway},
	}
}
