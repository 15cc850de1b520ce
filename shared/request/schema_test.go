package request_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"laurel/shared/activity"
	"laurel/shared/request"
)

// everything has a field of each kind with each tag, which no body needs all of.
type everything struct {
	Text    string   `json:"text" minLength:"2" maxLength:"4"`
	Bytes   string   `json:"bytes,omitempty" minLength:"2" maxLength:"4" unit:"bytes"`
	Enum    string   `json:"enum,omitempty" enum:"a,b"`
	Pattern string   `json:"pattern,omitempty" pattern:"^a+$" minLength:"1" maxLength:"3"`
	Integer int64    `json:"integer" minimum:"-3" maximum:"7"`
	Least   *int64   `json:"least,omitempty" minimum:"2"`
	Most    *int64   `json:"most,omitempty" maximum:"2"`
	Truth   bool     `json:"truth,omitzero"`
	List    []string `json:"list" minItems:"2" maxItems:"3" uniqueItems:"true" maxLength:"2" nullable:"false"`
	Numbers []int64  `json:"numbers,omitempty" minimum:"1" maxItems:"4" nullable:"false"`
	Inner   inner    `json:"inner"`
	Inners  []inner  `json:"inners,omitempty" nullable:"false"`
}

type inner struct {
	Name string `json:"name" minLength:"1"`
}

// bodies are a valid body of each type, with every field.
var bodies = map[string]struct {
	body any
	json string
}{
	"everything": {
		&everything{},
		`{"text":"ab","bytes":"ab","enum":"b","pattern":"aa","integer":7,"least":2,"most":2,"truth":true,
		"list":["a","bb"],"numbers":[1,2],"inner":{"name":"x"},"inners":[{"name":"y"},{"name":"z"}]}`,
	},
	"Hook": {
		&request.Hook{},
		`{"activities":[{"action":"like","target":"a1"}],"users":[{"id":"ann","name":"Ann"}],"deletedUsers":["bob","cid"],` +
			`"articles":[{"id":"9","title":"T","author":{"id":"ann"},"listed":true,` +
			`"changedAt":"2026-11-20T12:00:00Z"}],"deletedArticles":["8","7"],` +
			`"voids":[{"target":"t1"}]}`,
	},
	"Report": {&request.Report{}, `{"activities":[{"action":"like","target":"a1"}]}`},
	"ReportedActivity": {
		&request.ReportedActivity{},
		`{"action":"comment","target":"a","ref":"r","value":7,"user":"u","at":"2026-11-20T12:00:00Z"}`,
	},
	"NewArticle": {&request.NewArticle{}, `{"id":"9","title":"T","link":"https://example.org/","author":{"id":"ann"},
		"groups":["go","news"],"publishedAt":"2026-11-20T12:00:00Z"}`},
	"ArticleDetails": {
		&request.ArticleDetails{},
		`{"title":"T","link":"https://example.org/","author":{"id":"ann"},"groups":["go"],"listed":false,` +
			`"publishedAt":"2026-11-20T12:00:00Z"}`,
	},
	"PutProfile": {
		&request.PutProfile{},
		`{"id":"ann","since":"2024-03-01T09:30:00Z","name":"Ann","avatar":"https://a.example/a.png",` +
			`"link":"https://a.example/"}`,
	},
	"ProfileList": {
		&request.ProfileList{},
		`{"users":[{"id":"ann","name":"Ann","link":"https://a.example/"},{"id":"bob","name":"Bob"}]}`,
	},
	"TargetVoid": {&request.TargetVoid{}, `{"target":"a1","until":"2026-11-20T12:00:00Z","state":"done"}`},
	"FollowList": {
		&request.FollowList{},
		`{"users":[{"id":"bob"},{"id":"cid","name":"C","link":"http://x","avatar":"http://y"}],"total":2}`,
	},
	"Visibility": {&request.Visibility{}, `{"boards":"shown"}`},
	"Erasure":    {&request.Erasure{}, `{"erase":"ann"}`},
}

// A mutation is a body with one thing changed, and where.
type mutation struct {
	name, at string
	body     any
}

// mutations are what can be wrong with a value by its schema, and what is just right.
func (d document) mutations(s schema, at string, value any) []mutation {
	s = d.resolve(s)
	var all []mutation
	add := func(name, at string, body any) { all = append(all, mutation{name, at, body}) }
	for _, other := range []any{nil, true, "x", 1.0, 0.5, []any{}, map[string]any{}} {
		if reflect.TypeOf(other) != reflect.TypeOf(value) || other == 0.5 {
			add(fmt.Sprintf("%v for another type", other), at, other)
		}
	}
	switch v := value.(type) {
	case map[string]any:
		add("unknown field", at+".unknown", with(v, "unknown", 1.0))
		add("a field in capitals", at+".NAME", with(v, "NAME", "x"))
		for name, p := range s["properties"].(schema) {
			add("without a field", at+"."+name, with(v, name, nothing))
			if v[name] != nil {
				for _, m := range d.mutations(p.(schema), at+"."+name, v[name]) {
					add(m.name, m.at, with(v, name, m.body))
				}
			}
		}
	case []any:
		for _, n := range limits(s, "minItems", "maxItems") {
			items := []any{}
			for i := range int(n) {
				items = append(items, variant(v[0], i))
			}
			add(fmt.Sprintf("%d items", len(items)), at, items)
		}
		add("an item twice", fmt.Sprintf("%s[%d]", at, len(v)), append(slices.Clone(v), v[0]))
		last := len(v) - 1
		for _, m := range d.mutations(s["items"].(schema), fmt.Sprintf("%s[%d]", at, last), v[last]) {
			add(m.name, m.at, append(slices.Clone(v[:last]), m.body))
		}
	case string:
		for _, n := range limits(s, "minLength", "maxLength") {
			add(fmt.Sprintf("%v characters", n), at, strings.Repeat("a", int(n)))
		}
		if s["enum"] != nil || s["pattern"] != nil {
			add("none of them", at, strings.ToUpper(v))
		}
	case float64:
		for _, n := range limits(s, "minimum", "maximum") {
			add(fmt.Sprint("number ", n), at, n)
		}
	}
	return all
}

// limits are the numbers at a least and a most, and beyond.
func limits(s schema, least, most string) []float64 {
	var all []float64
	if n, ok := s[least].(float64); ok {
		all = append(all, n-1, n)
	}
	if n, ok := s[most].(float64); ok {
		all = append(all, n, n+1)
	}
	return all
}

// nothing is a field that is left out.
var nothing = struct{}{}

func with(object map[string]any, name string, value any) map[string]any {
	object = maps.Clone(object)
	if object[name] = value; value == nothing {
		delete(object, name)
	}
	return object
}

// variant is another item of a list like one.
func variant(item any, i int) any {
	switch item := item.(type) {
	case string:
		return fmt.Sprint(i)
	case map[string]any:
		if item["id"] != nil {
			return with(item, "id", fmt.Sprint(i))
		}
	}
	return item
}

// The document and the decoder refuse the same bodies: each valid body is changed in
// every way that its schema forbids, or just allows.
func TestTheDocumentAndTheDecoderAgree(t *testing.T) {
	t.Parallel()
	refused, taken := map[string]int{}, 0
	for name, c := range bodies {
		d, root := documentOf(t, reflect.TypeOf(c.body))
		var valid any
		if err := json.Unmarshal([]byte(c.json), &valid); err != nil {
			t.Fatal(err)
		}
		for _, m := range append(d.mutations(root, "body", valid), mutation{"as it is", "", valid}) {
			text, err := json.Marshal(m.body)
			if err != nil {
				t.Fatal(err)
			}
			into := reflect.New(reflect.TypeOf(c.body).Elem()).Interface()
			found := request.Decode(text, into)
			if allowed := d.allows(root, m.body); allowed != (found.Count() == 0) {
				t.Errorf("%s, %s at %s: the document allows it: %t, the decoder says %v: %.300s", name, m.name, m.at, allowed,
					found.All(), text)
				continue
			}
			taken++
			for _, v := range found.All() {
				taken--
				refused[string(v.Code)]++
				if v.Location != m.at {
					t.Errorf("%s, %s at %s: the violation is at %s: %s", name, m.name, m.at, v.Location, v.Message)
				}
			}
			if found.Count() == 0 {
				again, err := json.Marshal(into)
				if err != nil {
					t.Fatal(err)
				}
				unnamed := roundTrip(t, bytes.ReplaceAll(text, []byte("null"), []byte(`""`)))
				if same := roundTrip(t, again); !reflect.DeepEqual(same, unnamed) {
					t.Errorf("%s, %s: %s is decoded as %s", name, m.name, text, again)
				}
			}
		}
	}
	for _, code := range []activity.Code{
		activity.CodeUnknownField, activity.CodeMissingField, activity.CodeWrongType, activity.CodeEmpty,
		activity.CodeTooShort, activity.CodeTooLong,
		activity.CodeTooFewItems, activity.CodeTooManyItems, activity.CodeDuplicateItem, activity.CodeOutOfRange,
		activity.CodeUnknownValue, activity.CodePattern,
	} {
		if refused[string(code)] == 0 {
			t.Errorf("no mutation is refused with %s", code)
		}
	}
	t.Logf("taken %d, refused %v", taken, refused)
	if taken < 50 {
		t.Errorf("only %d mutations are taken", taken)
	}
}

// roundTrip is a body without fields that are empty.
func roundTrip(t *testing.T, text []byte) any {
	t.Helper()
	var object map[string]any
	if err := json.Unmarshal(text, &object); err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(object, func(_ string, v any) bool {
		list, isList := v.([]any)
		truth, isTruth := v.(bool)
		return v == "" || v == 0.0 || (isTruth && !truth) || (isList && len(list) == 0)
	})
	return object
}
