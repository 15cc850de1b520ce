package httpapi_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"laurel/internal/harness"
	"laurel/shared/api/httpapi"
	"laurel/shared/api/wire"
)

// escapes are those of patterns of ECMA-262, as JSON Schema has them, in place of which Go's have \x{2028}; nor are
// line separators blanks to Go.
var escapes = regexp.MustCompile(`\\u([0-9A-Fa-f]{4})`)

const documentURL = "https://laurel.example/openapi.json"

// A described is the OpenAPI document, with its schemas.
type described struct {
	text     string
	document map[string]any

	mu       sync.Mutex
	compiler *jsonschema.Compiler
	schemas  map[string]*jsonschema.Schema
}

// theDocument is that of the built-in rules. One part of the API alone describes all.
var theDocument = sync.OnceValue(func() *described {
	w := httptest.NewRecorder()
	httpapi.New(httpapi.Options{Ledger: harness.UTC()}, httpapi.Query).
		ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/openapi.json", http.NoBody))
	d := &described{text: w.Body.String(), compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{}}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(d.text))
	if err != nil {
		panic(err)
	}
	d.document = harness.Inline(document.(map[string]any))
	d.compiler.DefaultDraft(jsonschema.Draft2020)
	d.compiler.UseRegexpEngine(func(pattern string) (jsonschema.Regexp, error) {
		pattern = strings.ReplaceAll(escapes.ReplaceAllString(pattern, `\x{$1}`), `\s`, `\s\p{Z}\x{feff}`) // in classes
		return regexp.Compile(pattern)
	})
	d.compiler.AssertFormat()
	for _, format := range wire.Formats() { // a format limits the bytes of a text
		most, written := format.MaxBytes, harness.Below(d.document, "components", "schemas", format.Schema, "x-maxBytes")
		if most == 0 && written == nil {
			continue
		}
		if fmt.Sprint(written) != strconv.Itoa(most) {
			panic(fmt.Sprintf("%s has at most %d bytes, and %v in the document", format.Name, most, written))
		}
		d.compiler.RegisterFormat(&jsonschema.Format{Name: format.Name, Validate: func(v any) error {
			if text, ok := v.(string); ok && len(text) > most {
				return errors.New("too many bytes")
			}
			return nil
		}})
	}
	if err := d.compiler.AddResource(documentURL, document); err != nil {
		panic(err)
	}
	return d
})

// allows returns why the schema at a pointer into the document does not allow a value.
func (d *described) allows(pointer string, value any) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	schema := d.schemas[pointer]
	if schema == nil {
		var err error
		if schema, err = d.compiler.Compile(documentURL + "#" + pointer); err != nil {
			return fmt.Errorf("no schema: %w", err)
		}
		d.schemas[pointer] = schema
	}
	err := schema.Validate(value)
	if _, refused := errors.AsType[*jsonschema.ValidationError](err); err != nil && !refused {
		panic(err)
	}
	return err
}

// answer returns why the document does not describe an answer to an operation.
func (d *described) answer(method, template string, a answer) error {
	response := harness.Below(d.document, "paths", template, strings.ToLower(method), "responses", strconv.Itoa(a.Status))
	if response == nil {
		return fmt.Errorf("the status %d is not in the document", a.Status)
	}
	headers, _ := harness.Below(response, "headers").(map[string]any)
	for name := range headers {
		if a.Header.Get(name) == "" {
			return fmt.Errorf("%d lacks the header %s that the document has", a.Status, name)
		}
	}
	if a.Body == "" {
		return nil
	}
	kind, _, _ := strings.Cut(a.Header.Get("Content-Type"), ";")
	var value any = a.Body
	if strings.HasSuffix(kind, "json") {
		var err error
		if value, err = jsonschema.UnmarshalJSON(strings.NewReader(a.Body)); err != nil {
			return err
		}
	}
	schema := fmt.Sprintf("/responses/%d/content/%s/schema", a.Status, strings.ReplaceAll(kind, "/", "~1"))
	return d.allows(pointerTo(method, template)+schema, value)
}

// template returns the path of the document that a path is of, "" for none.
func (d *described) template(method, path string) string {
	path, _, _ = strings.Cut(path, "?")
	parts := strings.Split(path, "/")
	for template, item := range harness.Below(d.document, "paths").(map[string]any) {
		words := strings.Split(template, "/")
		matches := len(words) == len(parts) && harness.Below(item, strings.ToLower(method)) != nil
		for i := range words {
			matches = matches && (words[i] == parts[i] || words[i][:min(1, len(words[i]))] == "{")
		}
		if matches {
			return template
		}
	}
	return ""
}

// pointerTo returns the place of an operation in the document.
func pointerTo(method, path string) string {
	escaped := strings.NewReplacer("/", "~1", "{", "%7B", "}", "%7D").Replace(path)
	return "/paths/" + escaped + "/" + strings.ToLower(method)
}
