package httpapi

import (
	"encoding/json"
	"fmt"

	"github.com/danielgtaylor/huma/v2"

	"laurel/shared/auth"
)

// securityScheme is the name of the tokens in the document.
const securityScheme = "token"

// requestIDName is the name of the header with a request's id in the document.
const requestIDName = "RequestId"

// schemaPrefix is before the name of a schema in a reference to it.
const schemaPrefix = "#/components/schemas/"

// version of the operations; the addresses carry its first number.
const version = "1.0.0"

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

// describe writes the OpenAPI document of the operations.
func (a *api) describe() []byte {
	finish(a.huma.OpenAPI(), a.Ledger.Rules())
	document, err := json.Marshal(a.huma.OpenAPI())
	if err != nil { // it depends on nothing but this package
		panic(fmt.Sprintf("httpapi: the OpenAPI document: %v", err))
	}
	return document
}
