package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"laurel/internal/harness"
)

// bodies are those of operations of which the document has no example.
var bodies = map[string]string{
	"put-void": "{}", "put-users": `{"users":[{"id":"bob","name":"Bob"}]}`, "put-user": `{"name":"Ann"}`,
	"put-following": `{"users":[{"id":"bob"}]}`, "put-visibility": `{"boards":"hidden","days":"public"}`,
	"put-exclusion": `{"shadow":true}`, "pair": `{"code":"ACDE-FHJK-MNPQ"}`,
}

// A laurel dev without any flag, whose stores are in memory, answers every operation of its document: with
// what the document has as examples each succeeds, with the answer that the document describes.
func TestDevAnswersEveryOperation(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir(), append(os.Environ(), "LAUREL_NOW=2026-11-20T12:00:00Z", "LAUREL_TEST_TICK=1h"), "dev")
	c := harness.NewClient(t, s.base)
	user, service := c.Get("/dev/token?user=ann", "").Body, c.Get("/dev/token?scope=laurel/service", "").Body
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(c.Get("/openapi.json", "").Body))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseRegexpEngine(harness.Pattern)
	if err := compiler.AddResource("document.json", document); err != nil {
		t.Fatal(err)
	}
	all := operationsOf(document)
	if len(all) < 39 {
		t.Errorf("%d operations", len(all))
	}
	for _, o := range all {
		body, by := cmp.Or(bodies[o.id], o.body()), service
		if strings.HasSuffix(o.path, "/activities") { // the example is a user's
			by = user
		}
		a := c.Do(o.method, o.address(), strings.TrimSpace(by), body)
		// It has no secret of a forum's webhooks.
		want := map[string]int{"post-hook": http.StatusUnauthorized, "pair": http.StatusNotImplemented}[o.id]
		if want != 0 && a.Status != want || want == 0 && a.Status >= 300 {
			t.Errorf("%s %s %s: %d %s", o.method, o.address(), body, a.Status, a.Body)
		}
		kind, _, _ := strings.Cut(a.Header.Get("Content-Type"), ";")
		schema, err := compiler.Compile(fmt.Sprintf("document.json#/paths/%s/%s/responses/%d/content/%s/schema",
			escaped(o.path), strings.ToLower(o.method), a.Status, escaped(kind)))
		if err != nil {
			t.Errorf("%s: the document has no %d of %s: %v", o.id, a.Status, kind, err)
			continue
		}
		var value any = a.Body
		if strings.HasSuffix(kind, "json") {
			if value, err = jsonschema.UnmarshalJSON(strings.NewReader(a.Body)); err != nil {
				t.Errorf("%s: %v", o.id, err)
			}
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v: %s", o.id, err, a.Body)
		}
	}
}

// escaped is a word in a pointer into the document.
func escaped(word string) string { return url.PathEscape(strings.ReplaceAll(word, "/", "~1")) }

// An operation is one of a document.
type operation struct {
	id, method, path string
	parts            map[string]any
}

// operationsOf returns the operations of a document, each after those that make what it needs: what
// creates comes first, and an erasure before it is read.
func operationsOf(document any) (all []operation) {
	for path, item := range document.(map[string]any)["paths"].(map[string]any) {
		for method, o := range item.(map[string]any) {
			parts := o.(map[string]any)
			all = append(all, operation{parts["operationId"].(string), strings.ToUpper(method), path, parts})
		}
	}
	order := []string{"POST", "PUT", "GET", "put-exclusion", "DELETE", "delete-user", "read-erasure"}
	rank := func(o operation) int { return max(slices.Index(order, o.method), slices.Index(order, o.id)) }
	slices.SortFunc(all, func(a, b operation) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a.path, b.path))
	})
	return all
}

// address returns the operation's path with the examples of its parameters; in its query are those
// that it must have.
func (o operation) address() string {
	path, query := o.path, url.Values{}
	parameters, _ := o.parts["parameters"].([]any)
	for _, p := range parameters {
		p := p.(map[string]any)
		name, example := p["name"].(string), fmt.Sprint(p["example"])
		if list, ok := p["example"].([]any); ok {
			example = fmt.Sprint(list[0])
		}
		if p["in"] == "path" {
			path = strings.Replace(path, "{"+name+"}", url.PathEscape(example), 1)
		} else if required, _ := p["required"].(bool); required {
			query.Set(name, example)
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return path
}

// body returns the document's example of the operation's body, "" for one without.
func (o operation) body() string {
	body, _ := o.parts["requestBody"].(map[string]any)
	content, _ := body["content"].(map[string]any)
	for _, kind := range slices.Sorted(maps.Keys(content)) {
		if example := content[kind].(map[string]any)["example"]; example != nil {
			text, _ := json.Marshal(example) // it was JSON
			return string(text)
		}
	}
	return ""
}
