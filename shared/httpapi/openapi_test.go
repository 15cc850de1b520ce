package httpapi_test

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"laurel/internal/harness"

	"github.com/google/go-cmp/cmp"
)

// operations calls a function for each operation of the document.
func (d *described) operations(do func(method, path string, operation map[string]any)) {
	paths := under(d.document, "paths").(map[string]any)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		item := paths[path].(map[string]any)
		for _, method := range slices.Sorted(maps.Keys(item)) {
			do(strings.ToUpper(method), path, item[method].(map[string]any))
		}
	}
}

// filled has what stands for the parameters of a path.
var filled = strings.NewReplacer("{board}", "activity", "{window}", "day", "{user}", "ann", "{source}", "standard",
	"{id}", "a1", "{target}", "a1")

// testdata/operations.txt says of each operation which statuses nobody, another user, the user in the
// path and the service get for an empty body, and which the document has; -update writes it.
func TestOperations(t *testing.T) {
	t.Parallel()
	f, d := open(t), theDocument()
	lines := []string{fmt.Sprintf("%-6s %-53s%-8s%-6s%-6s%-8s%s", "", "", "nobody", "bob", "ann", "service", "document")}
	d.operations(func(method, path string, operation map[string]any) {
		var line strings.Builder
		fmt.Fprintf(&line, "%-6s %-53s", method, path)
		for i, token := range []string{"", f.User("bob"), f.User("ann"), f.Service()} {
			body := map[bool]string{true: "{}"}[operation["requestBody"] != nil]
			a := f.Do(method, filled.Replace(path), token, body)
			fmt.Fprintf(&line, "%-*d", []int{8, 6, 6, 8}[i], a.Status)
			public := len(operation["security"].([]any)) == 0
			if private := a.Header.Get("Cache-Control") == "private, no-store"; private == public {
				t.Errorf("%s %s: %v", method, path, a.Header)
			}
			closed := a.Status == http.StatusUnauthorized
			if closed != (!public && token == "") && path != "/v1/hooks/{source}" { // whose signature is missing
				t.Errorf("%s %s is for all: %t; as %q it is %d", method, path, public, token, a.Status)
			}
		}
		statuses := slices.Sorted(maps.Keys(operation["responses"].(map[string]any)))
		lines = append(lines, line.String()+strings.Join(statuses, " "))
	})
	const file = "testdata/operations.txt"
	got := strings.Join(lines, "\n") + "\n"
	if *update {
		harness.OK(t, os.WriteFile(file, []byte(got), 0o600))
	}
	want, err := os.ReadFile(file)
	if diff := cmp.Diff(string(want), got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// Every parameter and every field is described; what requests take also has an example or a
// default, and its texts and numbers have limits.
func TestEverythingIsDescribed(t *testing.T) {
	t.Parallel()
	d := theDocument()
	schemas := under(d.document, "components", "schemas").(map[string]any)
	// of returns a property's words, with those of the schema that it refers to.
	of := func(schema any) map[string]any {
		all := map[string]any{}
		ref, _ := under(schema, "$ref").(string)
		for _, s := range []any{schemas[strings.TrimPrefix(ref, "#/components/schemas/")], schema} {
			words, _ := s.(map[string]any)
			maps.Copy(all, words)
		}
		return all
	}
	has := func(s map[string]any, names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return s[name] != nil })
	}
	taken := func(where string, s map[string]any) {
		if items := s["items"]; items != nil {
			s = of(items)
		}
		if s["type"] == "string" && !has(s, "maxLength", "enum", "format") {
			t.Errorf("%s: a text without limits", where)
		}
		if s["type"] == "integer" && (!has(s, "minimum") || !has(s, "maximum")) {
			t.Errorf("%s: a number without limits", where)
		}
	}
	for name, schema := range schemas {
		open, given := under(schema, "additionalProperties").(bool)
		body := given && !open
		properties, _ := under(schema, "properties").(map[string]any)
		for field, p := range properties {
			where, s := name+"."+field, of(p)
			if !has(s, "description") {
				t.Errorf("%s: no description", where)
			}
			if body {
				if taken(where, s); !has(s, "examples", "enum", "items") {
					t.Errorf("%s: no example", where)
				}
			}
		}
	}
	d.operations(func(method, path string, o map[string]any) {
		parameters, _ := o["parameters"].([]any)
		for _, p := range parameters {
			where, s := fmt.Sprint(method, " ", path, " ", under(p, "name")), of(under(p, "schema"))
			taken(where, s)
			if under(p, "description") == nil || under(p, "example") == nil && !has(s, "default", "enum", "examples") {
				t.Errorf("%s: %v", where, p)
			}
		}
	})
}
