package httpapi

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/request"
)

// Paging is which part of a list is asked for.
type Paging struct {
	Limit  int64 `query:"limit" minimum:"1" maximum:"100" default:"30" doc:"How many entries"`
	Offset int64 `query:"offset" minimum:"0" maximum:"2147483648" default:"0" doc:"How many entries to skip"`
}

// maxOffset is the highest offset, as the tags of all say.
const maxOffset = 1 << 31

// next returns the path of the page behind one with an offset and a length, nil at the end
// of the list. set has parameters that the request may have left out, name after name.
func next(ctx context.Context, offset, limit, total int64, set ...string) *string {
	after := offset + limit
	if after >= total || after > maxOffset {
		return nil
	}
	return nextAt(ctx, append(set, "offset", strconv.FormatInt(after, 10))...)
}

// nextAt returns the path of the request with some parameters changed.
func nextAt(ctx context.Context, set ...string) *string {
	u := exchangeOf(ctx).URL
	query := u.Query()
	for pair := range slices.Chunk(set, 2) {
		query.Set(pair[0], pair[1])
	}
	return new(u.EscapedPath() + "?" + query.Encode())
}

// WindowPath names a board and a window of it.
type WindowPath struct {
	Board  string `path:"board" example:"activity" doc:"A board of the rules"`
	Window string `path:"window" enum:"day,week,month,year,all" example:"day" doc:"A window that the board keeps"`
}

// BoardPath names a board, a window, and a period of it.
type BoardPath struct {
	WindowPath
	Period string `query:"period" format:"period" example:"2026-11-20"`
}

// UserPath names a user.
type UserPath struct {
	User string `path:"user" format:"user-id" example:"ann" doc:"A user's id"`
}

// queryViolations returns what is wrong with the parameters of a request by their schemas, and with its
// query: names that the operation does not have, values that are empty, repeated or not readable.
func queryViolations(ctx huma.Context) []activity.Violation {
	u := ctx.URL()
	query, err := url.ParseQuery(u.RawQuery)
	var found, periods []activity.Violation
	if body := ctx.BodyReader(); body != http.NoBody { // an operation that takes one has read it
		if n, _ := io.ReadFull(body, make([]byte, 1)); n > 0 {
			found = append(found, newViolation(activity.CodeNoBody, "body", "must be left out", nil))
		}
	}
	if err != nil {
		found = append(found, newViolation(activity.CodeInvalidQuery, "query", "invalid query: "+err.Error(), u.RawQuery))
	}
	parameters := ctx.Operation().Parameters
	for _, p := range parameters {
		switch {
		case p.In == "query" && (p.Required || len(query[p.Name]) > 0):
			found = append(found, parameterViolations(query[p.Name], p)...)
		case p.In == "path":
			if code, message := check(ctx.Param(p.Name), p.Schema); code != "" {
				found = append(found, newViolation(code, "path."+p.Name, message, ctx.Param(p.Name)))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		i := slices.IndexFunc(parameters, func(p *huma.Param) bool { return p.In == "query" && p.Name == name })
		many := i >= 0 && isExploded(parameters[i])
		switch values := query[name]; {
		case i < 0:
			at := "query." + activity.Shorten(name)
			found = append(found, newViolation(activity.CodeUnknownParameter, at, "unknown parameter", values[0]))
		case len(values) > 1 && !many:
			found = append(found, newViolation(
				activity.CodeRepeatedParameter, "query."+name, "must not be repeated", strings.Join(values, ", ")))
		case slices.Contains(values, "") && !many:
			found = append(found, newViolation(activity.CodeEmpty, "query."+name, "must not be empty", ""))
		}
		if i >= 0 && parameters[i].Schema.Format == "period" {
			periods = append(periods, periodViolations(ctx.Param("window"), "query."+name, query.Get(name))...)
		}
	}
	return append(found, periods...)
}

// isExploded says whether a parameter is a list whose items are repeated, not all in one value.
func isExploded(p *huma.Param) bool { return p.Explode != nil && *p.Explode }

// window returns the window, which was looked at before: what a board does not keep has no operation.
func (p WindowPath) window() board.Window {
	w, _ := board.ParseWindow(p.Window)
	return w
}

// periodViolations returns what is wrong with the name of a period of a window, when there is one.
func periodViolations(window, at, name string) []activity.Violation {
	w, err := board.ParseWindow(window)
	if name == "" || err != nil {
		return nil
	}
	if _, err := board.ParsePeriod(w, name); err != nil {
		message := strings.TrimPrefix(err.Error(), "board: ")
		return []activity.Violation{newViolation(activity.CodeInvalidPeriod, at, message, name)}
	}
	return nil
}

// period returns the period asked for: the one named, or the one of a day.
func (p BoardPath) period(today board.Date) board.Period {
	if p.Period == "" {
		return board.PeriodOf(p.window(), today)
	}
	period, _ := board.ParsePeriod(p.window(), p.Period) // periodViolations has looked
	return period
}

// words lists names in a sentence.
func words[T any](names []T) string {
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = fmt.Sprint(name)
	}
	return strings.Join(texts, ", ")
}

// isInteger says whether a text is an integer as JSON has it, of at most 18 digits.
func isInteger(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	return digits != "" && len(digits) <= 18 && strings.Trim(digits, "0123456789") == "" &&
		(digits == "0" || digits[0] != '0')
}

// parameterViolations returns what is wrong with the values of a parameter of the query.
func parameterViolations(values []string, p *huma.Param) (found []activity.Violation) {
	if p.Schema.Type == huma.TypeArray && !isExploded(p) {
		if values[0] == "" { // queryViolations has it
			return nil
		}
		values = strings.Split(values[0], ",")
	}
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

// check returns what is wrong with the value of a parameter by its schema, no code for nothing. It panics at
// a schema that it cannot check, as the document would promise what nothing checks.
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
