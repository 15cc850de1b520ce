package repocheck_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/api/httpapi"
)

// A route is a target for a method and a path.
type route struct {
	target string // a function's logical id, or queue
	public bool   // without a token
}

const (
	queue      = "the queue"
	queueRoute = "POST /v1/queue/activities"
)

// openAPI returns the OpenAPI document.
func openAPI(t *testing.T) (document map[string]any) {
	t.Helper()
	answer := httptest.NewRecorder()
	httpapi.New(httpapi.Options{Ledger: harness.UTC(), Now: time.Now}, httpapi.Query).
		ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/openapi.json", http.NoBody))
	if err := json.Unmarshal(answer.Body.Bytes(), &document); err != nil {
		t.Fatalf("%d: %v", answer.Code, err)
	}
	return harness.Inline(document)
}

// described returns the routes that the OpenAPI document describes, and those whose answers are no JSON: the document
// itself, the pages about problems, the forms for other pages, a login.
func described(t *testing.T) map[string]route {
	t.Helper()
	document := openAPI(t)
	all := map[string]route{
		"GET /openapi.json":       {"QueryFunction", true},
		"GET /problems/{problem}": {"QueryFunction", true},
		"GET /embed":              {"QueryFunction", true},
		"GET /embed/{path+}":      {"QueryFunction", true},
		login:                     {"RecordFunction", true},
	}
	for path := range under(document, "paths") {
		for method := range under(document, "paths", path) {
			r := route{"RecordFunction", len(list(document, "paths", path, method, "security")) == 0}
			if method == "get" {
				r.target = "QueryFunction"
			}
			all[strings.ToUpper(method)+" "+path] = r
		}
	}
	all[queueRoute] = route{queue, false}
	return all
}

// TestRoutes checks that the template routes every operation of the OpenAPI document to
// the function that serves it, with a token where the operation takes one, HEAD as GET, and
// nothing else.
func TestRoutes(t *testing.T) {
	t.Parallel()
	got, want := templateRoutes(t), described(t)
	for key, r := range maps.Clone(want) {
		if path, ok := strings.CutPrefix(key, "GET "); ok && key != login { // a login redirects, and is no read
			want["HEAD "+path] = r
		}
	}
	report := func(format string, args ...any) {
		t.Errorf("template.yaml "+format, args...)
	}
	for _, key := range slices.Sorted(maps.Keys(want)) {
		event, found := got[key]
		switch {
		case !found:
			report("does not route %s", key)
		case event.target != want[key].target:
			report("routes %s to %s instead of %s", key, event.target, want[key].target)
		case event.public && !want[key].public:
			report("routes %s without a token", key)
		case !event.public && want[key].public:
			report("routes %s with a token", key)
		}
		delete(got, key)
	}
	for key := range got {
		report("routes a path that is not described: %s is no operation", key)
	}
}

// invoked is a function that an integration's URI names.
var invoked = regexp.MustCompile(`/functions/\$\{(\w+)\.Arn\}/invocations$`)

// templateRoutes returns the routes of the API's definition. A route with a scheme has the scheme Token.
func templateRoutes(t *testing.T) map[string]route {
	t.Helper()
	all := map[string]route{}
	paths := under(readTemplate(t), "Resources", "Api", "Properties", "DefinitionBody", "paths")
	for path := range paths {
		for method := range under(paths, path) {
			integration := under(paths, path, method, "x-amazon-apigateway-integration")
			target := "nothing"
			if integration["integrationSubtype"] == "SQS-SendMessage" {
				target = queue
			} else if m := invoked.FindStringSubmatch(fmt.Sprint(integration["uri"])); m != nil {
				target = m[1]
			}
			security := list(paths, path, method, "security")
			if len(security) > 0 && !reflect.DeepEqual(security, []any{map[string]any{"Token": []any{}}}) {
				target = "a caller by a missing scheme"
			}
			all[strings.ToUpper(method)+" "+path] = route{target, len(security) == 0}
		}
	}
	return all
}

// writtenRoutes are routes in code spans. Methods before one with a path share it, as
// in `PUT`, `GET /v1/users/{user}`.
var writtenRoutes = regexp.MustCompile("((?:`[A-Z]+`, )*)`([A-Z]+) (/[^`?\\s]+)")

// TestDocumentedRoutes checks that the table of docs/api.md lists every operation, and that
// every route in the documents' code spans is one.
func TestDocumentedRoutes(t *testing.T) {
	t.Parallel()
	operations := described(t)
	missing := maps.Clone(operations)
	for _, name := range files(t, ".md") {
		for _, m := range writtenRoutes.FindAllStringSubmatch(read(t, name), -1) {
			for _, method := range append(regexp.MustCompile("[A-Z]+").FindAllString(m[1], -1), m[2]) {
				key := method + " " + m[3]
				if _, found := operations[key]; !found {
					t.Errorf("%s: %s is no operation", name, key)
				}
				if name == "docs/api.md" {
					delete(missing, key)
				}
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(missing)) {
		t.Error("docs/api.md does not list " + key)
	}
}

// mostQueryStrings is how many names a cache policy may have: "Quotas on policies" of
// CloudFront's guide.
const mostQueryStrings = 10

// health is to be requested each time, and a login is each visitor's own.
const (
	health = "GET /v1/health"
	login  = "GET /v1/login/discourse"
)

// TestCDN checks that the distribution keeps the answers of public reads, with every parameter
// of theirs, and sends all else to the API with its token.
func TestCDN(t *testing.T) {
	t.Parallel()
	resources := under(harness.YAML(t, "../../cdn.yaml"), "Resources")
	distribution := below(resources, "Cdn", "Properties", "DistributionConfig")
	behaviours := append(list(distribution, "CacheBehaviors"), below(distribution, "DefaultCacheBehavior"))
	document := openAPI(t)
	for key, r := range described(t) {
		method, path, _ := strings.Cut(key, " ")
		b := behaviours[slices.IndexFunc(behaviours, func(b any) bool { return meets(b, path) })]
		name, _ := below(b, "CachePolicyId").(string)
		policy := below(resources, name, "Properties", "CachePolicyConfig", "ParametersInCacheKeyAndForwardedToOrigin")
		switch kept := policy != nil; {
		case method == "GET" && r.public && !kept && key != health && key != login:
			t.Error("the CDN asks the API for each " + key)
		case method == "GET" && !r.public && kept:
			t.Error("the CDN keeps " + key + ", though it takes a token")
		}
		if !slices.Contains(texts(below(b, "AllowedMethods")), method) {
			t.Error("the CDN refuses " + key)
		}
		passed := texts(below(policy, "QueryStringsConfig", "QueryStrings"))
		if len(passed) > mostQueryStrings {
			t.Error("too many names of the query: " + name)
		}
		if policy == nil || method != "GET" {
			continue
		}
		for _, p := range list(document, "paths", path, "get", "parameters") {
			if n, _ := below(p, "name").(string); below(p, "in") == "query" && !slices.Contains(passed, n) {
				t.Error("the CDN drops " + n + " of " + key)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(resources)) {
		policy := below(resources, name, "Properties", "CachePolicyConfig", "ParametersInCacheKeyAndForwardedToOrigin")
		if policy != nil && below(policy, "HeadersConfig", "HeaderBehavior") != "none" {
			t.Error(name + " keeps an answer for each caller")
		}
	}
}

// meets reports whether a request for a path meets a behaviour. The default has no pattern.
func meets(behaviour any, path string) bool {
	pattern, ok := below(behaviour, "PathPattern").(string)
	return !ok || regexp.MustCompile("^"+strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*")+"$").MatchString(path)
}
