package httpapi_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/message"

	"laurel/internal/testserver"
	"laurel/shared/request"
)

const documentURL = "https://laurel.example/openapi.json"

// formless are codes, and places of codes, that no schema can say: of the caller, the clock,
// the path, and whether a user is in a list twice.
var formless = regexp.MustCompile(`^(service_only|forbidden_action|own_id|other_id) |` +
	`^(too_early|too_late|invalid_period) |` +
	`^missing_field body\.activities\[\d+\]\.user$|^duplicate_item body\.users\[\d+\]\.id$|^invalid_time .*\.since$`)

// seeds are a valid request of each operation that takes something.
var seeds = []string{
	`POST /v1/activities {"activities":[` +
		`{"action":"comment","target":"a","ref":"r","user":"u","at":"2026-11-20T12:00:00Z"},` +
		`{"action":"steps","user":"u","value":7},{"action":"like","user":"u","target":"a","restores":true}]}`,
	`POST /v1/articles {"id":"9","title":"T","link":"https://example.org/","author":{"id":"ann"},"groups":["go","news"]}`,
	`PUT /v1/articles/{id} {"title":"T","author":{"id":"ann","name":"Ann"},"groups":["go"],"votes":7,"votingOpen":true,` +
		`"publishedAt":"2026-11-20T12:00:00Z"}`,
	`PUT /v1/users/{user} {"name":"Ann","since":null,"avatar":"https://a.example/a.png","link":"https://a.example/"}`,
	`PUT /v1/users {"users":[{"id":"ann","name":"Ann","link":"https://a.example/"},{"id":"bob","name":"Bob"}]}`,
	`PUT /v1/users/{user}/following {"users":[{"id":"bob","name":"Bob"},{"id":"cid"}],"total":2,"next":null}`,
	`PUT /v1/users/{user}/visibility {"boards":"shown"}`,
	`GET /v1/boards `, `GET /v1/boards/{board}/{window} `, `GET /v1/boards/{board}/{window}/periods `,
	`GET /v1/users/{user}/entries `,
	`PUT /v1/targets/{target}/void {"until":"2026-11-20T12:00:00Z"}`, `GET /v1/targets/{target}/void `,
	`GET /v1/boards/{board}/{window}/users/{user} `, `GET /v1/boards/{board}/{window}/users/{user}/friends `,
	`GET /v1/users/{user}/activity `, `GET /v1/users/{user}/export `,
	`GET /v1/users/{user}/following `, `GET /v1/users/{user}/votes `,
	`GET /v1/articles `, `GET /v1/articles/{id} `, `GET /v1/users/{user} `, `GET /v1/users/{user}/standings `,
}

// odd values are at the edge of what schemas allow, or beyond.
var oddTexts = []string{
	"", " ", "a", ".", "..", "...", "a\nb", "\u0085", "\u00a0", "\u2028", "\u200b", "a\u202eb", "👩\u200d💻", "ä", "日本",
	"😀", "é.", "true", "007", "5", "5.0",
	"-1", "1e2", "9999999999999999999999", "2026-11-20T12:00:00Z", "2026-11-20t12:00:00z", "2026-02-30T12:00:00Z",
	"2000-01-01T00:00:00+01:00", "2026-11-20T12:00:00,5Z", "2026-11-20T12:00:60Z", "2139-01-01T00:00:00Z", "2026-11-20",
	"2026-W47", "2026", "all", "day", "Day", "hot", "https://a.example", "HTTPS://a.example:1/?q#f", "https://a@b/",
	"https://a.example/%zz", "https://./", "https://[::1]/", "http://a b/", "javascript:alert(1)",
	"like", "publish", "ann",
}

var oddValues = []any{
	nil, true, false, json.Number("0"), json.Number("-1"), json.Number("7.0"), json.Number("1e2"), json.Number("0.5"),
	json.Number("9007199254740991"), json.Number("9007199254740992"), json.Number("1e300"),
	[]any{},
	map[string]any{},
}

// A fuzzer compares what the document and the server say of requests.
type fuzzer struct {
	*forum
	random   *rand.Rand
	document map[string]any
	compiler *jsonschema.Compiler
	schemas  map[string]*jsonschema.Schema
}

// maxBytes is the word x-maxBytes, which limits the bytes of a text.
type maxBytes int

func (n maxBytes) Validate(ctx *jsonschema.ValidatorContext, v any) {
	if text, ok := v.(string); ok && len(text) > int(n) {
		ctx.AddError(tooManyBytes{})
	}
}

func newFuzzer(t *testing.T) *fuzzer {
	t.Helper()
	f := &fuzzer{
		forum: open(t), random: rand.New(rand.NewPCG(1, 2)),
		compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{},
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(f.Get("/openapi.json", "").Body))
	if err != nil {
		t.Fatal(err)
	}
	f.document = document.(map[string]any)
	f.compiler.DefaultDraft(jsonschema.Draft2020)
	f.compiler.AssertFormat()
	f.compiler.AssertVocabs()
	for _, format := range request.Formats() { // the words beside them say all of it
		if format.Standard == "" {
			f.compiler.RegisterFormat(&jsonschema.Format{Name: format.Name, Validate: func(any) error { return nil }})
		}
	}
	f.compiler.RegisterVocabulary(&jsonschema.Vocabulary{
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
	if err := f.compiler.AddResource(documentURL, document); err != nil {
		t.Fatal(err)
	}
	return f
}

// tooManyBytes is the kind of error of x-maxBytes.
type tooManyBytes struct{}

func (tooManyBytes) KeywordPath() []string                   { return []string{"x-maxBytes"} }
func (tooManyBytes) LocalizedString(*message.Printer) string { return "too many bytes" }

// allows returns whether the schema at a pointer into the document allows a value.
func (f *fuzzer) allows(pointer string, value any) bool {
	schema := f.schemas[pointer]
	if schema == nil {
		var err error
		if schema, err = f.compiler.Compile(documentURL + "#" + pointer); err != nil {
			f.TB.Fatal(err)
		}
		f.schemas[pointer] = schema
	}
	err := schema.Validate(value)
	_, refused := errors.AsType[*jsonschema.ValidationError](err)
	if err != nil && !refused {
		f.TB.Fatal(err)
	}
	return err == nil
}

// text returns some text.
func (f *fuzzer) text() string {
	if f.random.IntN(3) > 0 {
		return oddTexts[f.random.IntN(len(oddTexts))]
	}
	n := []int{63, 64, 65, 100, 101, 127, 128, 129, 300, 301, 2_048, 2_049}[f.random.IntN(12)]
	c := []string{"a", "é", "日", "😀"}[f.random.IntN(4)]
	switch f.random.IntN(3) {
	case 0:
		return strings.Repeat(c, n/len(c))
	case 1:
		return "https://a.example/" + strings.Repeat(c, max(0, n-18)/len(c))
	default:
		return strings.Repeat(c, n)
	}
}

// mutate returns a value with something in it changed.
func (f *fuzzer) mutate(v any) any {
	switch v := v.(type) {
	case map[string]any:
		v = maps.Clone(v)
		names := append(slices.Sorted(maps.Keys(v)), "unknown")
		name := names[f.random.IntN(len(names))]
		switch f.random.IntN(8) {
		case 0:
			delete(v, name)
		case 1:
			v[[]string{"x", strings.ToUpper(name), "since", "at", "user", "value"}[f.random.IntN(6)]] = f.value()
		default:
			v[name] = f.mutate(v[name])
		}
		return v
	case []any:
		if len(v) == 0 {
			return []any{f.value()}
		}
		v = slices.Clone(v)
		i := f.random.IntN(len(v) + 1)
		switch {
		case i == len(v) || f.random.IntN(6) == 0:
			return append(v, v[f.random.IntN(len(v))])
		case f.random.IntN(12) == 0:
			return v[:i]
		case f.random.IntN(20) == 0:
			for n := []int{20, 21, 100, 101, 500, 501}[f.random.IntN(6)]; len(v) < n; {
				v = append(v, v[i])
			}
			return v
		}
		v[i] = f.mutate(v[i])
		return v
	}
	return f.value()
}

func (f *fuzzer) value() any {
	if f.random.IntN(3) > 0 {
		return f.text()
	}
	return oddValues[f.random.IntN(len(oddValues))]
}

// request makes a request of a seed, and returns whether the document allows it.
func (f *fuzzer) request(seed string) (method, target, body string, allowed bool) {
	method, rest, _ := strings.Cut(seed, " ")
	path, body, _ := strings.Cut(rest, " ")
	at := pointerTo(method, path)
	operation := under(f.document, "paths", path, strings.ToLower(method)).(map[string]any)
	allowed, target = true, path
	query := url.Values{}
	parameters, _ := operation["parameters"].([]any)
	for i, p := range parameters {
		p := p.(map[string]any)
		name, in, pointer := p["name"].(string), p["in"].(string), fmt.Sprintf("%s/parameters/%d/schema", at, i)
		example, _ := p["example"].(string)
		values := []string{example}
		switch {
		case f.random.IntN(3) == 0:
			values = []string{f.text()}
		case is(p, "explode"):
			for values = nil; f.random.IntN(5) > 0; {
				values = append(values, f.text())
			}
		case in == "query" && !is(p, "required") && (example == "" || f.random.IntN(2) == 0):
			continue
		case example == "":
			values = []string{"1"}
		}
		if in == "path" {
			if strings.Trim(values[0], ".") == "" {
				values[0] = "x" // no path of a server
			}
			target = strings.ReplaceAll(target, "{"+name+"}", url.PathEscape(values[0]))
		} else if query[name] = values; len(values) == 0 {
			allowed = allowed && !is(p, "required")
			continue
		}
		ok := f.allows(pointer, parameterValue(p, values))
		allowed = allowed && ok && (in == "path" || !slices.Contains(values, ""))
	}
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	if body == "" {
		return method, target, "", allowed
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
	if err != nil {
		f.TB.Fatal(err)
	}
	for range f.random.IntN(3) {
		value = f.mutate(value)
	}
	text, err := json.Marshal(value)
	if err != nil {
		f.TB.Fatal(err)
	}
	ok := f.allows(at+"/requestBody/content/application~1json/schema", value)
	return method, target, string(text), allowed && ok
}

// is says whether a parameter has a property that is true.
func is(p map[string]any, name string) bool {
	set, _ := p[name].(bool)
	return set
}

// parameterValue is a parameter as JSON: integers where the schema has them.
func parameterValue(p map[string]any, values []string) any {
	if is(p, "explode") {
		var all []any
		for _, v := range values {
			all = append(all, v)
		}
		return all
	}
	schema, _ := p["schema"].(map[string]any)
	if schema["type"] == "integer" && json.Valid([]byte(values[0])) {
		if _, err := strconv.Atoi(values[0]); err == nil || strings.Trim(values[0], "0123456789") == "" {
			return json.Number(values[0])
		}
	}
	return values[0]
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

// What the document refuses the server refuses, what the server refuses for its form the
// document refuses, no answer is a 500, and every answer is as the document says.
func TestDocumentAndServerAgree(t *testing.T) {
	t.Parallel()
	f := newFuzzer(t)
	counts := map[bool]int{}
	for range testserver.Times(3_000, 100_000) {
		seed := seeds[f.random.IntN(len(seeds))]
		method, target, body, allowed := f.request(seed)
		a := f.Do(method, target, f.Service(), body)
		counts[allowed]++
		path := strings.Fields(seed)[1]
		if under(f.document, "paths", path, strings.ToLower(method), "responses", strconv.Itoa(a.Status)) == nil ||
			a.Status >= http.StatusInternalServerError {
			t.Errorf("%s %s %.500s: %d is not in the document: %.500s", method, target, body, a.Status, a.Body)
		}
		if kind := a.Header.Get("Content-Type"); a.Status != http.StatusNotModified {
			answer, err := jsonschema.UnmarshalJSON(strings.NewReader(a.Body))
			schema := fmt.Sprintf("/responses/%d/content/%s/schema", a.Status, strings.ReplaceAll(kind, "/", "~1"))
			if err != nil || !f.allows(pointerTo(method, path)+schema, answer) {
				t.Errorf("%s %s: the document does not describe the answer %d: %.500s", method, target, a.Status, a.Body)
			}
		}
		var form []string
		if a.Status >= http.StatusBadRequest {
			for _, e := range a.Problem(t).Errors {
				if text := e.Code + " " + e.Location; !formless.MatchString(text) {
					form = append(form, text)
				}
			}
		}
		refused := a.Status >= http.StatusBadRequest
		if (allowed && len(form) > 0) || (!allowed && !refused) {
			t.Errorf("%s %s %.500s: the document allows it: %t; %d %q", method, target, body, allowed, a.Status, form)
		}
	}
	if counts[true] < 500 || counts[false] < 500 {
		t.Errorf("allowed and refused: %v", counts)
	}
	t.Logf("allowed and refused: %v", counts)
}
