package people_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/people"
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
	type profile = people.Profile
	for _, c := range []struct {
		given      profile
		violations string // with commas
	}{
		{profile{Name: "Ada"}, ""},
		{profile{Name: "Ada", Avatar: "http://a.example/a.png?s=80#x", Link: "https://a.example/~ada", Since: "none"}, ""},
		{profile{Name: strings.Repeat("é", people.MaxName)}, ""},
		{profile{}, "name must not be empty"},
		{profile{Name: strings.Repeat("é", people.MaxName+1)}, "name must be at most 100 characters"},
		{
			profile{Name: "\t.", Avatar: "/a.png", Link: "ada", Since: "2024"},
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

// A long list fits, and pushes out whom it does not have.
func TestLongFollowLists(t *testing.T) {
	t.Parallel()
	f := open(t, 1)
	lists := [3][]string{}
	for n := range lists {
		for i := range ledger.MaxReplaced {
			lists[n] = append(lists[n], time.Unix(int64(n*1_000_000+i), 0).UTC().Format("u20060102150405"))
		}
		harness.Must(f.People.ReplaceFollowing(t.Context(), "ann", lists[n], f.now.Add(time.Duration(n)*time.Second)))(f)
		if _, total, err := f.People.Following(t.Context(), "ann", 0, 10_000); err != nil || total != ledger.MaxReplaced {
			t.Fatalf("list %d: %d, %v", n, total, err)
		}
	}
	lists[0] = append(lists[0], "one more")
	if _, err := f.People.ReplaceFollowing(t.Context(), "ann", lists[0], f.now); !errors.Is(err, people.ErrTooMany) {
		t.Error(err)
	}
}
