package article

import (
	"fmt"
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
	Unlisted  bool     // taken off all lists; it can come back
	Votes     int64    // including the author's own; not on the page
}

// With returns the article with another title, link and groups.
func (a Article) With(title, link string, groups []string) Article {
	a.Title, a.Link, a.Groups = title, link, SortGroups(groups)
	return a
}

// SortGroups returns the groups sorted and without duplicates, as an article has them.
func SortGroups(groups []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(groups)))
}

// AgeLen is the number of bytes before the id in a member.
const AgeLen = 11

// Member returns the article's member in a store's lists.
func (a Article) Member() string {
	return fmt.Sprintf("%0*x%s", AgeLen, int64(board.Latest-a.Published), a.ID)
}

// Seconds returns the part of the score that votes do not change.
func (a Article) Seconds() int64 { return seconds(a.Published) }

// A Sort is an order of lists.
type Sort string

// The orders of lists.
const (
	Hot Sort = "hot" // by score
	New Sort = "new" // by the moment of publishing
)

// A View asks for a part of a list.
type View struct {
	Sort   Sort
	Group  string // "" for all articles
	Offset int64  // from 0
	Limit  int64
}

// A Group is a group's name and the number of its articles.
type Group struct {
	Name     string
	Articles int64
}
