package httpapi_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/httpapi"
)

// document is what these tests look at in an OpenAPI document.
type document struct {
	OpenAPI    string                           `json:"openapi"`
	Info       map[string]any                   `json:"info"`
	Paths      map[string]map[string]documented `json:"paths"`
	Components struct {
		Schemas         map[string]map[string]any    `json:"schemas"`
		SecuritySchemes map[string]map[string]string `json:"securitySchemes"`
	} `json:"components"`
	Tags []map[string]string `json:"tags"`
}

type documented struct {
	OperationID string                `json:"operationId"`
	Summary     string                `json:"summary"`
	Tags        []string              `json:"tags"`
	Security    []map[string][]string `json:"security"`
	Parameters  []struct {
		Name        string         `json:"name"`
		In          string         `json:"in"`
		Description string         `json:"description"`
		Required    bool           `json:"required"`
		Example     any            `json:"example"`
		Schema      map[string]any `json:"schema"`
	} `json:"parameters"`
	RequestBody *struct {
		Required bool                                 `json:"required"`
		Content  map[string]map[string]map[string]any `json:"content"` // by type, "schema"
	} `json:"requestBody"`
	Responses map[string]struct {
		Description string         `json:"description"`
		Content     map[string]any `json:"content"`
	} `json:"responses"`
}

func openAPI(t *testing.T) (document, string) {
	t.Helper()
	f := open(t)
	f.ServeBy(httpapi.New(f.Requests(), httpapi.Query)) // one part alone describes all
	a := f.Get("/openapi.json", "")
	if a.Status != 200 || a.Header.Get("Content-Type") != "application/openapi+json" {
		t.Fatalf("%d %v", a.Status, a.Header)
	}
	var d document
	if err := json.Unmarshal([]byte(a.Body), &d); err != nil {
		t.Fatal(err)
	}
	return d, a.Body
}

// The document describes every operation, with whom it is for and every status
// that it can have.
func TestDocumentDescribesEveryOperation(t *testing.T) {
	t.Parallel()
	d, _ := openAPI(t)
	got := map[string]string{}
	ids := map[string]bool{}
	for path, item := range d.Paths {
		for method, o := range item {
			if o.OperationID == "" || ids[o.OperationID] || o.Summary == "" || len(o.Tags) != 1 {
				t.Errorf("%s %s: id %q, summary %q, tags %q", method, path, o.OperationID, o.Summary, o.Tags)
			}
			ids[o.OperationID] = true
			for _, p := range o.Parameters {
				if p.Description == "" || (p.Schema["type"] == nil && p.Schema["$ref"] == nil) ||
					p.Required != (p.In == "path" || p.Name == "article") {
					t.Errorf("%s %s: parameter %+v", method, path, p)
				}
			}
			for status, r := range o.Responses {
				kind := "application/problem+json"
				if status == "200" || status == "201" || status == "202" || path == "/v1/health" && status == "503" {
					kind = "application/json"
				}
				if answers := map[string]string{"202": "text/xml", "403": "application/json"}; answers[status] != "" &&
					path == "/v1/queue/activities" { // SQS's and API Gateway's own
					kind = answers[status]
				}
				if _, ok := r.Content[kind]; r.Description == "" || (!ok && status != "304") {
					t.Errorf("%s %s: %s says %+v", method, path, status, r)
				}
			}
			who := "all"
			if len(o.Security) > 0 {
				who = strings.Join(slices.Collect(maps.Keys(o.Security[0])), " ")
			}
			got[method+" "+path] = who + " " + strings.Join(slices.Sorted(maps.Keys(o.Responses)), " ")
		}
	}
	want := map[string]string{
		"post /v1/activities":                          "token 200 400 401 403 413 415 422 429 503 default",
		"post /v1/hooks/{source}":                      "all 200 401 404 413 415 422 429 503 default",
		"post /v1/queue/activities":                    "token 202 400 401 403 413 415 422 429 501 503 default",
		"get /v1/boards":                               "all 200 304 422 429 default",
		"get /v1/boards/{board}/{window}":              "all 200 304 404 422 429 503 default",
		"get /v1/boards/{board}/{window}/users/{user}": "all 200 304 404 422 429 503 default",
		"get /v1/boards/{board}/{window}/periods":      "all 200 304 404 422 429 503 default",
		"get /v1/users/{user}/standings":               "token 200 304 401 403 422 429 503 default",
		"get /v1/users/{user}/days":                    "all 200 304 404 422 429 503 default",
		"get /v1/users/{user}/activity":                "token 200 304 401 403 422 429 503 default",
		"get /v1/articles":                             "all 200 304 422 429 503 default",
		"post /v1/articles":                            "token 200 201 400 401 403 409 413 415 422 429 503 default",
		"get /v1/articles/{id}":                        "all 200 304 404 422 429 503 default",
		"put /v1/articles/{id}":                        "token 200 400 401 403 404 409 413 415 422 429 503 default",
		"delete /v1/articles/{id}":                     "token 200 401 403 404 422 429 503 default",
		"delete /v1/targets/{target}/void":             "token 200 401 403 404 409 422 429 503 default",
		"get /v1/targets/{target}/void":                "token 200 304 401 403 404 422 429 503 default",
		"get /v1/users/{user}/entries":                 "token 200 304 401 403 422 429 503 default",
		"put /v1/targets/{target}/void":                "token 200 400 401 403 409 413 415 422 429 503 default",
		"get /v1/groups":                               "all 200 304 422 429 503 default",
		"get /v1/users/{user}/votes":                   "token 200 304 401 403 422 429 503 default",

		"get /v1/boards/{board}/{window}/users/{user}/friends": "token 200 304 401 403 404 422 429 503 default",
		"put /v1/users":                     "token 200 400 401 403 413 415 422 429 503 default",
		"put /v1/users/{user}":              "token 200 400 401 403 413 415 422 429 503 default",
		"get /v1/users/{user}":              "all 200 304 404 422 429 503 default",
		"delete /v1/users/{user}":           "token 200 202 401 403 422 429 503 default",
		"get /v1/users/{user}/erasure":      "token 200 304 401 403 404 422 429 503 default",
		"put /v1/users/{user}/following":    "token 200 400 401 403 409 413 415 422 429 503 default",
		"get /v1/users/{user}/export":       "token 200 304 401 403 422 429 503 default",
		"get /v1/users/{user}/following":    "token 200 304 401 403 422 429 503 default",
		"put /v1/users/{user}/visibility":   "token 200 400 401 403 413 415 422 429 503 default",
		"get /v1/users/{user}/visibility":   "token 200 304 401 403 422 429 503 default",
		"get /v1/users/{user}/exclusion":    "token 200 304 401 403 422 429 503 default",
		"put /v1/users/{user}/exclusion":    "token 200 400 401 403 413 415 422 429 503 default",
		"delete /v1/users/{user}/exclusion": "token 200 401 403 422 429 503 default",

		"get /v1/rules":  "all 200 304 422 429 default",
		"get /v1/health": "all 200 422 429 503 default",
		"get /v1/status": "token 200 304 401 403 422 429 503 default",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("operations (-want +got):\n%s", diff)
	}
}

// The document is whole: every reference leads somewhere, every tag and token is
// declared, and nothing of it leads out.
func TestDocumentIsWhole(t *testing.T) {
	t.Parallel()
	d, text := openAPI(t)
	if d.OpenAPI != "3.1.0" || d.Info["title"] == "" || d.Info["version"] == "" || d.Info["description"] == "" {
		t.Errorf("%s, %+v", d.OpenAPI, d.Info)
	}
	if s := d.Components.SecuritySchemes["token"]; s["type"] != "http" || s["scheme"] != "bearer" ||
		s["bearerFormat"] != "JWT" {
		t.Errorf("tokens: %+v", s)
	}
	used := map[string]bool{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if ref, ok := v["$ref"].(string); ok {
				name, found := strings.CutPrefix(ref, "#/components/schemas/")
				if used[name] = true; !found || d.Components.Schemas[name] == nil {
					t.Errorf("%s leads nowhere", ref)
				}
			}
			for _, inner := range v {
				walk(inner)
			}
		case []any:
			for _, inner := range v {
				walk(inner)
			}
		}
	}
	var all any
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		t.Fatal(err)
	}
	walk(all)
	for name := range d.Components.Schemas {
		if !used[name] {
			t.Errorf("nothing uses the schema %s", name)
		}
	}
	tags := map[string]bool{}
	for _, tag := range d.Tags {
		tags[tag["name"]] = tag["description"] != ""
	}
	for path, item := range d.Paths {
		for method, o := range item {
			if !tags[o.Tags[0]] {
				t.Errorf("%s %s: nothing says what the tag %s is", method, path, o.Tags[0])
			}
		}
	}
	body := d.Paths["/v1/activities"]["post"].RequestBody
	if body == nil || !body.Required ||
		body.Content["application/json"]["schema"]["$ref"] != "#/components/schemas/Report" {
		t.Errorf("the body of a report is %+v", body)
	}
	for _, word := range []string{"unpkg", "$schema", "ErrorModel", "ErrorDetail"} {
		if strings.Contains(text, word) {
			t.Errorf("the document has %q in it", word)
		}
	}
}

// Bodies have no other fields than the document says, as the server refuses them;
// answers may grow.
func TestOnlyBodiesAreClosed(t *testing.T) {
	t.Parallel()
	d, _ := openAPI(t)
	want := []string{
		"ArticleDetails", "Author", "Exclusion", "FollowList", "Hook", "HookArticle", "HookVoid", "ListedProfile",
		"NewArticle", "ProfileList", "PutProfile",
		"Report", "ReportedActivity", "TargetVoid", "UserRef", "Visibility",
	}
	var closed []string
	for name, schema := range d.Components.Schemas {
		if open, given := schema["additionalProperties"].(bool); given && !open {
			closed = append(closed, name)
		}
	}
	slices.Sort(closed)
	if diff := cmp.Diff(want, closed); diff != "" {
		t.Errorf("closed schemas (-want +got):\n%s", diff)
	}
	for path, item := range d.Paths {
		for method, o := range item {
			if o.RequestBody == nil || path == "/v1/queue/activities" || path == "/v1/hooks/{source}" {
				continue // what is validated later, and what others send
			}
			ref, _ := o.RequestBody.Content["application/json"]["schema"]["$ref"].(string)
			if !slices.Contains(closed, strings.TrimPrefix(ref, "#/components/schemas/")) {
				t.Errorf("%s %s: the body %s is not closed", method, path, ref)
			}
		}
	}
}

// What answers have in common with the document: names that must be there are,
// and there are no others.
func TestAnswersAreAsDocumented(t *testing.T) {
	t.Parallel()
	d, _ := openAPI(t)
	f := open(t)
	f.Did("ann like a1", "ann follow bob", "zoe like a1")
	for request, schema := range map[string]string{
		"GET /v1/boards":                                       "BoardList",
		"GET /v1/boards/activity/day":                          "Board",
		"GET /v1/boards/activity/day/users/ann":                "Board",
		"GET /v1/boards/activity/day?users=ann&with=movement":  "Board",
		"GET /v1/boards/activity/day/periods":                  "Periods",
		"GET /v1/users/ann/standings":                          "Standings",
		"GET /v1/users/ann/activity":                           "Activity",
		"GET /v1/health":                                       "Health",
		"GET /v1/status":                                       "Status",
		"GET /v1/boards/karma/day":                             "Problem",
		"GET " + friends:                                       "FriendsBoard",
		"GET /v1/users/ann/following":                          "Following",
		"GET /v1/users/nobody":                                 "Problem",
		"GET /v1/users/nobody/erasure":                         "Problem",
		"DELETE /v1/users/zoe":                                 "Erasure",
		"PUT /v1/users/cid/exclusion":                          "UserExclusion",
		"GET /v1/users/cid/exclusion":                          "UserExclusion",
		"GET /v1/users/cid/visibility":                         "UserVisibility",
		"DELETE /v1/users/cid/exclusion":                       "UserExclusion",
		`PUT /v1/users/ann {"name":"Ann"}`:                     "UserProfile",
		`PUT /v1/users {"users":[{"id":"bob","name":"Bob"}]}`:  "UserProfiles",
		`PUT /v1/users/ann/following {"users":[{"id":"bob"}]}`: "Followed",
		`PUT /v1/users/ann/visibility {"boards":"shown"}`:      "UserVisibility",
		"GET /v1/articles":                                     "ArticleList",
		"GET /v1/groups":                                       "Groups",
		"GET /v1/users/ann/votes?article=1":                    "Votes",
	} {
		method, rest, _ := strings.Cut(request, " ")
		path, body, _ := strings.Cut(rest, " ")
		var answer map[string]any
		if err := json.Unmarshal([]byte(f.Do(method, path, f.Service(), body).Body), &answer); err != nil {
			t.Fatal(err)
		}
		d.describes(t, request, schema, answer)
	}
	for path, schema := range map[string]string{
		"/v1/users/ann":         "UserProfile",
		"/v1/users/zoe/erasure": "Erasure",
	} { // after the above
		d.describes(t, path, schema, read[map[string]any](t, f.Get(path, f.Service())))
	}
}

// describes checks an answer's names against a schema.
func (d document) describes(t *testing.T, request, schema string, answer map[string]any) {
	t.Helper()
	properties, _ := d.Components.Schemas[schema]["properties"].(map[string]any)
	if properties == nil {
		t.Errorf("there is no schema %s", schema)
	}
	for name := range answer {
		if properties[name] == nil {
			t.Errorf("%s: %q is not in the schema %s", request, name, schema)
		}
	}
	required, _ := d.Components.Schemas[schema]["required"].([]any)
	for _, name := range required {
		if _, ok := answer[name.(string)]; !ok {
			t.Errorf("%s: %q is missing", request, name)
		}
	}
}
