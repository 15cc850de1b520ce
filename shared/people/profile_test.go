package people_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/activity"
	"laurel/shared/people"
)

func Example() {
	for _, violation := range (people.Profile{Avatar: "javascript:alert(1)"}).Violations() {
		fmt.Println(violation.Location, violation.Message)
	}
	// Output:
	// name must not be empty
	// avatar must be an absolute http or https URL
}

func TestViolationsAreAllNamed(t *testing.T) {
	t.Parallel()
	long := "https://a.example/" + strings.Repeat("x", activity.MaxURL-len("https://a.example/"))
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
