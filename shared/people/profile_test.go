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
	fmt.Println(people.Copy{Version: 3, Profile: ada})
	for _, violation := range (people.Profile{Avatar: "javascript:alert(1)"}).Violations() {
		fmt.Println(violation.Location, violation.Message)
	}
	// Output:
	// 3 {"name":"Ada Lovelace","link":"https://forum.example/ada"}
	// name must not be empty
	// avatar must be an absolute http or https URL
}

func TestViolationsAreAllNamed(t *testing.T) {
	t.Parallel()
	long := "https://a.example/" + strings.Repeat("x", people.MaxURL-len("https://a.example/"))
	for _, c := range []struct {
		name       string
		given      people.Profile
		violations []string
	}{
		{"name alone", people.Profile{Name: "Ada"}, nil},
		{"all", people.Profile{Name: "Ada", Avatar: "http://a.example/a.png?s=80#x", Link: "https://a.example:8443/~ada"}, nil},
		{"a hundred characters", people.Profile{Name: strings.Repeat("é", people.MaxName)}, nil},
		{"emoji and right to left", people.Profile{Name: "👩‍💻 مرحبا {%\"':"}, nil},
		{"the longest address", people.Profile{Name: "Ada", Avatar: long, Link: long}, nil},
		{"an address of today", people.Profile{Name: "Ada", Link: "https://bücher.example/ä"}, nil},
		{"an address of a machine", people.Profile{Name: "Ada", Link: "http://[::1]:8080/"}, nil},
		{"upper case", people.Profile{Name: "Ada", Link: "HTTPS://a.example"}, nil},
		{"nothing", people.Profile{}, []string{"name must not be empty"}},
		{"blank", people.Profile{Name: " \u00a0 "}, []string{"name must not be empty"}},
		{"one more character", people.Profile{Name: strings.Repeat("é", people.MaxName+1)}, []string{"name must be at most 100 characters"}},
		{"a line break", people.Profile{Name: "Ada\nLovelace"}, []string{"name must not contain control characters"}},
		{"not UTF-8", people.Profile{Name: "\xff", Link: "https://a.example/\xff"}, []string{"name must be UTF-8", "link must be UTF-8"}},
		{"one more byte", people.Profile{Name: "Ada", Avatar: long + "x", Link: long + "x"}, []string{"avatar must be at most 2048 bytes", "link must be at most 2048 bytes"}},
		{"everything", people.Profile{Name: "\t.", Avatar: "/a.png", Link: "ada"}, []string{
			"name must not contain control characters", "avatar must be an absolute http or https URL", "link must be an absolute http or https URL",
		}},
		{"a picture itself", people.Profile{Name: "Ada", Avatar: "data:image/png;base64,AAAA"}, []string{"avatar must be an absolute http or https URL"}},
		{"a script", people.Profile{Name: "Ada", Link: "javascript:alert(1)"}, []string{"link must be an absolute http or https URL"}},
		{"no scheme", people.Profile{Name: "Ada", Link: "//a.example/ada"}, []string{"link must be an absolute http or https URL"}},
		{"no host", people.Profile{Name: "Ada", Avatar: "https:///a.png", Link: "https://:80/"}, []string{
			"avatar must be an absolute http or https URL", "link must be an absolute http or https URL",
		}},
		{"a password", people.Profile{Name: "Ada", Link: "https://ada:secret@a.example/"}, []string{"link must not contain a user or a password"}},
		{"a space", people.Profile{Name: "Ada", Link: "https://a.example/a b"}, []string{"link must not contain spaces"}},
		{"a line break in an address", people.Profile{Name: "Ada", Link: "https://a.example/a\nb"}, []string{"link must not contain control characters"}},
		{"a bad escape", people.Profile{Name: "Ada", Link: "https://a.example/%zz"}, []string{"link must be an absolute http or https URL"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, violation := range c.given.Violations() {
				got = append(got, violation.Location+" "+violation.Message)
				if want := map[string]string{"name": c.given.Name, "avatar": c.given.Avatar, "link": c.given.Link}[violation.Location]; violation.Value != want {
					t.Errorf("the violation of %s shows %q", violation.Location, violation.Value)
				}
			}
			if diff := cmp.Diff(c.violations, got); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCopyReadsBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		c := people.Copy{Version: rapid.Int64Range(0, 1<<53).Draw(r, "version")}
		if !c.None() {
			c.Profile = people.Profile{Name: rapid.String().Draw(r, "name"), Avatar: rapid.String().Draw(r, "avatar"), Link: rapid.String().Draw(r, "link")}
		}
		got, err := people.ParseCopy(c.String())
		if err != nil || got != c {
			r.Errorf("%q reads to %+v, %v", c.String(), got, err)
		}
	})
}

func FuzzParseCopy(f *testing.F) {
	for _, text := range []string{
		"", "0", "00", "0 ", "1", "1 ", "1 {}", `1 {"name":""}`, `1 {"name":"Ada"}`, `01 {"name":"Ada"}`, `-1 {"name":"Ada"}`, `0 {"name":"Ada"}`,
		`1 {"name":"Ada"}x`, `1 {"name":"Ada","name":"Eve"}`, `1 {"NAME":"Ada"}`, `1 {"name":"Ada","age":7}`, `1 {"name":"Ada","avatar":""}`, "1 null", "1 [", `9223372036854775808 {"name":""}`,
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
