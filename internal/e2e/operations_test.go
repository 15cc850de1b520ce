package e2e_test

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"laurel/internal/e2e"
)

// A document is what the generator reads of the OpenAPI document.
type document struct {
	Paths      map[string]map[string]operation `json:"paths"`
	Components struct {
		Schemas map[string]schema `json:"schemas"`
	} `json:"components"`
}

type operation struct {
	ID         string                `json:"operationId"`
	Security   []map[string][]string `json:"security"`
	Parameters []struct {
		Name    string `json:"name"`
		In      string `json:"in"`
		Example any    `json:"example"`
		Schema  schema `json:"schema"`
	} `json:"parameters"`
	RequestBody struct {
		Content map[string]struct {
			Example any    `json:"example"`
			Schema  schema `json:"schema"`
		} `json:"content"`
	} `json:"requestBody"`
	Responses map[string]any `json:"responses"`

	method, path string
}

type schema struct {
	Ref        string            `json:"$ref"`
	Properties map[string]schema `json:"properties"`
	Items      *schema           `json:"items"`
	Examples   []any             `json:"examples"`
	Default    any               `json:"default"`
}

// example is a value of a schema, made of the examples in it. What is a date or a
// moment in them is today or now, when that is accepted.
func (d document) example(s schema, now time.Time) any {
	switch {
	case len(s.Examples) > 0: // beside a reference too
		return current(s.Examples[0], now)
	case s.Ref != "":
		return d.example(d.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")], now)
	case s.Items != nil:
		return []any{d.example(*s.Items, now)}
	case len(s.Properties) > 0:
		object := map[string]any{}
		for name, property := range s.Properties {
			if value := d.example(property, now); value != nil {
				object[name] = value
			}
		}
		return object
	default:
		return s.Default
	}
}

func current(example any, now time.Time) any {
	text, _ := example.(string)
	if _, err := time.Parse(time.RFC3339, text); err == nil {
		return now.Format(time.RFC3339)
	}
	if _, err := time.Parse(time.DateOnly, text); err == nil {
		return now.Format(time.DateOnly)
	}
	return example
}

// order sorts operations so that each finds what it needs: those that create come
// first, those that delete late.
func order(a, b operation) int {
	ranks := []string{http.MethodPost, http.MethodPut, http.MethodGet, "put-exclusion", http.MethodDelete, "read-erasure"}
	rank := func(o operation) int { return max(slices.Index(ranks, o.method), slices.Index(ranks, o.ID)) }
	return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a.path, b.path))
}

// address is the operation's path with example parameters, and a query of all that
// have an example or a default.
func (o operation) address(d document, now time.Time) string {
	path, query := o.path, url.Values{}
	for _, p := range o.Parameters {
		value := d.example(p.Schema, now)
		if value == nil {
			value = p.Example
		}
		if list, ok := value.([]any); ok {
			value = list[0]
		}
		text, ok := value.(string)
		if number, isNumber := value.(float64); isNumber {
			text, ok = strconv.Itoa(int(number)), true
		}
		switch {
		case p.In == "path":
			path = strings.Replace(path, "{"+p.Name+"}", "{"+p.Name+"="+text+"}", 1)
		case ok && p.Name != "before": // nothing is before today
			query.Set(p.Name, text)
		}
	}
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}

func (o operation) body(t *testing.T, d document, now time.Time) string {
	t.Helper()
	content, ok := o.RequestBody.Content["application/json"]
	if !ok {
		return ""
	}
	value := d.example(content.Schema, now)
	if o.ID == "report-activities" || o.ID == "queue-activities" { // whose fields depend on the action
		value = content.Example
	}
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Every operation of the OpenAPI document is answered by the function that the
// template routes it to: for the caller it is for; with 401 to nobody, if it takes a
// token; and, if it has a body, with 400 and 422 to a body that is none.
func TestEveryOperation(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	var d document
	a := f.expect(nobody, "GET /openapi.json", "", http.StatusOK)
	if err := json.Unmarshal([]byte(a.Body), &d); err != nil {
		t.Fatal(err)
	}
	var all []operation
	for path, item := range d.Paths {
		for method, o := range item {
			o.method, o.path = strings.ToUpper(method), path
			all = append(all, o)
		}
	}
	slices.SortFunc(all, order)
	for _, o := range all {
		request, body := o.method+" "+o.address(d, f.now), o.body(t, d, f.now)
		if o.ID == "queue-activities" { // API Gateway makes a message of it
			f.deliver(e2e.Batch(time.Now(), e2e.Message{ID: "queued", Body: body, Caller: ann}))
			continue
		}
		if o.ID == "post-hook" { // nobody has signed it
			f.described(o, f.expect(e2e.Service, request, body, http.StatusUnauthorized))
			continue
		}
		if o.ID == "pair" { // it has no secret of webhooks
			f.described(o, f.expect(nobody, request, body, http.StatusNotImplemented))
			continue
		}
		caller := e2e.Service
		if o.ID == "report-activities" {
			caller = ann
		}
		if a := f.do(nobody, request, body); len(o.Security) > 0 &&
			(a.Status != http.StatusUnauthorized || a.Header["Www-Authenticate"] == "" ||
				!strings.Contains(a.Header["Cache-Control"], "no-store")) {
			t.Errorf("%s without a token: %+v", request, a)
		}
		f.described(o, f.do(e2e.User("eve"), request, body))
		if body != "" {
			f.expect(caller, request, `{`, http.StatusBadRequest)
			f.expect(caller, request, `{"unknown":1}`, http.StatusUnprocessableEntity, `"errors":[`)
		}
		a := f.do(caller, request, body)
		f.described(o, a)
		if a.Status >= http.StatusBadRequest {
			t.Errorf("%s %s: %+v", request, body, a)
		}
	}
	if len(all) < 27 {
		t.Errorf("the document has %d operations", len(all))
	}
	f.audit()
}

// described checks that an answer has a status that the document has for it.
func (f *forum) described(o operation, a answer) {
	f.t.Helper()
	if o.Responses[strconv.Itoa(a.Status)] == nil {
		f.t.Errorf("%s answers %+v, which the document does not have", o.ID, a)
	}
}
