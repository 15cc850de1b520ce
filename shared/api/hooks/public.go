package hooks

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
)

// ErrSite is returned for a text that is not the site.json of a Discourse.
var ErrSite = errors.New("hooks: not the site.json of a Discourse")

// PublicCategories returns the ids of the categories that a Discourse's site.json lists for guests, subcategories
// included: sorted, each once, and none of a forum that shows guests nothing.
func PublicCategories(site []byte) ([]int64, error) {
	var body map[string]json.RawMessage
	var categories []struct {
		ID         int64 `json:"id"`
		Restricted bool  `json:"read_restricted"`
	}
	err := json.Unmarshal(site, &body)
	if len(body) > 0 && err == nil { // one that asks guests to log in may answer {}
		err = json.Unmarshal(body["categories"], &categories)
	}
	if err != nil || body == nil {
		return nil, ErrSite
	}
	var public []int64
	for _, c := range categories {
		if !c.Restricted && c.ID > 0 {
			public = append(public, c.ID)
		}
	}
	slices.Sort(public)
	return slices.Compact(public), nil
}

// PrivateGroups reports whether an article's groups name categories of a forum, and none of the public ones.
func PrivateGroups(groups []string, public []int64) bool {
	named := false
	for _, group := range groups {
		category, ok := categoryOf(group)
		if ok && slices.Contains(public, category) {
			return false
		}
		named = named || ok
	}
	return named
}

// categoryOf returns the category of a group such as c7.
func categoryOf(group string) (int64, bool) {
	digits, ok := strings.CutPrefix(group, "c")
	category, err := strconv.ParseInt(digits, 10, 64)
	return category, ok && err == nil && category > 0 && strconv.FormatInt(category, 10) == digits
}
