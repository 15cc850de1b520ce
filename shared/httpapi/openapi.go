package httpapi

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laurel/shared/auth"
	"laurel/shared/ledger"
	"laurel/shared/problems"
	"laurel/shared/request"
)

// securityScheme is the name of the tokens in the document.
const securityScheme = "token"

// schemaPrefix is before the name of a schema in a reference to it.
const schemaPrefix = "#/components/schemas/"

// bodies is the package whose types are the bodies of requests.
var bodies = reflect.TypeFor[request.Report]().PkgPath()

// version of the operations; the addresses carry its first number.
const version = "1.0.0"

// newDocument is what the document says before there are operations.
func newDocument() *huma.OpenAPI {
	return &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title:   "Laurel",
			Version: version,
			Description: "Leaderboards for forums: report what users do, read who leads and where anyone stands. " +
				"Ids are strings, moments are RFC 3339. Errors are problems (RFC 9457) that list every violation of a request, " +
				"by codes that do not change; /problems/index has all of them. In AWS API Gateway answers some requests itself, " +
				"with {\"message\": ...} and no code: 401 without a token, 403 with one that is not valid, 429, and 404 where " +
				"there is no route.",
		},
		Tags: []*huma.Tag{
			{Name: "activities", Description: "Activities of users"},
			{Name: "queue", Description: "Activities, recorded asynchronously"},
			{Name: "boards", Description: "Boards, public"},
			{Name: "users", Description: "Data of one user, for that user and the forum's service"},
			{Name: "people", Description: "Profiles, follow lists, visibility and erasure"},
			{Name: "articles", Description: "Articles, votes and groups"},
			{Name: "service", Description: "About Laurel itself"},
		},
		Components: &huma.Components{
			Schemas: huma.NewMapRegistry(schemaPrefix, huma.DefaultSchemaNamer),
			SecuritySchemes: map[string]*huma.SecurityScheme{securityScheme: {
				Type: "http", Scheme: "bearer", BearerFormat: "JWT",
				Description: "The claim sub is the user; the scope " + auth.ServiceScope +
					" is the forum's service, which may do all.",
			}},
		},
	}
}

// enumerations are the values of properties that are listed elsewhere.
func enumerations() map[string][]any {
	var codes, violations, statuses []any
	for _, p := range problems.All() {
		codes = append(codes, p.Code)
	}
	for _, v := range problems.Violations() {
		violations = append(violations, v.Code)
	}
	for _, s := range ledger.Statuses() {
		statuses = append(statuses, s)
	}
	return map[string][]any{"Problem.code": codes, "Violation.code": violations, "Receipt.status": statuses}
}

// describe writes the OpenAPI document of the operations.
func (a *api) describe() []byte {
	schemas := a.huma.OpenAPI().Components.Schemas
	for _, framework := range []string{"ErrorModel", "ErrorDetail"} { // Problem is ours
		delete(schemas.Map(), framework)
	}
	for name, schema := range schemas.Map() {
		if schemas.TypeFromRef(schemaPrefix+name).PkgPath() != bodies { // answers may grow; bodies have no other fields
			schema.AdditionalProperties = nil
		}
	}
	for of, values := range enumerations() {
		name, property, _ := strings.Cut(of, ".")
		if schema := schemas.Map()[name]; schema != nil {
			schema.Properties[property].Enum = values
			schema.Properties[property].Description += "; values may be added"
		}
	}
	document, err := json.Marshal(a.huma.OpenAPI())
	if err != nil { // it depends on nothing but this package
		panic(fmt.Sprintf("httpapi: the OpenAPI document: %v", err))
	}
	return document
}
