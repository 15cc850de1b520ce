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

// An Activity is one thing that a user did, or took back: a word of the rules
// such as like or unlike, its target, and the moment.
type Activity struct {
	User   string
	Action string // a rule's action, undo or metric
	Target string // what it was done to; a metric needs none
	Ref    string // the comment's own id, where the rule takes one
	Value  *int64 // a metric's value
	At     board.Moment
}

// A Fault is one thing wrong with an activity: the field by its name in JSON, a
// sentence, and the value met.
type Fault struct {
	Field   string
	Message string
	Value   any
}

// Faults returns everything that is wrong with the activity by the rules in
// force on its day, nil when it can be recorded. It does not look at the moment.
func (rs *Ruleset) Faults(a Activity) []Fault {
	var faults []Fault
	add := func(field, message string, value any) {
		faults = append(faults, Fault{Field: field, Message: message, Value: value})
	}
	if message := CheckID(a.User, MaxUserID); message != "" {
		add("user", message, a.User)
	}
	rule, known := rs.Rule(a.Action)
	if !known {
		add("action", "unknown action; the actions are "+strings.Join(rs.Words(), ", "), a.Action)
	}
	if a.Target != "" || (known && !rule.Metric) {
		if message := CheckID(a.Target, MaxID); message != "" {
			add("target", message, a.Target)
		} else if known && rule.TargetIsUser && len(a.Target) > MaxUserID {
			add("target", CheckID(a.Target, MaxUserID), a.Target)
		}
	}
	if a.Ref != "" {
		if message := CheckID(a.Ref, MaxID); message != "" {
			add("ref", message, a.Ref)
		}
		if known && !rule.TakesRef() {
			add("ref", "does not belong to the action "+a.Action, a.Ref)
		}
	}
	if known {
		if message := rule.checkValue(a.Value); message != "" {
			var value any
			if a.Value != nil {
				value = *a.Value
			}
			add("value", message, value)
		}
	}
	return faults
}

func (r Rule) checkValue(value *int64) string {
	switch {
	case !r.Metric && value != nil:
		return "does not belong to the action " + r.Action
	case r.Metric && value == nil:
		return "is missing; " + r.Action + " is reported with a value"
	case r.Metric && (*value < r.Min || *value > r.Max):
		return fmt.Sprintf("must be from %d to %d", r.Min, r.Max)
	default:
		return ""
	}
}

// CheckID says what is wrong with an id, or nothing: ids are 1 to limit bytes of
// UTF-8 without control characters, and neither "." nor "..".
func CheckID(id string, limit int) string {
	switch {
	case id == "":
		return "must not be empty"
	case len(id) > limit:
		return fmt.Sprintf("must be at most %d bytes", limit)
	case id == "." || id == "..":
		return `must not be "." or ".."`
	case !utf8.ValidString(id):
		return "must be UTF-8"
	case strings.ContainsFunc(id, unicode.IsControl):
		return "must not contain control characters"
	default:
		return ""
	}
}
