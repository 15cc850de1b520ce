package article

import (
	"slices"

	"laurel/shared/board"
)

// An Article is a post that users vote on.
type Article struct {
	ID        string
	Author    string // a user; "" if the author was erased
	Published board.Moment
	Title     string
	Link      string   // "" without one
	Groups    []string // sorted
	Votes     int64    // including the author's own; not on the page
}

// With returns the article with another title, link and groups.
func (a Article) With(title, link string, groups []string) Article {
	a.Title, a.Link, a.Groups = title, link, SortGroups(groups)
	return a
}

// Same reports whether other is the same article published again, by id, author and
// moment.
func (a Article) Same(other Article) bool {
	return a.ID == other.ID && a.Author == other.Author && a.Published == other.Published
}

// SortGroups returns the groups sorted and without duplicates, as an article has them.
func SortGroups(groups []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(groups)))
}

// Moves returns the groups that an article joins and leaves when its groups change
// from one list to the other; both are sorted.
func Moves(from, to []string) (joins, leaves []string) {
	return without(to, from), without(from, to)
}

func without(groups, others []string) []string {
	return slices.DeleteFunc(slices.Clone(groups), func(g string) bool { return slices.Contains(others, g) })
}
