package request_test

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"laurel/shared/request"
)

// A document has the schemas of bodies as clients read them.
type document map[string]schema

type schema = map[string]any

const prefix = "#/components/schemas/"

// documentOf describes a type as the OpenAPI document does, and returns its schema.
func documentOf(t *testing.T, of reflect.Type) (document, schema) {
	t.Helper()
	r := huma.NewMapRegistry(prefix, huma.DefaultSchemaNamer)
	root := r.Schema(of, true, "")
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	return d, schema{"$ref": root.Ref}
}

// resolve returns the schema that a reference means.
func (d document) resolve(s schema) schema {
	if ref, ok := s["$ref"].(string); ok {
		return d[strings.TrimPrefix(ref, prefix)]
	}
	return s
}

// allows returns whether a schema allows a value, by the words of JSON Schema 2020-12, huma's
// own Validate being more lenient: null for what may be left out, names in any case.
// It panics at a word that it does not know.
func (d document) allows(s schema, value any) bool {
	for word, limit := range d.resolve(s) {
		if !d.word(d.resolve(s), word, limit, value) {
			return false
		}
	}
	return true
}

func (d document) word(s schema, word string, limit, value any) bool {
	object, _ := value.(map[string]any)
	list, isList := value.([]any)
	text, isText := value.(string)
	number, isNumber := value.(float64)
	n, _ := limit.(float64)
	switch word {
	case "type":
		if types, ok := limit.([]any); ok {
			return slices.Contains(types, typeOf(value))
		}
		return typeOf(value) == limit || (limit == "number" && isNumber)
	case "required":
		return !slices.ContainsFunc(limit.([]any),
			func(name any) bool { _, ok := object[name.(string)]; return object != nil && !ok })
	case "properties":
		for name, p := range limit.(schema) {
			if v, ok := object[name]; ok && !d.allows(p.(schema), v) {
				return false
			}
		}
		return true
	case "additionalProperties":
		for name := range object {
			if s["properties"].(schema)[name] == nil {
				return limit.(bool)
			}
		}
		return true
	case "items":
		return !slices.ContainsFunc(list, func(v any) bool { return !d.allows(limit.(schema), v) })
	case "uniqueItems":
		for i, v := range list {
			if slices.ContainsFunc(list[:i], func(other any) bool { return reflect.DeepEqual(other, v) }) {
				return false
			}
		}
		return true
	case "minItems":
		return !isList || len(list) >= int(n)
	case "maxItems":
		return !isList || len(list) <= int(n)
	case "minLength":
		return !isText || utf8.RuneCountInString(text) >= int(n)
	case "maxLength":
		return !isText || utf8.RuneCountInString(text) <= int(n)
	case "pattern":
		return !isText || regexp.MustCompile(limit.(string)).MatchString(text)
	case "enum":
		return slices.Contains(limit.([]any), value)
	case "minimum":
		return !isNumber || number >= n
	case "maximum":
		return !isNumber || number <= n
	case "format":
		return !isText || ofFormat(limit.(string), text)
	case "description", "examples", "readOnly":
		return true
	default:
		panic(fmt.Sprintf("the word %s: %v of a schema is not known here", word, limit))
	}
}

// ofFormat returns whether a text is of a format, by what the document says of it.
func ofFormat(name, text string) bool {
	for _, f := range request.Formats() {
		if f.Name != name {
			continue
		}
		_, err := time.Parse(time.RFC3339Nano, text)
		return patternOf(f.Pattern).MatchString(text) && utf8.RuneCountInString(text) <= f.MaxLength &&
			(f.MaxBytes == 0 || len(text) <= f.MaxBytes) && (f.Standard != "date-time" || err == nil)
	}
	return true
}

func typeOf(value any) any {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case float64:
		if v == math.Trunc(v) {
			return "integer"
		}
		return "number"
	case []any:
		return "array"
	default:
		return "object"
	}
}

// patterns are compiled once.
var patterns sync.Map

func patternOf(text string) *regexp.Regexp {
	p, ok := patterns.Load(text)
	if !ok {
		p, _ = patterns.LoadOrStore(text, regexp.MustCompile(text))
	}
	return p.(*regexp.Regexp)
}
