package article

import (
	"slices"

	"laurel/shared/board"
)

// An Article is something to be voted on.
type Article struct {
	ID        string
	Author    string // a user; "" when the author has been erased
	Published board.Moment
	Title     string
	Link      string   // "" when it has none
	Groups    []string // the groups it is in, sorted
	Votes     int64    // the author's own included; not on the page
}

// With returns the article with another title and link, in other groups.
func (a Article) With(title, link string, groups []string) Article {
	a.Title, a.Link, a.Groups = title, link, SortGroups(groups)
	return a
}

// Same says whether other is the same article published again: the author and
// the moment decide.
func (a Article) Same(other Article) bool {
	return a.ID == other.ID && a.Author == other.Author && a.Published == other.Published
}

// SortGroups returns the groups in the order in which an article keeps them,
// each once.
func SortGroups(groups []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(groups)))
}

// Moves returns the groups that an article joins and leaves when it is in the
// groups from and shall be in the groups to; both are sorted.
func Moves(from, to []string) (joins, leaves []string) {
	return without(to, from), without(from, to)
}

func without(groups, others []string) []string {
	return slices.DeleteFunc(slices.Clone(groups), func(g string) bool { return slices.Contains(others, g) })
}
