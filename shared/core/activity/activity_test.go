package activity_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

func TestEveryViolationOfAnActivityIsListed(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 65) // 130 bytes
	tests := []struct {
		name string
		a    activity.Activity
		want []string
	}{
		{"fine", activity.Activity{User: "a", Action: "like", Target: "1"}, nil},
		{"fine with a ref", activity.Activity{User: "a", Action: "uncomment", Target: "1", Ref: "c"}, nil},
		{"fine metric", activity.Activity{User: "a", Action: "steps", Value: new(int64(200_000))}, nil},
		{"longest", activity.Activity{User: strings.Repeat("u", 64), Action: "like", Target: strings.Repeat("t", 128)}, nil},
		{"nothing", activity.Activity{}, []string{"user", "action"}},
		{"no target", activity.Activity{User: "a", Action: "like"}, []string{"target"}},
		{
			"long",
			activity.Activity{User: long, Action: "comment", Target: long, Ref: long},
			[]string{"user", "target", "ref"},
		},
		{
			"a user as target is a user id",
			activity.Activity{User: "a", Action: "follow", Target: strings.Repeat("t", 65)},
			[]string{"target"},
		},
		{"dots", activity.Activity{User: ".", Action: "like", Target: ".."}, []string{"user", "target"}},
		{"control", activity.Activity{User: "a\x00", Action: "like", Target: "b\u0085"}, []string{"user", "target"}},
		{
			"direction",
			activity.Activity{User: "a\u202eb", Action: "comment", Target: "\u200f", Ref: "c\u2069"},
			[]string{"user", "target", "ref"},
		},
		{"joiners of characters", activity.Activity{User: "👩\u200d💻", Action: "like", Target: "نی\u200cم"}, nil},
		{"not UTF-8", activity.Activity{User: "a\xff", Action: "like", Target: "1"}, []string{"user"}},
		{"ref", activity.Activity{User: "a", Action: "like", Target: "1", Ref: "c"}, []string{"ref"}},
		{"one violation a field", activity.Activity{User: "a", Action: "like", Target: "1", Ref: long}, []string{"ref"}},
		{"an undo by its ref", activity.Activity{User: "a", Action: "uncomment", Ref: "c"}, nil},
		{"a restore by its ref", activity.Activity{User: "a", Action: "comment", Ref: "c", Restores: true}, nil},
		{"done by its ref", activity.Activity{User: "a", Action: "comment", Ref: "c"}, []string{"target"}},
		{
			"a member's by its ref",
			activity.Activity{User: "a", Action: "uncomment", Ref: "c", ByUser: true},
			[]string{"target"},
		},
		{"an undo without a ref", activity.Activity{User: "a", Action: "uncomment"}, []string{"target"}},
		{"an undo that takes no ref", activity.Activity{User: "a", Action: "unlike", Ref: "c"}, []string{"target", "ref"}},
		{"metric of a bad target", activity.Activity{User: "a", Action: "steps", Target: ".."}, []string{"target", "value"}},
		{"value", activity.Activity{User: "a", Action: "like", Target: "1", Value: new(int64(1))}, []string{"value"}},
		{"no value", activity.Activity{User: "a", Action: "steps"}, []string{"value"}},
		{"the least", activity.Activity{User: "a", Action: "steps", Value: new(int64(0))}, nil},
		{"too many", activity.Activity{User: "a", Action: "steps", Value: new(int64(200_001))}, []string{"value"}},
		{"too few", activity.Activity{User: "a", Action: "steps", Value: new(int64(-1))}, []string{"value"}},
		{"restored", activity.Activity{User: "a", Action: "like", Target: "1", Restores: true}, nil},
		{"an undo", activity.Activity{User: "a", Action: "unlike", Target: "1", Restores: true}, []string{"restores"}},
		{"no undo", activity.Activity{User: "a", Action: "visit", Target: "1", Restores: true}, []string{"restores"}},
		{"unknown", activity.Activity{User: "a", Action: "unvisit", Target: "1"}, []string{"action"}},
	}
	rules := activity.Default().On(board.DateOf(2026, 11, 20))
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, v := range rules.Violations(tt.a) {
				got = append(got, v.Location)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
		})
	}
}

func ExampleRuleset_Violations() {
	rules := activity.Default().On(board.DateOf(2026, 11, 20))
	for _, v := range rules.Violations(activity.Activity{User: "ada", Action: "steps", Value: new(int64(250_000))}) {
		fmt.Println(v.Location, v.Message)
	}
	// Output: value must be from 0 to 200000
}

// Long values are truncated where a character ends.
func TestLongValuesAreTruncated(t *testing.T) {
	t.Parallel()
	most := strings.Repeat("x", 200)
	for text, want := range map[string]string{most: most, most[1:] + "é": most[1:] + "…"} {
		if got := activity.Shorten(text); got != want {
			t.Errorf("%q", got)
		}
	}
}

// The file has texts, their violations, and their cleaned forms: plugins clean by the same rule.
func TestTexts(t *testing.T) {
	t.Parallel()
	var texts []struct {
		Text  string `json:"text"`
		Code  string `json:"code"`
		Clean string `json:"clean"`
	}
	harness.OK(t, json.Unmarshal(harness.Must(os.ReadFile("testdata/texts.json"))(t), &texts))
	pattern := regexp.MustCompile(activity.TextPattern) //nolint:gocritic // its ranges are meant
	for _, text := range texts {
		code, message := activity.CheckText(text.Text, 100)
		if string(code) != text.Code || (code == "") != (message == "") {
			t.Errorf("%+q: %s, %s, want %s", text.Text, code, message, text.Code)
		}
		if clean := activity.CleanText(text.Text, 100); clean != text.Clean {
			t.Errorf("%+q is cleaned to %+q, want %+q", text.Text, clean, text.Clean)
		}
		beyond := strings.ContainsFunc(text.Text, func(r rune) bool { return r > 0xffff })
		if fits := pattern.MatchString(text.Text); fits != (code == "" || code == activity.CodeTooLong) && !beyond {
			t.Errorf("%+q: of the pattern: %t, but %s", text.Text, fits, code)
		}
	}
	code, _ := activity.CheckText("a\xff", 9)
	if clean := activity.CleanText("a\xff", 9); code != activity.CodeInvalidUTF8 || clean != "a" {
		t.Errorf("%s, %q", code, clean)
	}
}

// No character at all makes a text that its pattern or XML refuses, once it is cleaned; ids hold the same.
func TestEveryCharacterInATextAndAnID(t *testing.T) {
	t.Parallel()
	textual := regexp.MustCompile(activity.TextPattern) //nolint:gocritic // its ranges are meant
	identical := regexp.MustCompile(activity.IDPattern) //nolint:gocritic // its ranges are meant
	for r := range unicode.MaxRune + 1 {
		if utf16.IsSurrogate(r) || r > 0xffff && r&0xff != 0x41 && r&0xfffe != 0xfffe {
			continue
		}
		for _, text := range []string{string(r), "a" + string(r) + "b", "a" + string(r), string(r) + "a"} {
			code, _ := activity.CheckText(text, 9)
			if fits := textual.MatchString(text); r <= 0xffff && fits != (code == "") {
				t.Errorf("%+q: of the pattern: %t, but %s", text, fits, code)
			}
			clean := activity.CleanText(text, 9)
			if code == "" && clean != strings.TrimFunc(text, unicode.IsSpace) {
				t.Errorf("%+q is valid, but cleaned to %+q", text, clean)
			}
			if left, _ := activity.CheckText(clean, 9); clean != "" && left != "" {
				t.Errorf("%+q is cleaned to %+q, with %s", text, clean, left)
			}
			code, _ = activity.CheckID(text, 9)
			if fits := identical.MatchString(text); r <= 0xffff && fits != (code == "") {
				t.Errorf("%+q: of the pattern of ids: %t, but %s", text, fits, code)
			}
			var written strings.Builder
			harness.OK(t, xml.EscapeText(&written, []byte(text)))
			known, _ := activity.CheckText(text, 9)
			if strings.ContainsRune(written.String(), 0xfffd) && r != 0xfffd && (known == "" || code == "") {
				t.Errorf("%+q is valid, but no XML", text)
			}
		}
	}
}

func TestIDsHaveNoOuterBlanks(t *testing.T) {
	t.Parallel()
	for _, blank := range []string{" ", "\u00a0", "\u2007", "\u3000", "\ufeff", "\u200b", "\u180e", "\u2060"} {
		for _, id := range []string{blank, blank + "7", "7" + blank, "." + blank, blank + "..", "7" + blank + blank} {
			if code, _ := activity.CheckID(id, 64); code != activity.CodeInvalidID {
				t.Errorf("%+q: %s", id, code)
			}
		}
		for _, id := range []string{"7" + blank + "8", "." + blank + "8", ".." + blank + "8", "..." + blank + "8"} {
			if code, message := activity.CheckID(id, 64); code != "" || activity.TrimID(blank+id+blank) != id {
				t.Errorf("%+q: %s", id, message)
			}
		}
	}
}

func isURL(text string) bool {
	code, _ := activity.CheckURL(text)
	return code == ""
}

func TestURLs(t *testing.T) {
	t.Parallel()
	longest := "https://a.example/" + strings.Repeat("x", activity.MaxURL-len("https://a.example/"))
	for _, good := range []string{
		"http://a", "https://example.org", "HTTPS://Example.org:8080/a/b?c=d&e=%20#f", "https://münchen.de/straße",
		"http://127.0.0.1/", "http://[::1]:80/x", "https://example.org?q=1", "https://example.org#x",
		"https://en.wikipedia.org/wiki/Go_(game)", "https://e.org/a|b", "https://example.org/?u=http://user@host/", longest,
	} {
		if !isURL(good) {
			t.Errorf("%q is refused", good)
		}
	}
	for _, bad := range []string{
		"javascript:alert(1)", "JavaScript://example.org/%0aalert(1)", "data:text/html,x", "ftp://example.org/",
		"//example.org/", "/a", "example.org", "http:example.org", "http:/example.org", "http://", "https:///path",
		"https://?q", "http://:80/", "http://a:b/", "http://a:/", "http://a:123456/", " http://a", "http://a b/",
		"http://a/\n", "java\nscript:x", "http:\\\\example.org", "https://user@example.org/",
		"https://good.org:pw@evil.org/", "https://a/\"onclick", "https://a/<b>", "https://.", "http://[::1", "http://[1]/",
		"http://a]/", "https://a\xff/", "https://a%41/", "https://a.example/%zz", longest + "x",
		"https://a.example/\ufffe", "https://a.example/\U0003ffff", "https://a\u202e.example/",
	} {
		if isURL(bad) {
			t.Errorf("%q is taken", bad)
		}
	}
}

// A URL that is accepted means to net/url the same as it looks.
func FuzzURL(f *testing.F) {
	for _, seed := range []string{
		"https://example.org/a?b#c", "http://[::1]:80/", "http://a:80", "javascript:alert(1)", "http://a@b",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, link string) {
		if !isURL(link) {
			return
		}
		if strings.ContainsAny(link, "\t\r\n \\<>\"") || len(link) > activity.MaxURL {
			t.Errorf("%q is taken", link)
		}
		u, err := url.Parse(link)
		if err != nil {
			return // stricter with the part after the host
		}
		if (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || u.User != nil || u.Opaque != "" {
			t.Errorf("%q is taken: %+v", link, u)
		}
	})
}
