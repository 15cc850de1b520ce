package article

import (
	"fmt"
	"slices"
	"time"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
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
	Votes     int64    // including the author's own
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
func (a Article) Seconds() int64 { return int64(a.Published) / 1_000 }

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
	Name     string `json:"name"`
	Articles int64  `json:"articles"`
}

// Limits of an article.
const (
	MaxTitle     = 300 // characters
	MaxGroups    = 20
	MaxGroupName = 64 // bytes
)

// Violations returns the violations of an arriving article, nil if it can be stored.
// With arrival.AnyAge (an import) it may have any age, otherwise at most 48 hours.
func Violations(a Article, arrival ledger.Arrival) []activity.Violation {
	found := activity.Violations(DetailViolations(a))
	found.Check("id", a.ID)(activity.CheckID(a.ID, activity.MaxID))
	found.Check("author", a.Author)(activity.CheckID(a.Author, activity.MaxUserID))
	found.Check("publishedAt", a.Published.String())(checkPublished(a.Published, arrival))
	return found
}

// DetailViolations returns the violations of the fields that can be changed: title, link and groups.
func DetailViolations(a Article) []activity.Violation {
	var found activity.Violations
	found.Check("title", a.Title)(activity.CheckText(a.Title, MaxTitle))
	if a.Link != "" {
		found.Check("link", a.Link)(activity.CheckURL(a.Link))
	}
	if len(a.Groups) > MaxGroups {
		found.Check("groups", len(a.Groups))(activity.CodeTooManyItems, fmt.Sprintf("must have at most %d items", MaxGroups))
		return found
	}
	for i, g := range a.Groups {
		code, message := CheckGroup(g)
		if code == "" && slices.Contains(a.Groups[:i], g) {
			code, message = activity.CodeDuplicateItem, "duplicate item"
		}
		found.Check(fmt.Sprintf("groups[%d]", i), g)(code, message)
	}
	return found
}

// CheckGroup returns the violation of a group's name, as its code and message, both empty for a valid one.
func CheckGroup(name string) (activity.Code, string) {
	code, message := activity.CheckText(name, MaxGroupName)
	if len(name) > MaxGroupName && code != activity.CodeEmpty {
		return activity.CodeTooLong, fmt.Sprintf("must be at most %d bytes", MaxGroupName)
	}
	return code, message
}

func checkPublished(published board.Moment, arrival ledger.Arrival) (activity.Code, string) {
	switch {
	case !published.Valid():
		return activity.CodeInvalidTime, fmt.Sprintf("must be from %s to before %s", board.Earliest, board.Latest)
	case published-arrival.Now > board.Moment(ledger.MaxAhead.Milliseconds()):
		return activity.CodeTooEarly, fmt.Sprintf("must be at most %d minutes in the future", ledger.MaxAhead/time.Minute)
	case !arrival.AnyAge && arrival.Now-published > board.Moment(ledger.MaxAge.Milliseconds()):
		return activity.CodeTooLate,
			fmt.Sprintf("must be at most %d hours ago; use laurel import for older articles", ledger.MaxAge/time.Hour)
	default:
		return "", ""
	}
}
