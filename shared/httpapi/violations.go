package httpapi

import (
	"errors"
	"fmt"

	"github.com/danielgtaylor/huma/v2"

	"laurel/shared/activity"
	"laurel/shared/request"
)

// violation is a violation as the error of an input, which huma lists with its own.
type violation activity.Violation

func newViolation(code activity.Code, location, message string, value any) violation {
	if text, ok := value.(string); ok {
		value = activity.Shorten(text)
	}
	return violation{Code: code, Location: location, Message: message, Value: value}
}

// Error returns the location and the message.
func (v violation) Error() string { return v.Location + ": " + v.Message }

// ErrorDetail hands the violation on, as the framework does not know its code.
func (v violation) ErrorDetail() *huma.ErrorDetail {
	return &huma.ErrorDetail{Value: v}
}

// problemWith returns the answer that lists what is wrong with a body and with the
// rest of its request, nil when nothing is. What is forbidden decides the status, as
// nothing else would help; the other violations are listed all the same.
func problemWith(found *request.Violations, rest []error) *Problem {
	if !found.Malformed() {
		for _, err := range rest {
			if v, ok := errors.AsType[violation](err); ok {
				found.AddFirst(activity.Violation(v))
			}
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
	listed := make([]violation, len(all))
	for i, v := range all {
		listed[i] = violation(v)
	}
	return newProblem(code, detail, listed...)
}
