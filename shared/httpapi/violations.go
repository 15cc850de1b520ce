package httpapi

import (
	_ "embed"
	"fmt"
	"iter"
	"strings"

	"laurel/shared/activity"
	"laurel/shared/request"
)

// A ViolationCode is a kind of violation and what it means.
type ViolationCode struct {
	Code    activity.Code
	Meaning string
}

// meanings has a line for each kind: its code, and what it means.
//
//go:embed violations.txt
var meanings string

// ViolationCodes returns every kind of violation, the document's own words first.
func ViolationCodes() (all []ViolationCode) {
	for code, meaning := range pairs(meanings) {
		all = append(all, ViolationCode{activity.Code(code), meaning})
	}
	return all
}

// pairs returns the words before and after the colon of each line.
func pairs(text string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for line := range strings.Lines(text) {
			if word, what, _ := strings.Cut(strings.TrimSpace(line), ": "); !yield(word, what) {
				return
			}
		}
	}
}

func newViolation(code activity.Code, location, message string, value any) activity.Violation {
	if text, ok := value.(string); ok {
		value = activity.Shorten(text)
	}
	return activity.Violation{Code: code, Location: location, Message: message, Value: value}
}

// problemWith returns the answer that lists what is wrong with a body and with the
// rest of its request, nil when nothing is. What is forbidden decides the status, as
// nothing else would help; the other violations are listed all the same.
func problemWith(found *request.Violations, rest []activity.Violation) *Problem {
	if !found.Malformed() {
		for _, v := range rest {
			found.AddFirst(v)
		}
	}
	all := found.All()
	code, detail := CodeInvalid, "validation failed"
	switch {
	case len(all) == 0:
		return nil
	case found.Malformed():
		code, detail = CodeInvalidJSON, "the body is not valid JSON"
	case found.Forbidden():
		code, detail = CodeForbidden, "the caller may not do some of this"
	}
	if n := found.Count(); n > len(all) {
		detail += fmt.Sprintf("; only the first %d of %d violations are listed", len(all), n)
	}
	return newProblem(code, detail, all...)
}
