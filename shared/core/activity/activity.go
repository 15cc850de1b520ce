package activity

import (
	"fmt"
	"strings"

	"laurel/shared/core/board"
)

// The longest ids, in bytes of UTF-8.
const (
	MaxUserID = 64
	MaxID     = 128
)

// The limits of the private groups of a person: 20, each an id of 64 bytes.
const (
	MaxMemberGroups = 20
	MaxMemberGroup  = 64
)

// The words of the activities by which an author gets points for an article. Rules without them give none.
const (
	Publish   = "publish"
	Unpublish = "unpublish"
)

// An Activity is one thing that a user did or took back: an action of the rules such
// as like or unlike, its target, and the moment.
type Activity struct {
	User   string
	Action string // an action, an undo or a metric of the rules
	Target string // the user or thing it was done to; optional for a metric, and see ByRefAlone
	Ref    string // the comment's own id, if the rule takes one
	Value  *int64 // a metric's value
	Other  string // the other person: the giver of a like, the author of a post; only the forum names one
	At     board.Moment

	Award *Award // given or taken back; then there is no target, ref or value

	Restores bool // the last undo is taken back at the moment; the action stays as it was
	ByUser   bool // the user's own token reported it: the rules believe it less than the forum
}

// ByRefAlone reports whether an activity undoes or restores everything of its user and action that has its ref:
// it names no target. Only the forum may report it.
func (r *Rule) ByRefAlone(a *Activity) bool {
	return a.Target == "" && a.Ref != "" && r.TakesRef() && !r.TargetIsUser &&
		r.Undo != "" && (a.Action == r.Undo || a.Restores)
}

// Violations returns the activity's violations of the rules in force on its day, at
// most one for each field, nil if it can be recorded. It does not check the moment.
func (rs *Ruleset) Violations(a Activity) []Violation {
	var found []Violation
	add := func(location string, code Code, message string, value any) {
		if len(found) == 0 || found[len(found)-1].Location != location {
			found = append(found, Violation{Code: code, Location: location, Message: message, Value: value})
		}
	}
	id := func(location, id string, limit int) {
		if code, message := CheckID(id, limit); code != "" {
			add(location, code, message, id)
		}
	}
	id("user", a.User, MaxUserID)
	rule := rs.Find(a.Action)
	if rule == nil {
		add("action", CodeUnknownAction, "unknown action; the actions are "+strings.Join(rs.Words(), ", "), a.Action)
	}
	switch {
	case rule != nil && rule.ByRefAlone(&a):
		if a.ByUser {
			add("target", CodeServiceOnly, "only the service may leave out the target", nil)
		}
	case a.Target != "" || rule != nil && !rule.Metric:
		limit := MaxID
		if rule != nil && rule.TargetIsUser {
			limit = MaxUserID
		}
		id("target", a.Target, limit)
	}
	if a.Ref != "" {
		id("ref", a.Ref, MaxID)
	}
	if a.Other != "" {
		id("other", a.Other, MaxUserID)
	}
	if rule == nil {
		return found
	}
	if rule.ByOther && a.Other == "" && !rule.ByRefAlone(&a) {
		add("other", CodeMissingField, "missing required field; "+a.Action+" is reported with the other person", nil)
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

// A Violation is one thing wrong with input: its kind, its location, a message in English, and the value found there,
// nil where it would not help. The location is relative to the value that was checked: target, groups[2]; package
// request makes it body.activities[1].target.
type Violation struct {
	Code     Code
	Location string
	Message  string
	Value    any
}

// Violations gathers the violations of a value.
type Violations []Violation

// Check returns a function that adds a violation, unless the code is empty.
func (v *Violations) Check(location string, value any) func(Code, string) {
	return func(code Code, message string) {
		if code != "" {
			*v = append(*v, Violation{Code: code, Location: location, Message: message, Value: value})
		}
	}
}

// A Code is a kind of violation. Codes do not change; messages may.
type Code string

// The codes of all violations of Laurel.
const (
	CodeInvalidJSON       Code = "invalid_json"       // not JSON, not UTF-8, a name twice, trailing data
	CodeUnknownField      Code = "unknown_field"      // a name that the object does not have
	CodeMissingField      Code = "missing_field"      // a field that the object must have
	CodeWrongType         Code = "wrong_type"         // a string for a number, null, ...
	CodeEmpty             Code = "empty"              // a text without a character that shows
	CodeTooShort          Code = "too_short"          // a text, by its minLength
	CodeTooLong           Code = "too_long"           // a text, by its maxLength
	CodeTooFewItems       Code = "too_few_items"      // a list, by its minItems
	CodeTooManyItems      Code = "too_many_items"     // a list, by its maxItems
	CodeDuplicateItem     Code = "duplicate_item"     // an item that is in the list before
	CodeOutOfRange        Code = "out_of_range"       // a number
	CodeUnknownValue      Code = "unknown_value"      // none of an enumeration
	CodePattern           Code = "pattern"            // a text that does not match its pattern
	CodeInvalidUTF8       Code = "invalid_utf8"       // a text
	CodeControl           Code = "control_character"  // a text with a control, override or noncharacter
	CodeInvalidID         Code = "invalid_id"         // "." or "..", or with outer blanks
	CodeInvalidURL        Code = "invalid_url"        // not an absolute http or https URL
	CodeInvalidTime       Code = "invalid_time"       // not RFC 3339, or out of Laurel's time
	CodeTooEarly          Code = "too_early"          // a moment ahead of the clock
	CodeTooLate           Code = "too_late"           // a moment too long ago
	CodeUnknownAction     Code = "unknown_action"     // not in the rules of its day
	CodeOutsideRules      Code = "outside_rules"      // a value that the rules of its day do not allow
	CodeNotApplicable     Code = "not_applicable"     // a ref, a value or restores that the action does not take
	CodeServiceOnly       Code = "service_only"       // a field that only the forum's service may set
	CodeForbidden         Code = "forbidden_action"   // an action that the sender may not report
	CodeOwnID             Code = "own_id"             // following oneself
	CodeOtherID           Code = "other_id"           // an id that is not the path's
	CodeNotSupported      Code = "not_supported"      // a part that this deployment does not have
	CodeMediaType         Code = "media_type"         // of a body
	CodeNoBody            Code = "no_body"            // a body where none belongs
	CodeInvalidQuery      Code = "invalid_query"      // not readable
	CodeUnknownParameter  Code = "unknown_parameter"  // of a query
	CodeMissingParameter  Code = "missing_parameter"  // of a query
	CodeRepeatedParameter Code = "repeated_parameter" // of a query
	CodeInvalidPeriod     Code = "invalid_period"     // of a window
)

// maxEcho is how much of a value a violation shows, in bytes.
const maxEcho = 200

// Shorten truncates a text that is too long for a violation or a line of a log.
func Shorten(s string) string {
	if len(s) <= maxEcho {
		return s
	}
	return strings.ToValidUTF8(s[:maxEcho], "") + "…"
}
