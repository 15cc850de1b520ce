package request

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"laurel/shared/activity"
)

// An Erasure asks for a user to be erased.
type Erasure struct {
	User string `json:"erase" format:"user-id" example:"ann"`
}

// A Message is what a message of the queue has: activities, or the user whom it asks
// to erase.
type Message struct {
	Activities []activity.Activity
	Erase      string
}

// Message decodes a message: {"activities":[...]}, one activity alone, or
// {"erase":"ann"}, by the first of the names activities and erase that it has.
func (r ReportDecoder) Message(body []byte) (Message, *Violations) {
	switch form(body) {
	case "activities":
		acts, found := r.Report(body)
		return Message{Activities: acts}, found
	case "erase":
		return r.erasure(body)
	default:
		acts, found := r.one(body)
		return Message{Activities: acts}, found
	}
}

func (r ReportDecoder) erasure(body []byte) (Message, *Violations) {
	var e Erasure
	found := Decode(body, &e)
	code, message := activity.CheckID(e.User, activity.MaxUserID)
	if !r.Sender.Service {
		code, message = activity.CodeForbidden, "only the service may erase a user"
	}
	if code != "" {
		found.AddAt("body", activity.Violation{Code: code, Location: "erase", Message: message, Value: e.User})
	}
	return Message{Erase: e.User}, found
}

// form returns which of the names activities and erase a body has, neither of which
// an activity has.
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
