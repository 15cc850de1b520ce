package activity

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"laurel/shared/board"
)

// The longest ids, in bytes of UTF-8.
const (
	MaxUserID = 64
	MaxID     = 128
)

// The words of the activities by which an author gets points for an article. Rules
// without them give none.
const (
	Publish   = "publish"
	Unpublish = "unpublish"
)

// An Activity is one thing that a user did or took back: an action of the rules such
// as like or unlike, its target, and the moment.
type Activity struct {
	User   string
	Action string // an action, an undo or a metric of the rules
	Target string // what it was done to; optional for a metric
	Ref    string // the comment's own id, if the rule takes one
	Value  *int64 // a metric's value
	At     board.Moment

	Restores bool // the last undo is taken back at the moment; what was done stays as it was
	ByUser   bool // the user's own token reported it: the rules believe it less than the forum
}

// Violations returns the activity's violations of the rules in force on its day, at
// most one for each field, nil if it can be recorded. It does not check the moment.
func (rs *Ruleset) Violations(a Activity) []Violation {
	var found []Violation
	add := func(location string, code Code, message string, value any) {
		if code != "" && (len(found) == 0 || found[len(found)-1].Location != location) {
			found = append(found, Violation{Code: code, Location: location, Message: message, Value: value})
		}
	}
	id := func(location, id string, limit int) {
		code, message := CheckID(id, limit)
		if code != "" {
			add(location, code, message, id)
		}
	}
	id("user", a.User, MaxUserID)
	rule := rs.Find(a.Action)
	if rule == nil {
		add("action", CodeUnknownAction, "unknown action; the actions are "+strings.Join(rs.Words(), ", "), a.Action)
	}
	if a.Target != "" || (rule != nil && !rule.Metric) {
		limit := MaxID
		if rule != nil && rule.TargetIsUser {
			limit = MaxUserID
		}
		id("target", a.Target, limit)
	}
	if a.Ref != "" {
		id("ref", a.Ref, MaxID)
	}
	if rule == nil {
		return found
	}
	if a.Ref != "" && !rule.TakesRef() {
		add("ref", CodeNotApplicable, "the action "+a.Action+" takes no ref", a.Ref)
	}
	if a.Restores && (rule.Undo == "" || a.Action == rule.Undo) {
		add("restores", CodeNotApplicable, "the action "+a.Action+" has no undo that could be taken back", true)
	}
	switch {
	case !rule.Metric && a.Value != nil:
		add("value", CodeNotApplicable, "the action "+a.Action+" takes no value", *a.Value)
	case rule.Metric && a.Value == nil:
		add("value", CodeMissingField, "missing required field; "+a.Action+" is reported with a value", nil)
	case rule.Metric && (*a.Value < rule.Min || *a.Value > rule.Max):
		add("value", CodeOutsideRules, fmt.Sprintf("must be from %d to %d", rule.Min, rule.Max), *a.Value)
	}
	return found
}

// The patterns of ids and texts, as JSON Schema and regexp have them: what CheckID, CheckText
// and CheckGroup allow but for the length.
const (
	IDPattern = `^(\.{0,2}[^.` + controls + bidi + `][^` + controls + bidi + `]*|\.{3}[^` + controls + bidi + `]*)$`

	TextPattern = `^[^` + controls + bidi + `]*[^\x00-\x20\x7f-\xa0` + blanks + bidi + unseen +
		`][^` + controls + bidi + `]*$`

	controls = `\x00-\x1f\x7f-\x9f`
	blanks   = "\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff" // what is blank beyond Latin-1
)

// Classes of characters, as in a pattern.
const (
	bidi   = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069" // controls of direction
	unseen = "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2065\u206a-\u206f\u2800\u3164" +
		"\ufe00-\ufe0f\ufeff\uffa0" // what does not show by itself
	tags = "\U000e0000-\U000e0fff" // nor this; it is in no pattern: RegExp takes it only by a flag
)

// ECMAScript writes a pattern as OpenAPI has them: without blanks by name, as clients are generated with
// patterns as literals, which a line separator would end, and else with escapes, which Go does not read.
func ECMAScript(pattern string) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(pattern, blanks, `\s`) {
		if r < 0x80 {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// isIn reports whether a character is in a class.
func isIn(class string, r rune) bool {
	first, span := rune(0), false
	for _, c := range class {
		switch {
		case c == '-':
			span = true
			continue
		case c == r, span && first <= r && r <= c:
			return true
		}
		first, span = c, false
	}
	return false
}

func isBidi(r rune) bool { return r >= 0x80 && isIn(bidi, r) }

func shows(r rune) bool {
	return !unicode.IsSpace(r) && (r < 0x80 || !isIn(unseen+bidi+tags, r))
}

// CheckID returns the violation of an id, as its code and message, both empty for a
// valid one: ids are 1 to limit bytes of UTF-8, neither "." nor "..", without control characters
// and, as two ids must not look alike, without controls of the text's direction.
func CheckID(id string, limit int) (Code, string) {
	switch {
	case id == "":
		return CodeEmpty, "must not be empty"
	case len(id) > limit:
		return CodeTooLong, fmt.Sprintf("must be at most %d bytes", limit)
	case id == "." || id == "..":
		return CodeInvalidID, `must not be "." or ".."`
	case !utf8.ValidString(id):
		return CodeInvalidUTF8, "must be UTF-8"
	default:
		return checkControls(id)
	}
}

// checkControls returns the violation of a text with control characters or controls of the text's
// direction.
func checkControls(text string) (Code, string) {
	switch {
	case strings.ContainsFunc(text, isBidi):
		return CodeControl, "must not contain controls of the text's direction"
	case strings.ContainsFunc(text, unicode.IsControl):
		return CodeControl, "must not contain control characters"
	default:
		return "", ""
	}
}

// ValidUserID reports whether a text can be the id of a user.
func ValidUserID(id string) bool {
	code, _ := CheckID(id, MaxUserID)
	return code == ""
}

// CheckText returns the violation of a name or a title, as its code and message, both
// empty for a valid one: it is 1 to limit characters of UTF-8, not only blanks, without
// control characters.
func CheckText(text string, limit int) (Code, string) {
	switch {
	case !utf8.ValidString(text):
		return CodeInvalidUTF8, "must be UTF-8"
	case !strings.ContainsFunc(text, shows):
		return CodeEmpty, "must not be empty"
	case utf8.RuneCountInString(text) > limit:
		return CodeTooLong, fmt.Sprintf("must be at most %d characters", limit)
	default:
		return checkControls(text)
	}
}
