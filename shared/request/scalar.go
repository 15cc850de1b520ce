package request

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"laurel/shared/activity"
)

// scalar sets a text, an integer or a boolean, and reports whether it was taken.
func (d *decoder) scalar(p *plan, raw jsontext.Value, into reflect.Value) bool {
	switch p.kind {
	case reflect.String:
		return d.text(p, raw, into)
	case reflect.Int64:
		return d.integer(p, raw, into)
	default:
		return d.boolean(raw, into)
	}
}

func (d *decoder) text(p *plan, raw jsontext.Value, into reflect.Value) bool {
	if raw.Kind() == jsontext.KindNull && p.null {
		return true
	}
	if raw.Kind() != '"' {
		d.add(activity.CodeWrongType, "must be a string", echo(raw))
		return false
	}
	text := unquote(raw)
	code, message := p.checkText(text)
	if code != "" {
		d.add(code, message, text)
		return false
	}
	into.SetString(text)
	return true
}

// checkText returns the violation of a text, as its code and message.
func (p *plan) checkText(text string) (activity.Code, string) {
	switch {
	case text == "" && p.minLength > 0:
		return activity.CodeEmpty, "must not be empty"
	case p.maxLength >= 0 && utf8.RuneCountInString(text) > p.maxLength:
		return activity.CodeTooLong, fmt.Sprintf("must be at most %d characters", p.maxLength)
	case p.enum != nil && !slices.Contains(p.enum, text):
		return activity.CodeUnknownValue, "must be one of " + strings.Join(p.enum, ", ")
	case p.format != nil:
		return p.format.check(text)
	default:
		return "", ""
	}
}

func (d *decoder) integer(p *plan, raw jsontext.Value, into reflect.Value) bool {
	n, whole := int64(0), false
	if raw.Kind() == '0' {
		n, whole = integerOf(string(raw))
	}
	switch {
	case !whole:
		d.add(activity.CodeWrongType, "must be an integer", echo(raw))
		return false
	case n < p.minimum || n > p.maximum:
		d.add(activity.CodeOutOfRange, fmt.Sprintf("must be from %d to %d", p.minimum, p.maximum), n)
		return false
	}
	into.SetInt(n)
	return true
}

// integerOf reads a number of JSON. As that has only one kind of numbers, 5.0 and 1e3
// are integers; beyond 2^53 they can't be told from others.
func integerOf(text string) (int64, bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(text, 64)
	return int64(f), err == nil && f == math.Trunc(f) && math.Abs(f) <= 1<<53
}

func (d *decoder) boolean(raw jsontext.Value, into reflect.Value) bool {
	if kind := raw.Kind(); kind != 't' && kind != 'f' {
		d.add(activity.CodeWrongType, "must be a boolean", echo(raw))
		return false
	}
	into.SetBool(raw.Kind() == 't')
	return true
}

// unquote returns the text of a string of JSON.
func unquote(raw jsontext.Value) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	text, _ := jsontext.AppendUnquote(nil, raw) // the decoder has read it
	return string(text)
}

// echo returns an invalid value as a violation shows it: nil for objects, arrays, and
// numbers that are too long, or too large for who reads that.
func echo(raw jsontext.Value) any {
	switch raw.Kind() {
	case '"':
		return unquote(raw)
	case '{', '[':
		return nil
	case '0':
		if _, err := strconv.ParseFloat(string(raw), 64); err != nil || len(raw) > 200 {
			return nil
		}
		return raw.Clone()
	default: // true, false, null
		return raw.Clone()
	}
}
