package article

import (
	"fmt"
	"slices"
	"time"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
)

// Limits of an article.
const (
	MaxTitle     = 300 // characters
	MaxGroups    = 20
	MaxGroupName = 64 // bytes
)

// Violations returns the violations of an arriving article, nil if it can be stored.
// With arrival.AnyAge (an import) it may have any age, otherwise at most 48 hours.
func Violations(a Article, arrival ledger.Arrival) []activity.Violation {
	found := violations(DetailViolations(a))
	found.check("id", a.ID)(activity.CheckID(a.ID, activity.MaxID))
	found.check("author", a.Author)(activity.CheckID(a.Author, activity.MaxUserID))
	found.check("publishedAt", a.Published.String())(checkPublished(a.Published, arrival))
	return found
}

// violations gathers the violations of an article.
type violations []activity.Violation

// check returns a function that adds a violation, unless the code is empty.
func (v *violations) check(location string, value any) func(activity.Code, string) {
	return func(code activity.Code, message string) {
		if code != "" {
			*v = append(*v, activity.Violation{Code: code, Location: location, Message: message, Value: value})
		}
	}
}

// DetailViolations returns the violations of the fields that can be changed: title,
// link and groups.
func DetailViolations(a Article) []activity.Violation {
	var found violations
	found.check("title", a.Title)(activity.CheckText(a.Title, MaxTitle))
	if a.Link != "" {
		found.check("link", a.Link)(activity.CheckURL(a.Link))
	}
	if len(a.Groups) > MaxGroups {
		found.check("groups", len(a.Groups))(activity.CodeTooManyItems, fmt.Sprintf("must have at most %d items", MaxGroups))
		return found
	}
	for i, g := range a.Groups {
		code, message := CheckGroup(g)
		if code == "" && slices.Contains(a.Groups[:i], g) {
			code, message = activity.CodeDuplicateItem, "duplicate item"
		}
		found.check(fmt.Sprintf("groups[%d]", i), g)(code, message)
	}
	return found
}

// CheckGroup returns the violation of a group's name, as its code and message, both
// empty for a valid one.
func CheckGroup(name string) (activity.Code, string) {
	code, message := activity.CheckText(name, MaxGroupName)
	if len(name) > MaxGroupName && code != activity.CodeEmpty {
		return activity.CodeTooLong, fmt.Sprintf("must be at most %d bytes", MaxGroupName)
	}
	return code, message
}

func checkPublished(at board.Moment, arrival ledger.Arrival) (activity.Code, string) {
	switch {
	case !at.Valid():
		return activity.CodeInvalidTime, fmt.Sprintf("must be from %s to before %s", board.Earliest, board.Latest)
	case at-arrival.Now > board.Moment(ledger.MaxAhead.Milliseconds()):
		return activity.CodeTooEarly, fmt.Sprintf("must be at most %d minutes in the future", ledger.MaxAhead/time.Minute)
	case !arrival.AnyAge && arrival.Now-at > board.Moment(ledger.MaxAge.Milliseconds()):
		return activity.CodeTooLate,
			fmt.Sprintf("must be at most %d hours ago; use laurel import for older articles", ledger.MaxAge/time.Hour)
	default:
		return "", ""
	}
}
