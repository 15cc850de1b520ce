package activity_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/activity"
	"laurel/shared/board"
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
		{"what joins characters", activity.Activity{User: "👩\u200d💻", Action: "like", Target: "نی\u200cم"}, nil},
		{"not UTF-8", activity.Activity{User: "a\xff", Action: "like", Target: "1"}, []string{"user"}},
		{"ref", activity.Activity{User: "a", Action: "like", Target: "1", Ref: "c"}, []string{"ref"}},
		{"one violation a field", activity.Activity{User: "a", Action: "like", Target: "1", Ref: long}, []string{"ref"}},
		{"an undo by its ref", activity.Activity{User: "a", Action: "uncomment", Ref: "c"}, nil},
		{"a restore by its ref", activity.Activity{User: "a", Action: "comment", Ref: "c", Restores: true}, nil},
		{"done by its ref", activity.Activity{User: "a", Action: "comment", Ref: "c"}, []string{"target"}},
		{
			"a member's by its ref", activity.Activity{User: "a", Action: "uncomment", Ref: "c", ByUser: true},
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

func TestTexts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]activity.Code{
		"Ada": "", strings.Repeat("é", 100): "", "👩‍💻 مرحبا {%\"':": "",
		"": activity.CodeEmpty, " \u00a0 ": activity.CodeEmpty, "\u200f": activity.CodeEmpty,
		"\u200b\u200d \ufe0f\U000e0041": activity.CodeEmpty, strings.Repeat("é", 101): activity.CodeTooLong,
		"Ann\u202eeel": activity.CodeControl, "Ada\nLovelace": activity.CodeControl, "a\xff": activity.CodeInvalidUTF8,
	} {
		if got, message := activity.CheckText(text, 100); got != want || (got == "") != (message == "") {
			t.Errorf("%q: %s, %s, want %s", text, got, message, want)
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
	} {
		if isURL(bad) {
			t.Errorf("%q is taken", bad)
		}
	}
}

// A URL that is taken means to net/url what it looks like.
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
			return // stricter with what stands behind the host
		}
		if (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || u.User != nil || u.Opaque != "" {
			t.Errorf("%q is taken: %+v", link, u)
		}
	})
}
