package people_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"laurel/shared/people"
)

func Example() {
	ada := people.Profile{Name: "Ada Lovelace", Link: "https://forum.example/ada"}
	fmt.Printf("%q\n", people.Copy{Version: 3, Profile: ada}.String())
	for _, violation := range (people.Profile{Avatar: "javascript:alert(1)"}).Violations() {
		fmt.Println(violation.Location, violation.Message)
	}
	// Output:
	// "3 \fAda Lovelace\x00\x19https://forum.example/ada\x00"
	// name must not be empty
	// avatar must be an absolute http or https URL
}

func TestViolationsAreAllNamed(t *testing.T) {
	t.Parallel()
	long := "https://a.example/" + strings.Repeat("x", people.MaxURL-len("https://a.example/"))
	type profile = people.Profile
	ada := func(link string) profile { return profile{Name: "Ada", Link: link} }
	for _, c := range []struct {
		name       string
		given      profile
		violations string // with commas
	}{
		{"name alone", ada(""), ""},
		{"all", profile{Name: "Ada", Avatar: "http://a.example/a.png?s=80#x", Link: "https://a.example:8443/~ada"}, ""},
		{"a hundred characters", profile{Name: strings.Repeat("é", people.MaxName)}, ""},
		{"emoji and right to left", profile{Name: "👩‍💻 مرحبا {%\"':"}, ""},
		{"the longest address", profile{Name: "Ada", Avatar: long, Link: long}, ""},
		{"an address of today", ada("https://bücher.example/ä"), ""},
		{"an address of a machine", ada("http://[::1]:8080/"), ""},
		{"upper case", ada("HTTPS://a.example"), ""},
		{"no character that shows", profile{Name: "\u200b\u200d \ufe0f\U000e0041"}, "name must not be empty"},
		{"a control of direction", profile{Name: "Ann\u202eeel"}, "name must not contain controls of the text's direction"},
		{"a mark of direction alone", profile{Name: "\u200f"}, "name must not be empty"},
		{"nothing", profile{}, "name must not be empty"},
		{"blank", profile{Name: " \u00a0 "}, "name must not be empty"},
		{
			"one more character",
			profile{Name: strings.Repeat("é", people.MaxName+1)},
			"name must be at most 100 characters",
		},
		{"a line break", profile{Name: "Ada\nLovelace"}, "name must not contain control characters"},
		{
			"not UTF-8",
			profile{Name: "\xff", Link: "https://a.example/\xff"},
			"name must be UTF-8, link must be an absolute http or https URL",
		},
		{
			"one more byte",
			profile{Name: "Ada", Avatar: long + "x", Link: long + "x"},
			"avatar must be at most 2048 bytes, link must be at most 2048 bytes",
		},
		{
			"everything",
			profile{Name: "\t.", Avatar: "/a.png", Link: "ada", Since: "2024"},
			"name must not contain control characters, " +
				"avatar must be an absolute http or https URL, link must be an absolute http or https URL, " +
				"since must be an RFC 3339 date and time with a zone",
		},
		{
			"a picture itself",
			profile{Name: "Ada", Avatar: "data:image/png;base64,AAAA"},
			"avatar must be an absolute http or https URL",
		},
		{"a script", ada("javascript:alert(1)"), "link must be an absolute http or https URL"},
		{"no scheme", ada("//a.example/ada"), "link must be an absolute http or https URL"},
		{
			"no host",
			profile{Name: "Ada", Avatar: "https:///a.png", Link: "https://:80/"},
			"avatar must be an absolute http or https URL, link must be an absolute http or https URL",
		},
		{"a password", ada("https://ada:secret@a.example/"), "link must be an absolute http or https URL"},
		{"a space", ada("https://a.example/a b"), "link must be an absolute http or https URL"},
		{"a line break in an address", ada("https://a.example/a\nb"), "link must be an absolute http or https URL"},
		{"a bad escape", ada("https://a.example/%zz"), "link must be an absolute http or https URL"},
	} {
		values := map[string]string{
			"name": c.given.Name, "avatar": c.given.Avatar, "link": c.given.Link, "since": c.given.Since,
		}
		var got []string
		for _, v := range c.given.Violations() {
			if got = append(got, v.Location+" "+v.Message); v.Value != values[v.Location] {
				t.Errorf("%s: the violation of %s shows %q", c.name, v.Location, v.Value)
			}
		}
		if diff := cmp.Diff(c.violations, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%s: violations (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestCopyReadsBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		c := people.Copy{Version: rapid.Int64Range(0, 1<<53).Draw(r, "version")}
		if !c.None() {
			text := func(name string) string { return rapid.String().Draw(r, name) }
			c.Profile = people.Profile{Name: text("name"), Avatar: text("avatar"), Link: text("link"), Since: text("since")}
		}
		got, err := people.ParseCopy(c.String())
		if err != nil || got != c {
			r.Errorf("%q reads to %+v, %v", c.String(), got, err)
		}
	})
}

func FuzzParseCopy(f *testing.F) {
	for _, text := range []string{
		"", "0", "00", "0 ", "1", "1 ", "1 \x00\x00\x00\x00", "1 \x03Ada\x00\x00\x00", "01 \x03Ada\x00\x00\x00",
		"-1 \x03Ada\x00\x00\x00", "0 \x03Ada\x00\x00\x00", "1 \x03Ada\x00\x00\x00x", "1 \x03Ada\x00\x00",
		"1 \x83\x00Ada\x00\x00\x00", "1 \x09Ada\x00\x00\x00", "9223372036854775808 \x00\x00\x00\x00",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := people.ParseCopy(text)
		if err != nil && !errors.Is(err, people.ErrCopy) {
			t.Errorf("%v is not ErrCopy", err)
		}
		if err == nil && c.String() != text {
			t.Errorf("%q is read as %q", text, c)
		}
	})
}

// BenchmarkParseCopy reads thirty copies, as a page of a board does.
func BenchmarkParseCopy(b *testing.B) {
	texts := make([]string, 30)
	for i := range texts {
		p := people.Profile{
			Name: fmt.Sprintf("User %d of the forum", i), Avatar: fmt.Sprintf("https://cdn.example/avatars/%d/80.png", i),
			Link: fmt.Sprintf("https://forum.example/u/%d", i),
		}
		texts[i] = people.Copy{Version: 1, Profile: p}.String()
	}
	for b.Loop() {
		for _, text := range texts {
			if _, err := people.ParseCopy(text); err != nil {
				b.Fatal(err)
			}
		}
	}
}
