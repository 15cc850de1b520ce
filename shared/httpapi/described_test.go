package httpapi_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// Every parameter and every field is described; what requests take also has an example or a
// default, and their texts have limits.
func TestEverythingIsDescribed(t *testing.T) {
	t.Parallel()
	d, _ := openAPI(t)
	// of returns a property's words, with those of the schema that it refers to.
	of := func(schema map[string]any) map[string]any {
		all := map[string]any{}
		ref, _ := schema["$ref"].(string)
		for _, s := range []map[string]any{d.Components.Schemas[strings.TrimPrefix(ref, "#/components/schemas/")], schema} {
			maps.Copy(all, s)
		}
		return all
	}
	has := func(s map[string]any, names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return s[name] != nil })
	}
	taken := func(where string, s map[string]any) {
		if items, ok := s["items"].(map[string]any); ok {
			s = of(items)
		}
		if s["type"] == "string" && !has(s, "maxLength", "enum", "format") {
			t.Errorf("%s: a text without limits", where)
		}
		if s["type"] == "integer" && (!has(s, "minimum") || !has(s, "maximum")) {
			t.Errorf("%s: a number without limits", where)
		}
	}
	for name, schema := range d.Components.Schemas {
		properties, _ := schema["properties"].(map[string]any)
		for field, p := range properties {
			where, s := name+"."+field, of(p.(map[string]any))
			if !has(s, "description") {
				t.Errorf("%s: no description", where)
			}
			if open, given := schema["additionalProperties"].(bool); given && !open {
				if taken(where, s); !has(s, "examples", "enum", "items") {
					t.Errorf("%s: no example", where)
				}
			}
		}
	}
	for path, item := range d.Paths {
		for method, o := range item {
			for _, p := range o.Parameters {
				where, s := method+" "+path+" "+p.Name, of(p.Schema)
				if taken(where, s); p.Description == "" || p.Example == nil && !has(s, "default", "enum", "examples") {
					t.Errorf("%s: description %q, example %v", where, p.Description, p.Example)
				}
			}
		}
	}
}
