package profile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/core/profile"
)

func Example() {
	for _, violation := range (profile.Profile{Avatar: "javascript:alert(1)"}).Violations() {
		fmt.Println(violation.Location, violation.Message)
	}
	// Output:
	// name must not be empty
	// avatar must be an absolute http or https URL
}

func TestViolationsAreAllNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		given      profile.Profile
		violations string // with commas
	}{
		{profile.Profile{Name: "Ada"}, ""},
		{
			profile.Profile{Name: "Ada", Avatar: "http://a.example/a.png?s=80#x", Link: "https://a.example/~ada", Since: "none"},
			"",
		},
		{profile.Profile{Name: strings.Repeat("é", profile.MaxName)}, ""},
		{profile.Profile{}, "name must not be empty"},
		{profile.Profile{Name: strings.Repeat("é", profile.MaxName+1)}, "name must be at most 100 characters"},
		{
			profile.Profile{Name: "\t.", Avatar: "/a.png", Link: "ada", Since: "2024"},
			"name must not contain control characters, " +
				"avatar must be an absolute http or https URL, link must be an absolute http or https URL, " +
				"since must be an RFC 3339 date and time with a zone",
		},
	} {
		values := map[string]string{
			"name": c.given.Name, "avatar": c.given.Avatar, "link": c.given.Link, "since": c.given.Since,
		}
		var got []string
		for _, v := range c.given.Violations() {
			if got = append(got, v.Location+" "+v.Message); v.Value != values[v.Location] {
				t.Errorf("%+v: the violation of %s shows %q", c.given, v.Location, v.Value)
			}
		}
		if diff := cmp.Diff(c.violations, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%+v: violations (-want +got):\n%s", c.given, diff)
		}
	}
}
