package httpapi_test

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/core/activity"
)

// formless are codes, and places of codes, that no schema can say: of the caller, the clock,
// the path, and whether a user is in a list twice.
var formless = regexp.MustCompile(`^(service_only|forbidden_action|own_id|other_id) |` +
	`^(too_early|too_late|invalid_period) |` +
	`^missing_field body\.activities$|^duplicate_item body\.users\[\d+\]\.id$|` +
	`^(unknown_value|not_applicable) body\.board$`)

// userless is the place of a report's activity without its user, whom the service alone has to say.
var userless = regexp.MustCompile(`^missing_field body\.activities\[\d+\]\.user$`)

// odd values are at the limits of schemas, or beyond.
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
	nil, true, json.Number("0"), json.Number("7.0"), json.Number("1e2"), json.Number("0.5"),
	json.Number("9007199254740992"), json.Number("1e300"),
	[]any{},
	map[string]any{},
}

// A fuzzer compares the document with the answers of the server.
type fuzzer struct {
	*forum
	*described
	random *rand.Rand
	codes  map[string]int
	counts map[bool]int // requests, by whether the document allows them
}

// text returns some text.
func (f *fuzzer) text() string {
	if f.random.IntN(3) > 0 {
		return oddTexts[f.random.IntN(len(oddTexts))]
	}
	n := []int{63, 64, 65, 100, 101, 127, 128, 129, 300, 301, 2_048, 2_049}[f.random.IntN(12)]
	c := []string{"a", "é", "日", "😀"}[f.random.IntN(4)]
	return []string{
		strings.Repeat(c, n/len(c)), "https://a.example/" + strings.Repeat(c, max(0, n-18)/len(c)), strings.Repeat(c, n),
	}[f.random.IntN(3)]
}

// mutations are values like a valid one, each with one change: a limit of its schema is reached
// or exceeded, or a value is replaced with an odd one.
func (f *fuzzer) mutations(schema, value any) (all []any) {
	s, _ := schema.(map[string]any)
	for s["$ref"] != nil {
		name := s["$ref"].(string)
		s = harness.Below(f.document, "components", "schemas", name[strings.LastIndex(name, "/")+1:]).(map[string]any)
	}
	all = append(all, oddValues[f.random.IntN(len(oddValues))], f.text())
	limit := func(word string) int { n, _ := strconv.Atoi(fmt.Sprint(s[word])); return n }
	switch v := value.(type) {
	case map[string]any:
		with := func(name string, value any) map[string]any { v := maps.Clone(v); v[name] = value; return v }
		all = append(all, with("unknown", json.Number("1")), with("NAME", "x"))
		for name, p := range harness.Below(s, "properties").(map[string]any) {
			if _, given := v[name]; !given {
				continue
			}
			without := maps.Clone(v)
			delete(without, name)
			all = append(all, without)
			for _, m := range f.mutations(p, v[name]) {
				all = append(all, with(name, m))
			}
		}
	case []any:
		for _, n := range []int{0, limit("maxItems"), limit("maxItems") + 1} {
			items := []any{}
			for i := range min(n, 501) {
				items = append(items, another(v[0], i))
			}
			all = append(all, items)
		}
		all = append(all, append(slices.Clone(v), v[0]))
		for _, m := range f.mutations(s["items"], v[len(v)-1]) {
			all = append(all, append(slices.Clone(v[:len(v)-1]), m))
		}
	case string:
		most := limit("maxLength")
		long := strings.Repeat("a", most)
		all = append(all, strings.ToUpper(v), long, strings.Repeat("é", most), long+"a")
	case json.Number:
		all = append(all, json.Number(fmt.Sprint(limit("minimum")-1)), json.Number(fmt.Sprint(limit("minimum"))),
			json.Number(fmt.Sprint(limit("maximum"))), json.Number(fmt.Sprint(limit("maximum")+1)))
	}
	return all
}

// another is another item of a list like one.
func another(item any, i int) any {
	if object, ok := item.(map[string]any); ok && object["id"] != nil {
		object = maps.Clone(object)
		object["id"] = strconv.Itoa(i)
		return object
	} else if ok {
		return item
	}
	return strconv.Itoa(i)
}

// compare sends a body, and compares the answer of the server with the answers that the document allows.
func (f *fuzzer) compare(method, path, body string, allowed bool) {
	f.TB.Helper()
	target, headers := filled.Replace(path), []string(nil)
	if strings.HasPrefix(target, "/v1/hooks/") {
		headers = signed("standard", body, f.Now)
	}
	a := f.Do(method, target, f.Service(), body, headers...)
	f.counts[allowed]++
	if err := f.answer(method, path, a); err != nil || a.Status >= http.StatusInternalServerError {
		f.TB.Errorf("%s %s %.500s: %d %.500s: %v", method, target, body, a.Status, a.Body, err)
	}
	var form []string
	if a.Status >= http.StatusBadRequest {
		for _, e := range a.Problem(f.TB).Errors {
			f.codes[e.Code]++
			if text := e.Code + " " + e.Location; !formless.MatchString(text) &&
				(path != "/v1/activities" || !userless.MatchString(text)) {
				form = append(form, text)
			}
		}
	}
	if (allowed && len(form) > 0) || (!allowed && a.Status < http.StatusBadRequest) {
		f.TB.Errorf("%s %s %.500s: the document allows it: %t; %d %q", method, target, body, allowed, a.Status, form)
	}
}

// validBodies has a valid one of each operation that takes one, by its method and path.
func validBodies(t *testing.T) iter.Seq2[string, string] {
	t.Helper()
	text := readFile(t, "testdata/bodies.txt")
	return func(yield func(route, body string) bool) {
		for line := range strings.Lines(text) {
			method, rest, _ := strings.Cut(line, " ")
			path, body, _ := strings.Cut(rest, " ")
			if !yield(method+" "+path, body) {
				return
			}
		}
	}
}

// The server refuses the bodies that the document refuses, the document refuses those that the server refuses for
// their form, no answer is a 500, and every answer is as the document says.
func TestDocumentAndServerAgree(t *testing.T) {
	t.Parallel()
	f := &fuzzer{hooked(t, ""), theDocument(), rand.New(rand.NewPCG(1, 2)), map[string]int{}, map[bool]int{}}
	for route, body := range validBodies(t) {
		method, path, _ := strings.Cut(route, " ")
		pointer, schema := pointerTo(method, path)+"/requestBody/content/application~1json/schema",
			harness.Below(f.document, "paths", path, strings.ToLower(method),
				"requestBody", "content", "application/json", "schema")
		if strings.HasPrefix(path, "/v1/hooks/{") { // any object is valid there, as other forums send their own
			pointer, schema = "/components/schemas/Hook", map[string]any{"$ref": "#/components/schemas/Hook"}
		}
		value := harness.Must(jsonschema.UnmarshalJSON(strings.NewReader(body)))(t)
		for range testserver.Times(2, 100) {
			for _, mutation := range append(f.mutations(schema, value), value) {
				text := harness.Must(json.Marshal(mutation))(t)
				f.compare(method, path, string(text), f.allows(pointer, mutation) == nil)
			}
		}
	}
	if f.counts[true] < 300 || f.counts[false] < 600 {
		t.Errorf("allowed and refused: %v", f.counts)
	}
	for _, code := range []activity.Code{
		activity.CodeUnknownField, activity.CodeMissingField, activity.CodeWrongType, activity.CodeEmpty,
		activity.CodeTooLong, activity.CodeTooFewItems, activity.CodeTooManyItems, activity.CodeDuplicateItem,
		activity.CodeOutOfRange, activity.CodeUnknownValue,
	} {
		if f.codes[string(code)] == 0 {
			t.Errorf("nothing is refused with %s", code)
		}
	}
	t.Logf("allowed and refused: %v, by %v", f.counts, f.codes)
}
