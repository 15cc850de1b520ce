package httpapi

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laurel/shared/activity"
	"laurel/shared/request"
)

// isInteger says whether a text is an integer as JSON has it, of at most 18 digits.
func isInteger(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	return digits != "" && len(digits) <= 18 && strings.Trim(digits, "0123456789") == "" &&
		(digits == "0" || digits[0] != '0')
}

// parameterViolations returns what is wrong with the values of a parameter of the query.
func parameterViolations(values []string, p *huma.Param) (found []activity.Violation) {
	at := func() string { return "query." + p.Name }
	switch {
	case len(values) == 0 && p.Required:
		return []activity.Violation{newViolation(activity.CodeMissingParameter, at(), "missing required parameter", nil)}
	case p.Schema.Type != huma.TypeArray:
		if len(values) == 1 && values[0] != "" { // queryViolations has the others
			if code, message := check(values[0], p.Schema); code != "" {
				return []activity.Violation{newViolation(code, at(), message, values[0])}
			}
		}
		return nil
	case len(values) > *p.Schema.MaxItems:
		message := "must have at most " + strconv.Itoa(*p.Schema.MaxItems) + " items"
		return []activity.Violation{newViolation(activity.CodeTooManyItems, at(), message, len(values))}
	}
	for i, value := range values {
		at := func() string { return fmt.Sprintf("%s[%d]", at(), i) }
		if p.Schema.UniqueItems && slices.Contains(values[:i], value) {
			found = append(found, newViolation(activity.CodeDuplicateItem, at(), "duplicate item", value))
		}
		if code, message := check(value, p.Schema.Items); code != "" {
			found = append(found, newViolation(code, at(), message, value))
		}
	}
	return found
}

// check returns what is wrong with the value of a parameter by its schema, no code for nothing. It
// panics at a schema that it cannot check, as the document would promise what nothing
// checks.
func check(value string, s *huma.Schema) (code activity.Code, message string) {
	switch s.Type {
	case huma.TypeInteger:
		if !isInteger(value) {
			return activity.CodeWrongType, "must be an integer"
		}
		n, _ := strconv.ParseInt(value, 10, 64) // it is one
		if float64(n) < *s.Minimum || float64(n) > *s.Maximum {
			return activity.CodeOutOfRange, fmt.Sprintf("must be from %.0f to %.0f", *s.Minimum, *s.Maximum)
		}
	case huma.TypeString:
		if len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, func(v any) bool { return v == value }) {
			return activity.CodeUnknownValue, "must be one of " + words(s.Enum)
		}
		return request.Check(s.Format, value)
	default:
		panic(fmt.Sprintf("httpapi: a parameter of type %q is not checked", s.Type))
	}
	return "", ""
}
