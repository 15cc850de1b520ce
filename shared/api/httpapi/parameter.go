package httpapi

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"laurel/shared/api/wire"
	"laurel/shared/core/activity"
)

// A parameter is one of a path or a query. Of an operation it is a field of the handler's input, whose tags are:
//
//	path, query                of which it is one, and its name; query:"name,explode": a list that repeats the name;
//	                           other lists have their items in one value, separated by commas
//	enum, format               of a text, or of the items of a list: its values, and the name of a format of request
//	minimum, maximum           of an integer
//	default                    its value when it is left out
//	required                   whether it must be given
//	maxItems, uniqueItems      of a list
type parameter struct {
	name             string
	index            []int // of the field
	path             bool  // else of the query
	list, explode    bool
	unique, required bool
	most             int // items of a list
	integer          bool
	minimum, maximum int64
	enum             []string
	format           string
	initial          string
}

// parametersOf returns the parameters of a struct at an index, and of structs that it embeds.
func parametersOf(t reflect.Type, path []int) (all []parameter) {
	for i := range t.NumField() {
		f, index := t.Field(i), append(slices.Clone(path), i)
		if f.Anonymous {
			all = append(all, parametersOf(f.Type, index)...)
			continue
		}
		p := parameter{index: index, format: f.Tag.Get("format"), initial: f.Tag.Get("default")}
		p.name, p.path = f.Tag.Lookup("path")
		if !p.path {
			var style string
			p.name, style, _ = strings.Cut(f.Tag.Get("query"), ",")
			p.explode = style == "explode"
		}
		if values, ok := f.Tag.Lookup("enum"); ok {
			p.enum = strings.Split(values, ",")
		}
		p.list, p.integer = f.Type.Kind() == reflect.Slice, reflect.Zero(f.Type).CanInt()
		p.unique, p.required = f.Tag.Get("uniqueItems") == "true", f.Tag.Get("required") == "true"
		p.minimum, _ = strconv.ParseInt(f.Tag.Get("minimum"), 10, 64) // a test reads the tags of all
		p.maximum, _ = strconv.ParseInt(f.Tag.Get("maximum"), 10, 64)
		p.most, _ = strconv.Atoi(f.Tag.Get("maxItems"))
		all = append(all, p)
	}
	return all
}

// fill returns a function that sets the fields of an operation's input to the parameters of a request without
// violations.
func (x *exchange) fill(parameters []parameter) func(in any) {
	return func(in any) {
		for _, p := range parameters {
			field, values := reflect.ValueOf(in).Elem().FieldByIndex(p.index), x.query[p.name]
			if p.path {
				values = []string{x.PathValue(p.name)}
			} else if len(values) == 0 && p.initial != "" {
				values = []string{p.initial}
			}
			switch {
			case len(values) == 0:
			case p.list:
				field.Set(reflect.ValueOf(p.items(values)))
			case p.integer:
				n, _ := strconv.ParseInt(values[0], 10, 64) // it was looked at
				field.SetInt(n)
			default:
				field.SetString(values[0])
			}
		}
	}
}

// items returns the items of a list that has values.
func (p *parameter) items(values []string) []string {
	if p.explode {
		return values
	}
	return strings.Split(values[0], ",")
}

// parameterViolations returns the violations of the parameters of a request, and with its query, of which err says
// why it is not readable: names that the operation does not have, values that are empty or repeated.
func parameterViolations(x *exchange, parameters []parameter, err error) (found activity.Violations) {
	if err != nil {
		found = append(found, newViolation(activity.CodeInvalidQuery, "query", "invalid query: "+err.Error(), x.URL.RawQuery))
	}
	for i := range parameters {
		p := &parameters[i]
		if p.path {
			value := x.PathValue(p.name)
			found.Check("path."+p.name, activity.Shorten(value))(p.check(value))
		} else if values := x.query[p.name]; p.required || len(values) > 0 {
			found = append(found, p.violations(values)...)
		}
	}
	var periods []activity.Violation
	for _, name := range slices.Sorted(maps.Keys(x.query)) {
		i := slices.IndexFunc(parameters, func(p parameter) bool { return !p.path && p.name == name })
		switch values := x.query[name]; {
		case i < 0:
			place := "query." + activity.Shorten(name)
			found = append(found, newViolation(activity.CodeUnknownParameter, place, "unknown parameter", values[0]))
			continue
		case parameters[i].explode:
		case len(values) > 1:
			found = append(found, newViolation(
				activity.CodeRepeatedParameter, "query."+name, "must not be repeated", strings.Join(values, ", ")))
		case values[0] == "":
			found = append(found, newViolation(activity.CodeEmpty, "query."+name, "must not be empty", ""))
		}
		if parameters[i].format == "period" {
			periods = append(periods, periodViolations(x.PathValue("window"), "query."+name, x.query.Get(name))...)
		}
	}
	return append(found, periods...)
}

// violations returns the violations of the values of a parameter of the query. Of values that are empty or
// repeated parameterViolations tells.
func (p *parameter) violations(values []string) (found activity.Violations) {
	place := "query." + p.name
	if len(values) == 0 {
		missing := newViolation(activity.CodeMissingParameter, place, "missing required parameter", nil)
		return []activity.Violation{missing}
	}
	if !p.list {
		if len(values) == 1 && values[0] != "" {
			found.Check(place, activity.Shorten(values[0]))(p.check(values[0]))
		}
		return found
	}
	if !p.explode && values[0] == "" {
		return nil
	}
	values = p.items(values)
	if len(values) > p.most {
		message := fmt.Sprintf("must have at most %d items", p.most)
		return []activity.Violation{newViolation(activity.CodeTooManyItems, place, message, len(values))}
	}
	for i, value := range values {
		place := fmt.Sprintf("%s[%d]", place, i)
		if p.unique && slices.Contains(values[:i], value) {
			found = append(found, newViolation(activity.CodeDuplicateItem, place, "duplicate item", value))
		}
		found.Check(place, activity.Shorten(value))(p.check(value))
	}
	return found
}

// check returns the violation of a value of a parameter, or of an item of its list, no code for nothing.
func (p *parameter) check(value string) (code activity.Code, message string) {
	switch {
	case !p.integer && p.enum != nil && !slices.Contains(p.enum, value):
		return activity.CodeUnknownValue, "must be one of " + words(p.enum)
	case !p.integer && p.format != "":
		return wire.Check(p.format, value)
	case !p.integer:
		return "", ""
	case !isInteger(value):
		return activity.CodeWrongType, "must be an integer"
	}
	if n, _ := strconv.ParseInt(value, 10, 64); n < p.minimum || n > p.maximum {
		return activity.CodeOutOfRange, fmt.Sprintf("must be from %d to %d", p.minimum, p.maximum)
	}
	return "", ""
}

// isInteger says whether a text is an integer as JSON has it, of at most 18 digits.
func isInteger(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	return digits != "" && len(digits) <= 18 && strings.Trim(digits, "0123456789") == "" &&
		(digits == "0" || digits[0] != '0')
}
