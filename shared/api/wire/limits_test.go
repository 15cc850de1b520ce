package wire_test

import (
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"laurel/shared/api/wire"
	"laurel/shared/core/article"
	"laurel/shared/core/ledger"
)

// Tags have the limits of the packages that check decoded values.
func TestLimitsOfTags(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body       any
		field, tag string
		want       int
	}{
		{wire.Report{}, "Activities", "maxItems", wire.MaxByService},
		{wire.ArticleDetails{}, "Groups", "maxItems", article.MaxGroups},
		{wire.FollowList{}, "Users", "maxItems", ledger.MaxReplaced},
	} {
		f, _ := reflect.TypeOf(c.body).FieldByName(c.field)
		if got := f.Tag.Get(c.tag); got != strconv.Itoa(c.want) {
			t.Errorf("%T.%s has %s %s, want %d", c.body, c.field, c.tag, got, c.want)
		}
	}
}

// tags are those that Decode checks.
const tags = " json format nullable minLength maxLength enum minimum maximum minItems maxItems uniqueItems "

var tagName = regexp.MustCompile(`(\w+):"(?:[^"\\]|\\.)*"`)

// Every field of a body has a name in JSON and tags that Decode checks; no list may be null, and only texts
// are unique.
func TestTagsAreChecked(t *testing.T) {
	t.Parallel()
	var walk func(body reflect.Type)
	walk = func(body reflect.Type) {
		for body.Kind() == reflect.Pointer || body.Kind() == reflect.Slice {
			body = body.Elem()
		}
		for i := 0; body.Kind() == reflect.Struct && i < body.NumField(); i++ {
			f := body.Field(i)
			walk(f.Type)
			for _, name := range tagName.FindAllStringSubmatch(string(f.Tag), -1) {
				if !strings.Contains(tags, " "+name[1]+" ") {
					t.Errorf("%s.%s: nothing checks the tag %s", body, f.Name, name[1])
				}
			}
			kind := f.Type
			if kind.Kind() == reflect.Pointer {
				kind = kind.Elem()
			}
			list := kind.Kind() == reflect.Slice
			if !f.Anonymous && (f.Tag.Get("json") == "" || !f.IsExported()) || list && f.Tag.Get("nullable") != "" ||
				f.Tag.Get("uniqueItems") == "true" && (!list || kind.Elem().Kind() != reflect.String) {
				t.Errorf("%s.%s has the tags %s", body, f.Name, f.Tag)
			}
		}
	}
	for _, body := range []any{
		wire.Report{},
		wire.Erasure{},
		wire.Hook{},
		wire.Pair{},
		wire.NewArticle{},
		wire.ArticleDetails{},
		wire.PutProfile{},
		wire.ProfileList{},
		wire.FollowList{},
		wire.Visibility{},
		wire.TargetVoid{},
		wire.Exclusion{},
		wire.PublicCategories{},
	} {
		walk(reflect.TypeOf(body))
	}
}

// Integers in every spelling; a value that is no integer is shown as it was written.
func TestIntegers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]any{
		"0": int64(0), "-7": int64(-7), "5.0": int64(5), "1e3": int64(1000),
		"9223372036854775807": int64(9223372036854775807),
		"0.5":                 nil, "1e99": nil, "1e999": nil, `"5"`: nil, "null": nil, "[1]": nil,
	} {
		var body struct {
			N *int64 `json:"n"`
		}
		found := wire.Decode([]byte(`{"n":`+text+`}`), &body)
		if want == nil {
			if got := lines(found); len(got) != 1 || got[0] != "body.n must be an integer" || body.N != nil {
				t.Errorf("%s: %q", text, got)
			}
		} else if found.Count() > 0 || *body.N != want {
			t.Errorf("%s: %q, want %v", text, lines(found), want)
		}
	}
}

// examples are texts of formats that no other text is of.
var examples = map[string]string{
	"moment": "2026-11-20T12:00:00Z", "period": "2026-11-20", "place": "30.34.50710250.ann",
}

// ofFormat returns whether a text is of a format by the document's schema of it.
func ofFormat(f wire.Format, pattern *regexp.Regexp, text string) bool {
	_, err := time.Parse(time.RFC3339Nano, text)
	return pattern.MatchString(text) && utf8.RuneCountInString(text) <= f.MaxLength &&
		(f.MaxBytes == 0 || len(text) <= f.MaxBytes) && (f.Name != "moment" || err == nil)
}

// A format's check and its pattern with its lengths allow the same texts: each character
// alone, first, in the middle and last, and texts about as long as the limits.
func TestFormatsAreTheirPatterns(t *testing.T) {
	t.Parallel()
	for _, f := range wire.Formats() {
		texts := []string{
			"", " ", ".", "..", "...", ".a", "..a", "a\n", examples[f.Name], "https://a.example:99999/", "https://[::1]:80/?q",
		}
		for _, c := range []string{"a", "é", "語", "😀", " "} {
			for _, n := range []int{f.MaxLength, f.MaxBytes / len(c)} {
				texts = append(texts, strings.Repeat(c, n), strings.Repeat(c, n+1),
					"https://a.example/"+strings.Repeat(c, max(0, n-18)))
			}
		}
		for r := range rune(0x10000) {
			if r < 0x3100 || r > 0xfd00 {
				c := string(r)
				texts = append(texts, c, c+"b", "b"+c+"b", "https://a.example/"+c, "https://"+c+"/",
					"30.34.5."+c)
			}
		}
		pattern := regexp.MustCompile(f.Pattern)
		for _, text := range texts {
			if code, _ := wire.Check(f.Name, text); (code == "") != ofFormat(f, pattern, text) {
				t.Errorf("%s: %q has the code %q, and the document says otherwise", f.Name, text, code)
			}
		}
	}
}
