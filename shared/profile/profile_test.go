package profile_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"laurel/shared/profile"
)

func Example() {
	ada := profile.Profile{Name: "Ada Lovelace", Link: "https://forum.example/ada"}
	fmt.Println(profile.Copy{Version: 3, Profile: ada})
	for _, fault := range (profile.Profile{Avatar: "javascript:alert(1)"}).Faults() {
		fmt.Println(fault.Field, fault.Message)
	}
	// Output:
	// 3 {"name":"Ada Lovelace","link":"https://forum.example/ada"}
	// name must not be empty
	// avatar must be an absolute http or https URL
}

func TestFaultsAreAllNamed(t *testing.T) {
	t.Parallel()
	long := "https://a.example/" + strings.Repeat("x", profile.MaxURL-len("https://a.example/"))
	for _, c := range []struct {
		name   string
		given  profile.Profile
		faults []string
	}{
		{"name alone", profile.Profile{Name: "Ada"}, nil},
		{"all", profile.Profile{Name: "Ada", Avatar: "http://a.example/a.png?s=80#x", Link: "https://a.example:8443/~ada"}, nil},
		{"a hundred characters", profile.Profile{Name: strings.Repeat("é", profile.MaxName)}, nil},
		{"emoji and right to left", profile.Profile{Name: "👩‍💻 مرحبا {%\"':"}, nil},
		{"the longest address", profile.Profile{Name: "Ada", Avatar: long, Link: long}, nil},
		{"an address of today", profile.Profile{Name: "Ada", Link: "https://bücher.example/ä"}, nil},
		{"an address of a machine", profile.Profile{Name: "Ada", Link: "http://[::1]:8080/"}, nil},
		{"upper case", profile.Profile{Name: "Ada", Link: "HTTPS://a.example"}, nil},
		{"nothing", profile.Profile{}, []string{"name must not be empty"}},
		{"blank", profile.Profile{Name: " \u00a0 "}, []string{"name must not be empty"}},
		{"one more character", profile.Profile{Name: strings.Repeat("é", profile.MaxName+1)}, []string{"name must be at most 100 characters"}},
		{"a line break", profile.Profile{Name: "Ada\nLovelace"}, []string{"name must not contain control characters"}},
		{"not UTF-8", profile.Profile{Name: "\xff", Link: "https://a.example/\xff"}, []string{"name must be UTF-8", "link must be UTF-8"}},
		{"one more byte", profile.Profile{Name: "Ada", Avatar: long + "x", Link: long + "x"}, []string{"avatar must be at most 2048 bytes", "link must be at most 2048 bytes"}},
		{"everything", profile.Profile{Name: "\t.", Avatar: "/a.png", Link: "ada"}, []string{
			"name must not contain control characters", "avatar must be an absolute http or https URL", "link must be an absolute http or https URL",
		}},
		{"a picture itself", profile.Profile{Name: "Ada", Avatar: "data:image/png;base64,AAAA"}, []string{"avatar must be an absolute http or https URL"}},
		{"a script", profile.Profile{Name: "Ada", Link: "javascript:alert(1)"}, []string{"link must be an absolute http or https URL"}},
		{"no scheme", profile.Profile{Name: "Ada", Link: "//a.example/ada"}, []string{"link must be an absolute http or https URL"}},
		{"no host", profile.Profile{Name: "Ada", Avatar: "https:///a.png", Link: "https://:80/"}, []string{
			"avatar must be an absolute http or https URL", "link must be an absolute http or https URL",
		}},
		{"a password", profile.Profile{Name: "Ada", Link: "https://ada:secret@a.example/"}, []string{"link must not contain a user or a password"}},
		{"a space", profile.Profile{Name: "Ada", Link: "https://a.example/a b"}, []string{"link must not contain spaces"}},
		{"a line break in an address", profile.Profile{Name: "Ada", Link: "https://a.example/a\nb"}, []string{"link must not contain control characters"}},
		{"a bad escape", profile.Profile{Name: "Ada", Link: "https://a.example/%zz"}, []string{"link must be an absolute http or https URL"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, fault := range c.given.Faults() {
				got = append(got, fault.Field+" "+fault.Message)
				if want := map[string]string{"name": c.given.Name, "avatar": c.given.Avatar, "link": c.given.Link}[fault.Field]; fault.Value != want {
					t.Errorf("the fault of %s shows %q", fault.Field, fault.Value)
				}
			}
			if diff := cmp.Diff(c.faults, got); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCopyReadsBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		c := profile.Copy{Version: rapid.Int64Range(0, 1<<53).Draw(r, "version")}
		if !c.None() {
			c.Profile = profile.Profile{Name: rapid.String().Draw(r, "name"), Avatar: rapid.String().Draw(r, "avatar"), Link: rapid.String().Draw(r, "link")}
		}
		got, err := profile.ParseCopy(c.String())
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
		c, err := profile.ParseCopy(text)
		if err != nil && !errors.Is(err, profile.ErrCopy) {
			t.Errorf("%v is not ErrCopy", err)
		}
		if err == nil && c.String() != text {
			t.Errorf("%q is read as %q", text, c)
		}
	})
}
