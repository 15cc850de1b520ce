package httpapi

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"laurel/shared/activity"
	"laurel/shared/request"
)

// integerForm is an integer as JSON has it.
var integerForm = regexp.MustCompile(`^-?(0|[1-9]\d{0,17})$`)

// parameterViolations returns what is wrong with the values of a parameter of the query.
func parameterViolations(at string, values []string, p *huma.Param) (found []error) {
	switch {
	case len(values) == 0 && p.Required:
		return []error{newViolation(activity.CodeMissingParameter, at, "missing required parameter", nil)}
	case p.Schema.Type != huma.TypeArray:
		if len(values) == 1 && values[0] != "" { // queryViolations has the others
			return valueViolations(at, values[0], p.Schema)
		}
		return nil
	case len(values) > *p.Schema.MaxItems:
		message := "must have at most " + strconv.Itoa(*p.Schema.MaxItems) + " items"
		return []error{newViolation(activity.CodeTooManyItems, at, message, len(values))}
	}
	for i, value := range values {
		at := fmt.Sprintf("%s[%d]", at, i)
		if p.Schema.UniqueItems && slices.Contains(values[:i], value) {
			found = append(found, newViolation(activity.CodeDuplicateItem, at, "duplicate item", value))
		}
		found = append(found, valueViolations(at, value, p.Schema.Items)...)
	}
	return found
}

// valueViolations returns what is wrong with the value of a parameter by its schema. It
// panics at a schema that it cannot check, as the document would promise what nothing
// checks.
func valueViolations(at, value string, s *huma.Schema) []error {
	one := func(code activity.Code, message string) []error {
		return []error{newViolation(code, at, message, value)}
	}
	switch s.Type {
	case huma.TypeInteger:
		if !integerForm.MatchString(value) {
			return one(activity.CodeWrongType, "must be an integer")
		}
		n, _ := strconv.ParseInt(value, 10, 64) // it is one
		if float64(n) < *s.Minimum || float64(n) > *s.Maximum {
			return one(activity.CodeOutOfRange, fmt.Sprintf("must be from %.0f to %.0f", *s.Minimum, *s.Maximum))
		}
	case huma.TypeString:
		if len(s.Enum) > 0 && !slices.Contains(s.Enum, any(value)) {
			return one(activity.CodeUnknownValue, "must be one of "+words(s.Enum))
		}
		if code, message := request.Check(s.Format, value); code != "" {
			return one(code, message)
		}
	default:
		panic(fmt.Sprintf("httpapi: a parameter of type %q is not checked", s.Type))
	}
	return nil
}
