package httpapi

import (
	"fmt"

	"laurel/shared/activity"
	"laurel/shared/request"
)

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
