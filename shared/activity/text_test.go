package activity_test

import (
	"net/url"
	"strings"
	"testing"

	"laurel/shared/activity"
)

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
