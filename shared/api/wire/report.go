package wire

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"laurel/shared/api/auth"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

// How many activities one report may have; the second is in the tag of Report too.
const (
	MaxByUser    = 100
	MaxByService = 500
)

// A Report has activities that users did or took back.
type Report struct {
	Activities []ReportedActivity `json:"activities" minItems:"1" maxItems:"500"`
}

// A ReportedActivity is one thing that a user did or took back. The other fields that it may and must have depend on
// the rules, and on the sender.
type ReportedActivity struct {
	Action string `json:"action" minLength:"1"`
	Target string `json:"target,omitempty" format:"id"`
	Ref    string `json:"ref,omitempty" format:"id"`
	Value  *int64 `json:"value,omitempty" minimum:"-9007199254740991" maximum:"9007199254740991"`
	User   string `json:"user,omitempty" format:"user-id"`
	At     string `json:"at,omitempty" format:"moment"`

	Restores *bool  `json:"restores,omitempty"`
	Other    string `json:"other,omitempty" format:"user-id"`
}

// A ReportDecoder decodes reports by the rules, the sender and the time of arrival.
type ReportDecoder struct {
	Rules    *activity.Rules
	Calendar *board.Calendar
	Sender   auth.Caller
	Moment   board.Moment // of activities that have none of their own
}

// Report decodes {"activities":[...]}. The activities can be recorded if there are no violations.
func (r ReportDecoder) Report(body []byte) ([]activity.Activity, *Violations) {
	var report Report
	found := Decode(body, &report)
	given := report.Activities
	if n := len(given); n > MaxByUser && !r.Sender.Service {
		found.AddAt("body", activity.Violation{
			Code: activity.CodeTooManyItems, Location: "activities", Message: "must have at most " + items(MaxByUser), Value: n,
		})
		given = given[:MaxByUser]
	}
	acts := make([]activity.Activity, len(given))
	repeats := intents{}
	for i := range given {
		var violations []activity.Violation
		if acts[i], violations = r.check(&given[i], repeats); len(violations) > 0 {
			found.AddAt(fmt.Sprintf("body.activities[%d]", i), violations...)
		}
	}
	return acts, found
}

// An intent is an action or its undo of one user on one target, or by one ref.
type intent struct {
	user, action, target, ref string
	other                     string // where the rule has one entry for each other person
	any                       bool   // with the ref on any target, and not by the ref alone
}

// intents are the moments, in milliseconds, at which a report's next activity of each intent is taken, of those that
// have no moment of their own.
type intents map[intent]board.Moment

// next returns how long after the report's arrival the next activity of an intent is taken: 1 ms after the one before
// it, so that the last one wins. One by a ref alone comes after all with that ref, and all with that ref after it.
func (n intents) next(a activity.Activity, rules *activity.Ruleset) board.Moment {
	onTarget := intent{user: a.User, action: a.Action, target: a.Target}
	if rule := rules.Find(a.Action); rule != nil {
		if onTarget.action = rule.Action; rule.ByOther {
			onTarget.other = a.Other
		}
	}
	byRef, withRef := onTarget, onTarget
	byRef.target, byRef.other, byRef.ref = "", "", a.Ref
	withRef.target, withRef.other, withRef.ref, withRef.any = "", "", a.Ref, true
	switch {
	case a.Ref == "":
		n[onTarget]++
		return n[onTarget] - 1
	case a.Target == "":
		n[byRef] = max(n[byRef], n[withRef]) + 1
		return n[byRef] - 1
	default:
		n[onTarget] = max(n[onTarget], n[byRef]) + 1
		n[withRef] = max(n[withRef], n[onTarget])
		return n[onTarget] - 1
	}
}

// check returns the activity that a reported one is, and those of its violations that tags cannot express.
func (r ReportDecoder) check(given *ReportedActivity, repeats intents) (activity.Activity, []activity.Violation) {
	var found []activity.Violation
	add := func(location string, code activity.Code, message string, value any) {
		found = append(found, activity.Violation{Code: code, Location: location, Message: message, Value: value})
	}
	a := activity.Activity{
		User: r.Sender.User, Action: given.Action, Target: given.Target, Ref: given.Ref, Value: given.Value, At: r.Moment,
		ByUser: !r.Sender.Service,
	}
	if r.Sender.Service {
		a.User, a.Other, a.Restores = given.User, given.Other, given.Restores != nil && *given.Restores
		if sent, ok := moment(given.At); ok {
			a.At = sent
		} else if given.At != "" {
			add("at", rangeCode(given.At), momentForm, given.At)
		}
	} else {
		for _, f := range [...][2]string{{"user", given.User}, {"at", given.At}, {"other", given.Other}} {
			if f[1] != "" {
				add(f[0], activity.CodeServiceOnly, serviceOnly, f[1])
			}
		}
		if given.Restores != nil {
			add("restores", activity.CodeServiceOnly, serviceOnly, *given.Restores)
		}
	}
	if given.At == "" || !r.Sender.Service {
		a.At += repeats.next(a, r.Rules.On(r.Calendar.Date(a.At)))
	}
	rules := r.Rules.On(r.Calendar.Date(a.At))
	found = append(found, rules.Violations(a)...)
	if rule, by := rules.Find(a.Action), r.Sender.Reporter(); rule != nil && !rule.MayReport(by) {
		add("action", activity.CodeForbidden, fmt.Sprintf("the %s may not report this action", by), a.Action)
	}
	return a, found
}

const serviceOnly = "only the service may set this field"

const momentForm = "must be an RFC 3339 date and time with a zone, such as 2026-11-20T12:00:00Z, from 2000 to 2138"

// rangeCode returns the code of a moment of the right form that is out of Laurel's time by its zone.
func rangeCode(text string) activity.Code {
	if text < "21" {
		return activity.CodeTooLate
	}
	return activity.CodeTooEarly
}

// moment parses a moment of a body.
func moment(text string) (board.Moment, bool) {
	if text == "" {
		return 0, false
	}
	m, err := board.ParseMoment(text)
	return m, err == nil
}

// An Erasure asks for a user to be erased.
type Erasure struct {
	User string `json:"erase" format:"user-id"`
}

// A Message is the content of a message of the queue: activities, or the user whom it asks to erase.
type Message struct {
	Activities []activity.Activity
	Erase      string
}

// Message decodes a message: {"activities":[...]}, one activity alone, or
// {"erase":"ann"}, by the first of the names activities and erase that it has.
func (r ReportDecoder) Message(body []byte) (m Message, found *Violations) {
	switch form(body) {
	case "activities":
		m.Activities, found = r.Report(body)
	case "erase":
		var e Erasure
		if found = Decode(body, &e); !r.Sender.Service {
			found.AddAt("body", activity.Violation{
				Code: activity.CodeForbidden, Location: "erase", Message: "only the service may erase a user", Value: e.User,
			})
		}
		m.Erase = e.User
	default:
		var given ReportedActivity
		found = Decode(body, &given)
		act, violations := r.check(&given, intents{})
		found.AddAt("body", violations...)
		m.Activities = []activity.Activity{act}
	}
	return m, found
}

// form returns the first of the names activities and erase in a body, "" without one; an activity has neither.
func form(body []byte) string {
	json := jsontext.NewDecoder(bytes.NewBuffer(body))
	if token, err := json.ReadToken(); err != nil || token.Kind() != '{' {
		return ""
	}
	for json.PeekKind() == '"' {
		raw, err := json.ReadValue()
		if err != nil {
			return ""
		}
		if name := unquote(raw); name == "activities" || name == "erase" {
			return name
		}
		if json.SkipValue() != nil {
			return ""
		}
	}
	return ""
}
