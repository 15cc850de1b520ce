package request_test

import (
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"laurel/shared/article"
	"laurel/shared/ledger"
	"laurel/shared/request"
)

// Tags have the limits of the packages that check decoded values.
func TestLimitsOfTags(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body       any
		field, tag string
		want       int
	}{
		{request.Report{}, "Activities", "maxItems", request.MaxByService},
		{request.ArticleDetails{}, "Groups", "maxItems", article.MaxGroups},
		{request.FollowList{}, "Users", "maxItems", ledger.MaxReplaced},
	} {
		f, _ := reflect.TypeOf(c.body).FieldByName(c.field)
		if got := f.Tag.Get(c.tag); got != strconv.Itoa(c.want) {
			t.Errorf("%T.%s has %s %s, want %d", c.body, c.field, c.tag, got, c.want)
		}
	}
}

// A type whose tags or fields Decode does not check panics, also when it is nested.
func TestUnknownTagsPanic(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]any{
		"an unknown tag": &struct {
			A string `json:"a" contains:"x"`
		}{},
		"a bound that is not checked": &struct {
			A int64 `json:"a" exclusiveMinimum:"1"`
		}{},
		"a list that may be null": &struct {
			A []string `json:"a"`
		}{},
		"a kind that is not decoded": &struct {
			A float64 `json:"a"`
		}{},
		"a field without a name": &struct{ A string }{},
		"a nested one": &struct {
			A []struct {
				B string `json:"b" multipleOf:"2"`
			} `json:"a" nullable:"false"`
		}{},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is taken", name)
				}
			}()
			request.Decode([]byte(`{}`), body)
		}()
	}
}

// Integers in every spelling; what is not one is shown as it was written.
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
		found := request.Decode([]byte(`{"n":`+text+`}`), &body)
		if want == nil {
			if got := lines(found); len(got) != 1 || got[0] != "body.n must be an integer" || body.N != nil {
				t.Errorf("%s: %q", text, got)
			}
		} else if found.Count() > 0 || *body.N != want {
			t.Errorf("%s: %q, want %v", text, lines(found), want)
		}
	}
}

// ofFormat returns whether a text is of a format, by what the document says of it.
func ofFormat(f request.Format, pattern *regexp.Regexp, text string) bool {
	_, err := time.Parse(time.RFC3339Nano, text)
	return pattern.MatchString(text) && utf8.RuneCountInString(text) <= f.MaxLength &&
		(f.MaxBytes == 0 || len(text) <= f.MaxBytes) && (f.Standard != "date-time" || err == nil)
}

// A format's check and its pattern with its lengths allow the same texts: each character
// alone, first, in the middle and last, and texts about as long as the limits.
func TestFormatsAreTheirPatterns(t *testing.T) {
	t.Parallel()
	for _, f := range request.Formats() {
		texts := []string{
			"", " ", ".", "..", "...", ".a", "..a", "a\n", f.Example, "https://a.example:99999/", "https://[::1]:80/?q",
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
			if code, _ := request.Check(f.Name, text); (code == "") != ofFormat(f, pattern, text) {
				t.Errorf("%s: %q has the code %q, and the document says otherwise", f.Name, text, code)
			}
		}
	}
}
