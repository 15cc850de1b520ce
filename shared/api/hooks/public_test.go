package hooks_test

import (
	"errors"
	"fmt"
	"testing"

	"laurel/shared/api/hooks"
)

// The categories that a guest reads are those that site.json lists without a restriction, subcategories too.
func TestPublicCategories(t *testing.T) {
	t.Parallel()
	for site, want := range map[string]string{
		`{"categories":[{"id":9,"read_restricted":false,"parent_category_id":4},{"id":4},{"id":6,"read_restricted":true},` +
			`{"id":4},{"id":-1},{"id":0}],"uncategorized_category_id":1}`: "[4 9] <nil>",
		`{"categories":[]}`: "[] <nil>",
		`{}`:                "[] <nil>", // guests have to log in
	} {
		got, err := hooks.PublicCategories([]byte(site))
		if text := fmt.Sprint(got, err); text != want {
			t.Errorf("%s: %s, want %s", site, text, want)
		}
	}
	for _, site := range []string{
		"", "null", "[]", "<html>", `{"error":"maintenance"}`, `{"categories":7}`, `{"categories":[{"id":"x"}]}`,
	} {
		if got, err := hooks.PublicCategories([]byte(site)); !errors.Is(err, hooks.ErrSite) {
			t.Errorf("%s: %v, %v", site, got, err)
		}
	}
}

// An article is private by its groups if they name categories of which none is public; other groups have no effect.
func TestPrivateGroups(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		groups []string
		want   bool
	}{
		{[]string{"c4", "go"}, false},
		{[]string{"c5", "go"}, true},
		{[]string{"c4", "c5"}, false},
		{[]string{"go"}, false},
		{[]string{"c04"}, false}, // a tag
		{[]string{"c", "c5x", "c-5", "c+5", "c99999999999999999999"}, false},
		{nil, false},
	} {
		if got := hooks.PrivateGroups(c.groups, []int64{4, 7}); got != c.want {
			t.Errorf("%v: %t", c.groups, got)
		}
	}
}
