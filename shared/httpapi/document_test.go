package httpapi_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/message"

	"laurel/internal/harness"
	"laurel/shared/httpapi"
	"laurel/shared/request"
)

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
	d.document = document.(map[string]any)
	d.compiler.DefaultDraft(jsonschema.Draft2020)
	d.compiler.UseRegexpEngine(harness.Pattern)
	d.compiler.AssertFormat()
	d.compiler.AssertVocabs()
	for _, format := range request.Formats() { // the words beside them say all of it
		if format.Standard == "" {
			d.compiler.RegisterFormat(&jsonschema.Format{Name: format.Name, Validate: func(any) error { return nil }})
		}
	}
	d.compiler.RegisterVocabulary(&jsonschema.Vocabulary{
		URL: "https://laurel.example/max-bytes",
		Compile: func(_ *jsonschema.CompilerContext, s map[string]any) (jsonschema.SchemaExt, error) {
			n, ok := s["x-maxBytes"].(json.Number)
			if !ok {
				return nil, nil //nolint:nilnil // as the library asks for
			}
			limit, err := n.Int64()
			return maxBytes(limit), err
		},
	})
	if err := d.compiler.AddResource(documentURL, document); err != nil {
		panic(err)
	}
	return d
})

// maxBytes is the word x-maxBytes, which limits the bytes of a text.
type maxBytes int

func (n maxBytes) Validate(ctx *jsonschema.ValidatorContext, v any) {
	if text, ok := v.(string); ok && len(text) > int(n) {
		ctx.AddError(tooManyBytes{})
	}
}

// tooManyBytes is the kind of error of x-maxBytes.
type tooManyBytes struct{}

func (tooManyBytes) KeywordPath() []string                   { return []string{"x-maxBytes"} }
func (tooManyBytes) LocalizedString(*message.Printer) string { return "too many bytes" }

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
	if under(d.document, "paths", template, strings.ToLower(method), "responses", strconv.Itoa(a.Status)) == nil {
		return fmt.Errorf("the status %d is not in the document", a.Status)
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
	for template, item := range under(d.document, "paths").(map[string]any) {
		words := strings.Split(template, "/")
		matches := len(words) == len(parts) && under(item, strings.ToLower(method)) != nil
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

func under(v any, path ...string) any {
	for _, name := range path {
		object, _ := v.(map[string]any)
		v = object[name]
	}
	return v
}
