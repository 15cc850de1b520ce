package wire

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/core/profile"
)

// A Format is a form of texts that several fields and parameters share: fields name it in their tag format.
// Its check refuses exactly the texts that break the pattern, the lengths or, for date-time, the calendar.
type Format struct {
	Name      string // in tags
	Schema    string // in the document
	Pattern   string
	MaxLength int // in characters
	MaxBytes  int // in bytes; 0 for no other limit than MaxLength
	check     func(text string) (activity.Code, string)
}

// Formats returns all formats.
func Formats() []Format { return formats }

// Check returns the violation of a text by the format of a name, as its code and message;
// none for a name that is no format of ours.
func Check(format, text string) (activity.Code, string) {
	if f := formatOf(format); f != nil {
		return f.check(text)
	}
	return "", ""
}

func formatOf(name string) *Format {
	for i := range formats {
		if formats[i].Name == name {
			return &formats[i]
		}
	}
	return nil
}

var formats = []Format{
	{
		"user-id", "UserID", activity.IDPattern, activity.MaxUserID, activity.MaxUserID,
		func(text string) (activity.Code, string) { return activity.CheckID(text, activity.MaxUserID) },
	},
	{
		"id", "ID", activity.IDPattern, activity.MaxID, activity.MaxID,
		func(text string) (activity.Code, string) { return activity.CheckID(text, activity.MaxID) },
	},
	{
		"member-group", "MemberGroup", activity.IDPattern, activity.MaxMemberGroup, activity.MaxMemberGroup,
		func(text string) (activity.Code, string) { return activity.CheckID(text, activity.MaxMemberGroup) },
	},
	{"group", "GroupName", activity.TextPattern, article.MaxGroupName, article.MaxGroupName, article.CheckGroup},
	{
		"title", "Title", activity.TextPattern, article.MaxTitle, 0,
		func(text string) (activity.Code, string) { return activity.CheckText(text, article.MaxTitle) },
	},
	{
		"name", "Name", activity.TextPattern, profile.MaxName, 0,
		func(text string) (activity.Code, string) { return activity.CheckText(text, profile.MaxName) },
	},
	{
		"reason", "Reason", activity.TextPattern, activity.MaxReason, 0,
		func(text string) (activity.Code, string) { return activity.CheckText(text, activity.MaxReason) },
	},
	{"http-url", "URL", activity.URLPattern, activity.MaxURL, activity.MaxURL, activity.CheckURL},
	{"moment", "Moment", momentPattern, 35, 0, checkMoment},
	{"since", "Since", sincePattern, 35, 0, checkSince},
	{"period", "Period", periodPattern, len("2026-11-01..2026-11-30"), 0, checkPeriod},
	{"place", "Place", placePattern, maxPlace, 0, checkPlace},
}

// maxPlace is the length of the longest place, in characters.
const maxPlace = len("2147483647.9007199254740991.134217727.") + activity.MaxUserID

// placePattern is of a rank, a score, ticks and the user's id, or of a team's rank, sum, 0 and group.
var placePattern = `^[1-9][0-9]{0,9}\.[1-9][0-9]{0,15}\.(0|[1-9][0-9]{0,8})\.` + activity.IDPattern[len("^"):]

const momentPattern = `^(20[0-9]{2}|21[0-2][0-9]|213[0-8])-[01][0-9]-[0-3][0-9]T` +
	`([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$`

// sincePattern is of a moment, or the word that removes the known one.
const sincePattern = `^` + profile.NoSince + `$|` + momentPattern

const periodPattern = `^(all|[0-9]{4}(-W[0-9]{2}|-Q[1-4]|-[0-9]{2}(-[0-9]{2}(\.\.[0-9]{4}-[0-9]{2}-[0-9]{2})?)?)?)$`

var (
	placeShape  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(placePattern) })
	momentShape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(momentPattern) })
	periodShape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(periodPattern) })
)

func checkMoment(text string) (activity.Code, string) {
	if _, err := time.Parse(time.RFC3339Nano, text); err != nil || !momentShape().MatchString(text) {
		return activity.CodeInvalidTime, momentForm
	}
	return "", ""
}

func checkSince(text string) (activity.Code, string) {
	if text == profile.NoSince {
		return "", ""
	}
	code, message := checkMoment(text)
	return code, strings.Replace(message, "must be", "must be "+profile.NoSince+", or", 1)
}

func checkPlace(text string) (activity.Code, string) {
	switch {
	case !utf8.ValidString(text) || !placeShape().MatchString(text):
		return activity.CodePattern, "must be a place of a board as next has it"
	case utf8.RuneCountInString(text) > maxPlace:
		return activity.CodeTooLong, fmt.Sprintf("must be at most %d characters", maxPlace)
	}
	return "", ""
}

func checkPeriod(text string) (activity.Code, string) {
	if !periodShape().MatchString(text) {
		return activity.CodeInvalidPeriod, "must be a period, such as 2026-11-20, 2026-W47, 2026-11, 2026-Q4, 2026, all or " +
			"2026-11-01..2026-11-30"
	}
	return "", ""
}
