package httpapi

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"laurel/shared/auth"
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
				"Ids are strings, moments are RFC 3339. Errors are problems (RFC 9457) that list every violation of a request.",
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
			Schemas: huma.NewMapRegistry(schemaPrefix, schemaName),
			SecuritySchemes: map[string]*huma.SecurityScheme{securityScheme: {
				Type: "http", Scheme: "bearer", BearerFormat: "JWT",
				Description: "The claim sub is the user; the scope " + auth.ServiceScope +
					" is the forum's service, which may do all.",
			}},
		},
	}
}

// schemaName names a schema after its type, and those of the framework as Laurel
// calls them.
func schemaName(t reflect.Type, hint string) string {
	switch t {
	case reflect.TypeFor[huma.ErrorModel](), reflect.TypeFor[*huma.ErrorModel]():
		return "Problem"
	case reflect.TypeFor[huma.ErrorDetail](), reflect.TypeFor[*huma.ErrorDetail]():
		return "Violation"
	default:
		return huma.DefaultSchemaNamer(t, hint)
	}
}

// describe writes the OpenAPI document of the operations.
func (a *api) describe() []byte {
	schemas := a.huma.OpenAPI().Components.Schemas
	for name, schema := range schemas.Map() {
		if schemas.TypeFromRef(schemaPrefix+name).PkgPath() != bodies { // answers may grow; bodies have no other fields
			schema.AdditionalProperties = nil
		}
	}
	document, err := json.Marshal(a.huma.OpenAPI())
	if err != nil { // it depends on nothing but this package
		panic(fmt.Sprintf("httpapi: the OpenAPI document: %v", err))
	}
	return document
}
