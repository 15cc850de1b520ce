package article

import (
	"fmt"
	"slices"

	"laurel/shared/core/activity"
)

// Clean returns the article with as much of its title, link and groups as it may have, and the violations that this
// has removed. A title of which nothing shows is "" then.
func (a Article) Clean() (Article, []activity.Violation) {
	var found activity.Violations
	found.Check("title", a.Title)(activity.CheckText(a.Title, MaxTitle))
	a.Title = activity.CleanText(a.Title, MaxTitle)
	if a.Link != "" {
		code, message := activity.CheckURL(a.Link)
		if found.Check("link", a.Link)(code, message); code != "" {
			a.Link = ""
		}
	}
	groups := a.Groups
	a.Groups = nil
	for i, group := range groups {
		name := activity.CleanText(group, len(group))
		code, message := CheckGroup(name)
		switch {
		case code != "":
		case slices.Contains(a.Groups, name):
			code, message = activity.CodeDuplicateItem, "duplicate item"
		case len(a.Groups) == MaxGroups:
			code, message = activity.CodeTooManyItems, fmt.Sprintf("must have at most %d items", MaxGroups)
		default:
			a.Groups = append(a.Groups, name)
			code, message = activity.CheckText(group, len(group)) // whether it was cleaned
		}
		found.Check(fmt.Sprintf("groups[%d]", i), group)(code, message)
	}
	return a, found
}
