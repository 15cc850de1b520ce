package httpapi

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	differ "github.com/google/go-cmp/cmp"

	"laurel/shared/api/wire"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
)

// An outline is the OpenAPI document, as far as routes and types say the same.
type outline struct {
	Paths      map[string]map[string]*outlineOperation `json:"paths"`
	Components struct {
		Parameters map[string]outlineParameter `json:"parameters"`
		Schemas    map[string]*outlineSchema   `json:"schemas"`
	} `json:"components"`
}

type outlineOperation struct {
	OperationID string             `json:"operationId"`
	Security    []any              `json:"security"`
	Parameters  []outlineParameter `json:"parameters"`
	RequestBody *struct {
		Required bool           `json:"required"`
		Content  outlineContent `json:"content"`
	} `json:"requestBody"`
	Responses map[string]struct {
		Content outlineContent `json:"content"`
	} `json:"responses"`
}

type outlineContent map[string]struct {
	Schema *outlineSchema `json:"schema"`
}

type outlineParameter struct {
	Ref      string         `json:"$ref"`
	Name     string         `json:"name"`
	In       string         `json:"in"`
	Required bool           `json:"required"`
	Explode  *bool          `json:"explode"`
	Schema   *outlineSchema `json:"schema"`
}

type outlineSchema struct {
	Ref         string                    `json:"$ref"`
	Type        any                       `json:"type"` // a text or a list
	Default     any                       `json:"default"`
	Minimum     any                       `json:"minimum"`
	Maximum     any                       `json:"maximum"`
	AnyOf       []*outlineSchema          `json:"anyOf"`
	Format      string                    `json:"format"`
	Pattern     string                    `json:"pattern"`
	Enum        []string                  `json:"enum"`
	Required    []string                  `json:"required"`
	MaxLength   int                       `json:"maxLength"`
	MaxItems    int                       `json:"maxItems"`
	MaxBytes    int                       `json:"x-maxBytes"` //nolint:tagliatelle // a word of one's own begins so
	UniqueItems bool                      `json:"uniqueItems"`
	Properties  map[string]*outlineSchema `json:"properties"`
	Items       *outlineSchema            `json:"items"`
}

func readOutline(t *testing.T) (o outline) {
	t.Helper()
	if err := json.Unmarshal(openAPI, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// referred returns the name at the end of a reference.
func referred(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

// named returns the schema that one refers to, or itself.
func (o *outline) named(s *outlineSchema) *outlineSchema {
	for s != nil && s.Ref != "" {
		s = o.Components.Schemas[referred(s.Ref)]
	}
	return s
}

// The document has the operations of the routes: with their parameters, bodies, answers and whether they take a token.
func TestDocumentHasTheRoutes(t *testing.T) {
	t.Parallel()
	document, count := readOutline(t), 0
	for _, item := range document.Paths {
		count += len(item)
	}
	routes := slices.Concat(recordRoutes(), queryRoutes(), []route{healthRoute()})
	if count != len(routes) {
		t.Errorf("%d operations, and %d routes", count, len(routes))
	}
	for _, o := range routes {
		method, path, _ := strings.Cut(o.pattern, " ")
		op := document.Paths[path][strings.ToLower(method)]
		if op == nil {
			t.Errorf("no operation %s", o.pattern)
			continue
		}
		status := strconv.Itoa(cmp.Or(o.status, http.StatusOK))
		if op.OperationID != o.id || (len(op.Security) == 0) != (o.access == forAll) ||
			(op.RequestBody == nil) != (o.body == nil) || op.RequestBody != nil && op.RequestBody.Required == o.empty {
			t.Errorf("%s: %+v", o.pattern, op)
		}
		if answer := op.Responses[status].Content["application/json"].Schema; answer != nil {
			document.holds(t, o.id+" answers", answer, o.answer)
		} else if o.answer != reflect.TypeFor[queued]() && o.status != http.StatusNoContent {
			t.Errorf("%s has no answer %s", o.pattern, status)
		}
		if o.body != nil && !slices.Contains([]string{"queue-activities", "post-hook"}, o.id) { // other bodies, too
			body := op.RequestBody.Content["application/json"].Schema
			document.holds(t, o.id+" takes", body, reflect.TypeOf(o.body))
		}
		var got, want []string
		for _, p := range op.Parameters {
			if p.Ref != "" {
				p = document.Components.Parameters[referred(p.Ref)]
			}
			got = append(got, document.parameter(p))
		}
		for _, p := range o.parameters() {
			want = append(want, p.outline())
		}
		slices.Sort(got)
		slices.Sort(want)
		if diff := differ.Diff(want, got); diff != "" {
			t.Errorf("%s: parameters (-route +document):\n%s", o.pattern, diff)
		}
	}
	document.holds(t, "problem", document.Components.Schemas["Problem"], reflect.TypeFor[Problem]())
	document.holds(t, "hook", document.Components.Schemas["Hook"], reflect.TypeFor[wire.Hook]())
}

// parameter returns a parameter of the document in a line.
func (o *outline) parameter(p outlineParameter) string {
	s, explode := p.Schema, p.Explode != nil && *p.Explode
	item := o.named(cmp.Or(s.Items, s))
	format := item.Format
	for _, f := range wire.Formats() {
		if referred(cmp.Or(s.Items, s).Ref) == f.Schema {
			format = f.Name
		}
	}
	if item.Type == "integer" {
		format = ""
	}
	if p.Name == "board" && p.In == "path" { // the rules have its values; for others there is a 404
		return fmt.Sprintln(p.In, p.Name, p.Required)
	}
	return fmt.Sprintln(p.In, p.Name, p.Required, s.Items != nil, explode, s.UniqueItems, s.MaxItems,
		item.Type, orZero(item.Minimum), orZero(item.Maximum), item.Enum, format, orZero(s.Default))
}

// outline returns a parameter in a line, as the document's.
func (p *parameter) outline() string {
	in, kind := "query", "string"
	if p.path {
		in = "path"
	}
	if p.integer {
		kind = "integer"
	}
	if p.name == "board" && p.path {
		return fmt.Sprintln(in, p.name, true)
	}
	return fmt.Sprintln(in, p.name, p.required || p.path, p.list, p.explode, p.unique, p.most,
		kind, p.minimum, p.maximum, p.enum, p.format, cmp.Or(p.initial, "0"))
}

// orZero returns a value of the document, 0 for none; of a number its digits.
func orZero(v any) string {
	if n, ok := v.(float64); ok {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return fmt.Sprint(cmp.Or(v, any(0)))
}

// schemaTypes are the types of schemas by those of Go.
var schemaTypes = map[reflect.Kind]string{
	reflect.String: "string", reflect.Bool: "boolean", reflect.Int: "integer", reflect.Int64: "integer",
	reflect.Float64: "number", reflect.Slice: "array", reflect.Map: "object", reflect.Struct: "object",
}

// value returns the schema of a value that may be null beside it, and whether it may.
func (o *outline) value(s *outlineSchema) (value *outlineSchema, kind any, null bool) {
	for _, choice := range s.AnyOf {
		if choice.Type == "null" {
			null = true
		} else {
			s = choice
		}
	}
	s = o.named(s)
	if types, ok := s.Type.([]any); ok {
		return s, types[0], slices.Contains(types, any("null"))
	}
	return s, s.Type, null
}

// holds checks that a schema has the fields of a type, with their types, all the way down, requires those that are not
// left out, and marks fields that may be null.
func (o *outline) holds(t *testing.T, place string, s *outlineSchema, goType reflect.Type, within ...reflect.Type) {
	t.Helper()
	if goType.Kind() == reflect.Pointer {
		goType = goType.Elem()
	}
	if _, own := reflect.TypeAssert[json.Marshaler](reflect.New(goType)); own || goType.Kind() == reflect.Interface {
		return
	}
	value, kind, _ := o.value(s)
	if want := schemaTypes[goType.Kind()]; kind != want {
		t.Errorf("%s: %v in the document, %s is %s", place, kind, goType, want)
		return
	}
	switch goType.Kind() {
	case reflect.Slice:
		o.holds(t, place+"[]", value.Items, goType.Elem(), within...)
	case reflect.Struct:
		if !slices.Contains(within, goType) {
			o.holdsFields(t, place, value, goType, append(slices.Clone(within), goType))
		}
	default:
	}
}

func (o *outline) holdsFields(
	t *testing.T, place string, s *outlineSchema, goType reflect.Type, within []reflect.Type,
) {
	t.Helper()
	var got, want []string
	for _, f := range reflect.VisibleFields(goType) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || f.Anonymous {
			continue
		}
		null := f.Tag.Get("nullable") == "true" || f.Type.Kind() == reflect.Pointer && options == "" ||
			f.Type == reflect.TypeFor[previousRank]()
		want = append(want, fmt.Sprintf("%s required %t null %t", name, options == "", null))
		if p := s.Properties[name]; p != nil {
			o.holds(t, place+"."+name, p, f.Type, within...)
		}
	}
	for name, p := range s.Properties {
		_, _, null := o.value(p)
		got = append(got, fmt.Sprintf("%s required %t null %t", name, slices.Contains(s.Required, name), null))
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := differ.Diff(want, got); diff != "" {
		t.Errorf("%s: fields (-%s +document):\n%s", place, goType, diff)
	}
}

// The document has the values and the formats that are listed elsewhere.
func TestDocumentHasTheValues(t *testing.T) {
	t.Parallel()
	schemas := readOutline(t).Components.Schemas
	var codes, violations, statuses, states, windows []string
	for _, k := range Kinds() {
		codes = append(codes, string(k.Code))
	}
	for code := range ViolationCodes() {
		violations = append(violations, code)
	}
	for _, s := range ledger.Statuses() {
		statuses = append(statuses, string(s))
	}
	for _, s := range ledger.EntryStates() {
		states = append(states, string(s))
	}
	for _, w := range board.Windows() {
		windows = append(windows, w.String())
	}
	for name, want := range map[string][]string{
		"Problem.code": codes, "Violation.code": violations, "Receipt.status": statuses, "KeptEntry.state": states,
		"Window.": windows,
	} {
		schema, field, _ := strings.Cut(name, ".")
		if diff := differ.Diff(want, cmp.Or(schemas[schema].Properties[field], schemas[schema]).Enum); diff != "" {
			t.Errorf("%s (-want +document):\n%s", name, diff)
		}
	}
	for _, f := range wire.Formats() {
		s := schemas[f.Schema]
		if s.Pattern != ecmaScript(f.Pattern) || s.MaxLength != f.MaxLength || s.MaxBytes != f.MaxBytes {
			t.Errorf("%s: %+v in the document, want %+v", f.Schema, s, f)
		}
	}
}

// ecmaScript writes a pattern as OpenAPI has them: without blanks by name, as clients are generated with patterns as
// literals, which a line separator would end, and else with escapes, which Go does not read.
func ecmaScript(pattern string) string {
	const blanks = "\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff" // as package activity has them
	var b strings.Builder
	for _, r := range strings.ReplaceAll(pattern, blanks, `\s`) {
		if r < 0x80 {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
