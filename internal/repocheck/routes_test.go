package repocheck_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
)

// A route is what answers a method and a path.
type route struct {
	to     string // a function's logical id, or queue
	public bool   // without a token
}

const (
	queue      = "the queue"
	queueRoute = "POST /v1/queue/activities"
)

// openAPI returns the OpenAPI document.
func openAPI(t *testing.T) (document map[string]any) {
	t.Helper()
	rules := ledger.New(activity.Default(), board.NewCalendar(time.UTC))
	answer := httptest.NewRecorder()
	httpapi.New(httpapi.Options{Ledger: rules, Now: time.Now}, httpapi.Query).
		ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/openapi.json", http.NoBody))
	if err := json.Unmarshal(answer.Body.Bytes(), &document); err != nil {
		t.Fatalf("%d: %v", answer.Code, err)
	}
	return document
}

// described returns the routes that the OpenAPI document describes, and those of what is no JSON:
// the document itself, the pages about problems, and what other pages embed, a login.
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
				r.to = "QueryFunction"
			}
			all[strings.ToUpper(method)+" "+path] = r
		}
	}
	all[queueRoute] = route{queue, false}
	return all
}

// routes checks that the template routes every operation of the OpenAPI document to
// the function that serves it, with a token where the operation takes one, HEAD as GET, and
// nothing else.
func routes(t *testing.T, tree fs.FS) (findings []string) {
	got, want := templateRoutes(t, tree), described(t)
	for key, r := range maps.Clone(want) {
		if path, ok := strings.CutPrefix(key, "GET "); ok && key != login { // which redirects, and is no read
			want["HEAD "+path] = r
		}
	}
	report := func(format string, args ...any) {
		findings = append(findings, "template.yaml "+fmt.Sprintf(format, args...))
	}
	for _, key := range slices.Sorted(maps.Keys(want)) {
		is, there := got[key]
		switch {
		case !there:
			report("does not route %s", key)
		case is.to != want[key].to:
			report("routes %s to %s instead of %s", key, is.to, want[key].to)
		case is.public && !want[key].public:
			report("routes %s without a token", key)
		case !is.public && want[key].public:
			report("routes %s with a token", key)
		}
		delete(got, key)
	}
	for key := range got {
		report("routes what is not described: %s is no operation", key)
	}
	return findings
}

// invoked is a function that an integration's URI names.
var invoked = regexp.MustCompile(`/functions/\$\{(\w+)\.Arn\}/invocations$`)

// templateRoutes returns the routes of the API's definition. What names a scheme names Token.
func templateRoutes(t *testing.T, tree fs.FS) map[string]route {
	t.Helper()
	all := map[string]route{}
	paths := under(readTemplate(t, tree), "Resources", "Api", "Properties", "DefinitionBody", "paths")
	for path := range paths {
		for method := range under(paths, path) {
			integration := under(paths, path, method, "x-amazon-apigateway-integration")
			to := "nothing"
			if integration["integrationSubtype"] == "SQS-SendMessage" {
				to = queue
			} else if m := invoked.FindStringSubmatch(fmt.Sprint(integration["uri"])); m != nil {
				to = m[1]
			}
			security := list(paths, path, method, "security")
			if len(security) > 0 && !reflect.DeepEqual(security, []any{map[string]any{"Token": []any{}}}) {
				to = "a caller by a scheme that is not there"
			}
			all[strings.ToUpper(method)+" "+path] = route{to, len(security) == 0}
		}
	}
	return all
}

// writtenRoutes are routes in code spans. Methods before one with a path share it, as
// in `PUT`, `GET /v1/users/{user}`.
var writtenRoutes = regexp.MustCompile("((?:`[A-Z]+`, )*)`([A-Z]+) (/[^`?\\s]+)")

// documentedRoutes checks that the table of docs/api.md lists every operation, and that
// every route in the documents' code spans is one.
func documentedRoutes(t *testing.T, tree fs.FS) (findings []string) {
	operations := described(t)
	missing := maps.Clone(operations)
	for _, name := range files(t, tree, "*.md") {
		for _, m := range writtenRoutes.FindAllStringSubmatch(read(t, tree, name), -1) {
			for _, method := range append(regexp.MustCompile("[A-Z]+").FindAllString(m[1], -1), m[2]) {
				key := method + " " + m[3]
				if _, there := operations[key]; !there {
					findings = append(findings, fmt.Sprintf("%s: %s is no operation", name, key))
				}
				if name == "docs/api.md" {
					delete(missing, key)
				}
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(missing)) {
		findings = append(findings, "docs/api.md does not list "+key)
	}
	return findings
}
