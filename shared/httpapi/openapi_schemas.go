package httpapi

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/request"
)

// bodies is the package whose types are the bodies of requests.
var bodies = reflect.TypeFor[request.Report]().PkgPath()

// descriptions are of fields that mean the same wherever they are, by their names, and of those whose text is
// too long for a tag, by their types, or query, and their names; likewise examples. What a tag says comes before.
//
//go:embed fields.txt
var descriptions string

const valuesAdded = "Values may be added."

// newRegistry returns where types get schemas. What has the same form has one schema.
func newRegistry() huma.Registry {
	r := huma.NewMapRegistry(schemaPrefix, huma.DefaultSchemaNamer)
	r.RegisterTypeAlias(reflect.TypeFor[PostedArticle](), reflect.TypeFor[Article]())
	return r
}

// finish makes a document of operations whole: the schemas of formats and enumerations are
// named once, and referred to, and what the rules name is listed.
func finish(document *huma.OpenAPI, rules *activity.Rules) {
	registry := document.Components.Schemas
	schemas := registry.Map()
	delete(schemas, "ErrorModel") // of the framework; Problem is ours
	delete(schemas, "ErrorDetail")
	property := func(name string) *huma.Schema {
		of, field, _ := strings.Cut(name, ".")
		return schemas[of].Properties[field]
	}
	for name, values := range enumerations() {
		property(name).Enum = values
	}
	for _, name := range []string{"UserData.profile", "UserData.erasure", "Status.view"} {
		p := property(name) // the framework cannot say that objects may be null
		p.AnyOf, p.Ref = []*huma.Schema{{Ref: p.Ref}, {Type: "null"}}, ""
	}
	property("FollowList.next").Examples = []any{nil}             // nor can a tag say null
	property("Hook.activities").Items.Required = []string{"user"} // no token says whose an activity is
	named, fields := namedSchemas(), maps.Collect(pairs(descriptions))
	nameRules(schemas, named, rules)
	for name, schema := range schemas {
		t := registry.TypeFromRef(schemaPrefix + name)
		body := t.PkgPath() == bodies
		if !body { // answers may grow; bodies have no other fields
			schema.AdditionalProperties = nil
		}
		for field, p := range schema.Properties {
			of := declarer(t, field) + "." + field
			p.Description = cmp.Or(p.Description, fields[of], fields[field])
			giveExample(p, fields["example "+of])
		}
		refer(schema, named, !body)
	}
	for _, item := range document.Paths {
		for _, operation := range operationsOf(item) {
			for _, parameter := range operation.Parameters {
				describeParameter(parameter, fields)
				refer(parameter.Schema, named, false)
			}
			describeHeaders(operation)
			if len(operation.Security) == 0 { // said, not left out
				operation.Extensions = map[string]any{"security": []any{}}
			}
		}
	}
	maps.Copy(schemas, named)
}

// declarer returns the name of the struct that declares a field: t, or one that it embeds.
func declarer(t reflect.Type, field string) string {
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name == field && len(f.Index) > 1 {
			return t.FieldByIndex(f.Index[:len(f.Index)-1]).Type.Name()
		}
	}
	return t.Name()
}

// giveExample gives a schema an example in JSON, if there is one.
func giveExample(s *huma.Schema, example string) {
	if example != "" {
		s.Examples = []any{json.RawMessage(example)}
	}
}

// operationsOf returns the operations of a path.
func operationsOf(item *huma.PathItem) []*huma.Operation {
	return slices.DeleteFunc([]*huma.Operation{item.Get, item.Put, item.Post, item.Delete, item.Head},
		func(o *huma.Operation) bool { return o == nil })
}

// describeParameter gives a parameter its words, and moves its example to where tools look for it.
func describeParameter(p *huma.Param, fields map[string]string) {
	s, of := p.Schema, p.In+"."+p.Name
	p.Description, s.Description = cmp.Or(p.Description, fields[of]), ""
	giveExample(s, fields["example "+of])
	if len(s.Examples) > 0 {
		p.Example, s.Examples = s.Examples[0], nil
	}
	if of == "path.board" {
		s.Ref, s.Type = schemaPrefix+"BoardName", ""
	}
}

// describeHeaders puts the headers into the document that an operation's answers always have.
func describeHeaders(o *huma.Operation) {
	header := func(doc string, schema huma.Schema) *huma.Param {
		return &huma.Param{Description: doc, Required: true, Schema: &schema}
	}
	for status, r := range o.Responses {
		r.Headers = map[string]*huma.Param{RequestIDHeader: {Ref: "#/components/headers/" + requestIDName}}
		if status < "400" {
			r.Headers["Cache-Control"] = header("How long it may be kept", huma.Schema{Type: huma.TypeString})
		}
		if o.Responses["304"] != nil && (status == "200" || status == "304") {
			r.Headers["ETag"] = header("The tag for If-None-Match", huma.Schema{Type: huma.TypeString})
		}
		if status == "503" && r.Content["application/problem+json"] != nil {
			r.Headers["Retry-After"] = header("After how many seconds the same request may succeed",
				huma.Schema{Type: huma.TypeInteger, Minimum: new(1.0)})
		}
	}
}

// enumerations are the values of properties that are listed elsewhere.
func enumerations() map[string][]any {
	var codes, violations []any
	for _, p := range Kinds() {
		codes = append(codes, p.Code)
	}
	for code := range ViolationCodes() {
		violations = append(violations, code)
	}
	return map[string][]any{
		"Problem.code": codes, "Violation.code": violations,
		"Receipt.status": anyOf(ledger.Statuses()), "KeptEntry.state": anyOf(ledger.EntryStates()),
	}
}

// anyOf returns values as a schema lists them.
func anyOf[T any](values []T) (all []any) {
	for _, v := range values {
		all = append(all, v)
	}
	return all
}

// namedSchemas returns the schemas of formats and of windows, by their names.
func namedSchemas() map[string]*huma.Schema {
	named := map[string]*huma.Schema{}
	for _, f := range request.Formats() {
		s := &huma.Schema{
			Type: huma.TypeString, Format: f.Standard, Pattern: activity.ECMAScript(f.Pattern),
			MinLength: new(1), MaxLength: new(f.MaxLength), Description: f.Doc, Examples: []any{f.Example},
		}
		if f.MaxBytes > 0 {
			s.Format = f.Name
			s.Extensions = map[string]any{"x-maxBytes": f.MaxBytes}
		}
		named[f.Schema] = s
	}
	var windows []any
	for _, w := range board.Windows() {
		windows = append(windows, w.String())
	}
	named["Window"] = &huma.Schema{
		Type: huma.TypeString, Enum: windows, Examples: []any{"day"}, Description: "A window of time. " + valuesAdded,
	}
	return named
}

// refer puts references to named schemas where a schema repeats them, all the way down. The
// enumerations of answers say that they may grow.
func refer(s *huma.Schema, named map[string]*huma.Schema, answer bool) {
	if s == nil {
		return
	}
	s.Nullable = s.Nullable && s.Type != huma.TypeArray // no list of Laurel is null
	name := ""
	for _, f := range request.Formats() {
		if s.Format == f.Name {
			name = f.Schema
		}
	}
	if len(s.Enum) > 0 && slices.Equal(s.Enum, named["Window"].Enum) {
		name = "Window"
	}
	switch {
	case name != "" && s.Nullable:
		s.AnyOf = []*huma.Schema{{Ref: schemaPrefix + name}, {Type: "null"}}
		s.Type, s.Format, s.Nullable = "", "", false
	case name != "":
		s.Ref, s.Type, s.Format, s.Enum = schemaPrefix+name, "", "", nil
	case len(s.Enum) > 0 && answer:
		s.Description = strings.TrimSuffix(strings.TrimSuffix(s.Description, ".")+". "+valuesAdded, ". ")
		s.Description = strings.TrimPrefix(s.Description, ". ")
	}
	for _, inner := range s.Properties {
		refer(inner, named, answer)
	}
	refer(s.Items, named, answer)
	if inner, ok := s.AdditionalProperties.(*huma.Schema); ok {
		refer(inner, named, answer)
	}
}

// An actionForm is what the rules want of the fields of an activity, as far as a schema can say it.
type actionForm struct {
	metric, ref, restores, user bool
	min, max                    int64
}

// nameRules puts the boards and the actions of the rules into the document.
func nameRules(schemas, named map[string]*huma.Schema, rules *activity.Rules) {
	enumeration := func(values []string, doc string) *huma.Schema {
		return &huma.Schema{Type: huma.TypeString, Enum: anyOf(values), Description: doc + ". " + valuesAdded}
	}
	named["BoardName"] = enumeration(rules.Boards(), "A board of the rules")
	reported := schemas["ReportedActivity"]
	forms := map[string][]actionForm{} // of each version of the rules that has the action
	for set := range rules.Versions() {
		for _, word := range set.Words() {
			rule := set.Find(word)
			forms[word] = append(forms[word], actionForm{
				rule.Metric, rule.TakesRef(), rule.Undo != "" && word != rule.Undo, rule.TargetIsUser, rule.Min, rule.Max,
			})
		}
	}
	named["ActionName"] = enumeration(slices.Sorted(maps.Keys(forms)), "An action, its undo, or a metric of the rules")
	action := reported.Properties["action"]
	action.Ref, action.Type, action.MinLength = schemaPrefix+"ActionName", "", nil
	words := map[actionForm][]any{}
	var order []actionForm
	for _, word := range slices.Sorted(maps.Keys(forms)) {
		all := slices.Compact(forms[word])
		if len(all) > 1 { // the day decides
			continue
		}
		if words[all[0]] == nil {
			order = append(order, all[0])
		}
		words[all[0]] = append(words[all[0]], word)
	}
	reported.Extensions = map[string]any{}
	branch := reported.Extensions
	for i, form := range order {
		branch["if"] = keywords{"properties": keywords{"action": keywords{"enum": words[form]}}}
		branch["then"] = form.schema()
		if i < len(order)-1 {
			next := keywords{}
			branch["else"], branch = next, next
		}
	}
}

// keywords are those of a schema.
type keywords = map[string]any

// schema returns what an activity of the form has to be beside a ReportedActivity.
func (f actionForm) schema() keywords {
	nothing := keywords{"not": keywords{}}
	properties, required := keywords{"value": nothing, "target": keywords{}}, "target"
	if f.metric {
		properties["value"], required = keywords{"minimum": f.min, "maximum": f.max}, "value"
	}
	if !f.ref {
		properties["ref"] = nothing
	}
	if !f.restores {
		properties["restores"] = keywords{"const": false}
	}
	if f.user {
		properties["target"] = keywords{"$ref": schemaPrefix + "UserID"}
	}
	return keywords{"required": []string{required}, "properties": properties}
}
