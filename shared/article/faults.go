package article

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
)

// What an article may have.
const (
	MaxTitle     = 300   // characters
	MaxLink      = 2_048 // bytes
	MaxGroups    = 20
	MaxGroupName = 64 // bytes
)

// Faults returns everything that is wrong with an article that arrives, nil when
// it can be kept. The arrival of an import of history allows any age; else an
// article was published 48 hours ago at the most.
func Faults(a Article, arrival ledger.Arrival) []activity.Fault {
	faults := DetailFaults(a)
	add := func(field, message string, value any) {
		faults = append(faults, activity.Fault{Field: field, Message: message, Value: value})
	}
	if message := activity.CheckID(a.ID, activity.MaxID); message != "" {
		add("id", message, a.ID)
	}
	if message := activity.CheckID(a.Author, activity.MaxUserID); message != "" {
		add("author", message, a.Author)
	}
	if message := checkPublished(a.Published, arrival); message != "" {
		add("publishedAt", message, a.Published.String())
	}
	return faults
}

// DetailFaults returns what is wrong with what an article's author may change:
// title, link and groups.
func DetailFaults(a Article) []activity.Fault {
	var faults []activity.Fault
	add := func(field, message string, value any) {
		faults = append(faults, activity.Fault{Field: field, Message: message, Value: value})
	}
	if message := checkTitle(a.Title); message != "" {
		add("title", message, a.Title)
	}
	if message := checkLink(a.Link); message != "" {
		add("link", message, a.Link)
	}
	if len(a.Groups) > MaxGroups {
		add("groups", fmt.Sprintf("must be at most %d", MaxGroups), len(a.Groups))
		return faults
	}
	for i, g := range a.Groups {
		field := fmt.Sprintf("groups[%d]", i)
		if message := CheckGroup(g); message != "" {
			add(field, message, g)
		} else if slices.Contains(a.Groups[:i], g) {
			add(field, "is named twice", g)
		}
	}
	return faults
}

func checkTitle(title string) string {
	switch {
	case !utf8.ValidString(title):
		return "must be UTF-8"
	case strings.TrimSpace(title) == "":
		return "must not be empty"
	case utf8.RuneCountInString(title) > MaxTitle:
		return fmt.Sprintf("must be at most %d characters", MaxTitle)
	case strings.ContainsFunc(title, unicode.IsControl):
		return "must not contain control characters"
	default:
		return ""
	}
}

// CheckGroup says what is wrong with a group's name, or nothing.
func CheckGroup(name string) string {
	switch {
	case strings.TrimSpace(name) == "":
		return "must not be empty"
	case len(name) > MaxGroupName:
		return fmt.Sprintf("must be at most %d bytes", MaxGroupName)
	case !utf8.ValidString(name):
		return "must be UTF-8"
	case strings.ContainsFunc(name, unicode.IsControl):
		return "must not contain control characters"
	default:
		return ""
	}
}

func checkPublished(at board.Moment, arrival ledger.Arrival) string {
	switch {
	case !at.Valid():
		return fmt.Sprintf("must be from %s until %s", board.Earliest, board.Latest)
	case at-arrival.Now > board.Moment(ledger.MaxAhead.Milliseconds()):
		return fmt.Sprintf("must not be over %d minutes ahead", ledger.MaxAhead/time.Minute)
	case !arrival.AnyAge && arrival.Now-at > board.Moment(ledger.MaxAge.Milliseconds()):
		return fmt.Sprintf("must not be over %d hours back; history is imported", ledger.MaxAge/time.Hour)
	default:
		return ""
	}
}
