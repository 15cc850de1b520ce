package httpapi_test

import (
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"laurel/internal/harness"
)

// operations calls a function for each operation of the document.
func (d *described) operations(do func(method, path string, operation map[string]any)) {
	paths := harness.Below(d.document, "paths").(map[string]any)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		item := paths[path].(map[string]any)
		for _, method := range slices.Sorted(maps.Keys(item)) {
			do(strings.ToUpper(method), path, item[method].(map[string]any))
		}
	}
}

// filled has values for the parameters of a path.
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
	harness.Golden(t, "testdata/operations.txt", strings.Join(lines, "\n")+"\n")
}

// The document has no status that nothing brings about: a request file, or the valid request of the service with
// something changed about it. It has 429 and the answers of all operations.
func TestEveryStatusComesAbout(t *testing.T) {
	t.Parallel()
	d, seen, bodies := theDocument(), map[string]bool{}, maps.Collect(validBodies(t))
	for _, path := range harness.Must(filepath.Glob("testdata/requests/*.http"))(t) {
		file := readRequests(t, path)
		for _, p := range file.parts {
			if p.step == "" {
				name := p.method + " " + d.template(p.method, p.path) + " "
				seen[name+file.lines[p.from][len("HTTP "):][:3]] = true
			}
		}
	}
	whole, without := open(t), open(t)
	without.Table.Unavailable.Store(true)
	harness.OK(t, without.Redis.Close())
	d.operations(func(method, path string, operation map[string]any) {
		for status, response := range operation["responses"].(map[string]any) {
			gateways := strings.HasPrefix(fmt.Sprint(harness.Below(response, "description")), "In AWS")
			again := status == "304" && seen["GET "+path+" 200"] // request files read it again by its tag
			if gateways || again || seen[method+" "+path+" "+status] || status == "429" || status == "default" {
				continue
			}
			f, target, token, body := whole, filled.Replace(path), whole.Service(), bodies[method+" "+path]
			var headers []string
			switch status {
			case "400":
				body = "{"
			case "401":
				token = ""
			case "403":
				token = f.User("bob")
			case "413":
				body = strings.Repeat(" ", 256<<10+1)
			case "415":
				headers = []string{"Content-Type", "text/plain"}
			case "422":
				target += "?unknown=1"
			case "503":
				f = without
			}
			if a := f.Do(method, target, token, body, headers...); strconv.Itoa(a.Status) != status {
				t.Errorf("%s %s: %s does not come about, but %d %s", method, path, status, a.Status, a.Body)
			}
		}
	})
}

// Every parameter and every field is described; a part of a request also has an example or a
// default, and its texts and numbers have limits.
func TestEverythingIsDescribed(t *testing.T) {
	t.Parallel()
	d := theDocument()
	schemas := harness.Below(d.document, "components", "schemas").(map[string]any)
	// of returns a schema's words, with those of the schema that it refers to.
	object := func(schema any) map[string]any {
		all := map[string]any{}
		ref, _ := harness.Below(schema, "$ref").(string)
		for _, s := range []any{schemas[strings.TrimPrefix(ref, "#/components/schemas/")], schema} {
			words, _ := s.(map[string]any)
			maps.Copy(all, words)
		}
		return all
	}
	taken := func(where string, schema any, examples ...string) {
		s := object(schema)
		if !slices.ContainsFunc(examples, func(name string) bool { return s[name] != nil }) {
			t.Errorf("%s: no example", where)
		}
		if items := s["items"]; items != nil {
			s = object(items)
		}
		if s["type"] == "string" && s["maxLength"] == nil && s["enum"] == nil && s["format"] == nil ||
			s["type"] == "integer" && (s["minimum"] == nil || s["maximum"] == nil) {
			t.Errorf("%s: no limits", where)
		}
	}
	for name, schema := range schemas {
		open, given := harness.Below(schema, "additionalProperties").(bool)
		properties, _ := harness.Below(schema, "properties").(map[string]any)
		for field, p := range properties {
			if object(p)["description"] == nil {
				t.Errorf("%s.%s: no description", name, field)
			}
			if given && !open { // a body
				taken(name+"."+field, p, "examples", "enum", "items")
			}
		}
	}
	d.operations(func(method, path string, o map[string]any) {
		parameters, _ := o["parameters"].([]any)
		for _, p := range parameters {
			where := fmt.Sprint(method, " ", path, " ", harness.Below(p, "name"))
			s := object(harness.Below(p, "schema"))
			s["example"] = harness.Below(p, "example")
			if taken(where, s, "example", "default", "enum", "examples"); harness.Below(p, "description") == nil {
				t.Errorf("%s: no description", where)
			}
		}
	})
}
