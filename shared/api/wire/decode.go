package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"laurel/shared/core/activity"
)

const missing = "missing required field"

// Decode decodes a body into the struct that a pointer points to, and returns the violations of the struct's tags.
// Values that could not be decoded are zero.
func Decode(body []byte, into any) *Violations {
	v := reflect.ValueOf(into).Elem()
	d := decoder{json: jsontext.NewDecoder(bytes.NewBuffer(body)), found: &Violations{}}
	_, err := d.value(planOf(v.Type()), v)
	if err == nil {
		_, err = d.json.ReadToken()
		switch {
		case err == nil:
			err = errors.New("trailing data after the JSON value")
		case errors.Is(err, io.EOF):
			err = nil
		}
	}
	if err != nil {
		v.SetZero()
		d.found = &Violations{malformed: true}
		d.found.Add(activity.Violation{Code: activity.CodeInvalidJSON, Location: "body", Message: reason(err)})
	}
	return d.found
}

// decoder decodes one body. An error of its methods is about bytes that are not JSON.
type decoder struct {
	json  *jsontext.Decoder
	found *Violations
	path  []step // from the body to where it is
}

// step is a field or an item on the way to a value.
type step struct {
	name  string
	index int // -1 for a field
}

// add adds a violation where the decoder is, or steps beyond.
func (d *decoder) add(code activity.Code, message string, value any, beyond ...step) {
	var location strings.Builder
	location.WriteString("body")
	for _, s := range slices.Concat(d.path, beyond) {
		if s.index < 0 {
			location.WriteString("." + s.name)
		} else {
			fmt.Fprintf(&location, "[%d]", s.index)
		}
	}
	d.found.Add(activity.Violation{Code: code, Location: location.String(), Message: message, Value: value})
}

// value decodes the next value, and reports whether it was taken.
func (d *decoder) value(p *plan, into reflect.Value) (ok bool, err error) {
	target := into
	if p.ptr {
		target = reflect.New(into.Type().Elem()).Elem()
	}
	switch p.kind {
	case reflect.Struct:
		ok, err = d.object(p, target)
	case reflect.Slice:
		ok, err = d.list(p, target)
	default:
		var raw jsontext.Value
		if raw, err = d.json.ReadValue(); err == nil {
			ok = d.scalar(p, raw, target)
		}
	}
	if p.ptr && ok {
		into.Set(target.Addr())
	}
	return ok, err
}

func (d *decoder) object(p *plan, into reflect.Value) (ok bool, err error) {
	if ok, err := d.open('{', "must be an object"); !ok {
		return false, err
	}
	given := make([]bool, len(p.fields))
	for d.json.PeekKind() != '}' {
		name, err := d.json.ReadValue()
		if err != nil {
			return false, err
		}
		if i, known := p.names[unquote(name)]; !known {
			err = d.unknown(unquote(name))
		} else {
			given[i] = true
			f := &p.fields[i]
			d.path = append(d.path, f.step)
			_, err = d.value(f.plan, into.FieldByIndex(f.index))
			d.path = d.path[:len(d.path)-1]
		}
		if err != nil {
			return false, err
		}
	}
	for i, f := range p.fields {
		if f.required && !given[i] {
			d.add(activity.CodeMissingField, missing, nil, f.step)
		}
	}
	_, err = d.json.ReadToken()
	return err == nil, err
}

// unknown skips the value of a field that the object does not have.
func (d *decoder) unknown(name string) error {
	value, err := d.json.ReadValue()
	if err != nil {
		return err
	}
	d.add(activity.CodeUnknownField, "unknown field", echo(value), step{activity.Shorten(name), -1})
	return nil
}

// list decodes an array. Items beyond the most are counted and not decoded; one that
// is not taken leaves a zero value, so that items keep their indexes.
func (d *decoder) list(p *plan, into reflect.Value) (ok bool, err error) {
	if ok, err := d.open('[', "must be an array"); !ok {
		return false, err
	}
	if p.empty {
		into.Set(reflect.MakeSlice(into.Type(), 0, 0))
	}
	seen := map[string]bool{}
	n := 0
	for ; d.json.PeekKind() != ']'; n++ {
		if n >= p.maxItems {
			if err := d.json.SkipValue(); err != nil {
				return false, err
			}
			continue
		}
		into.Grow(1)
		into.SetLen(n + 1)
		d.path = append(d.path, step{index: n})
		ok, err := d.value(p.items, into.Index(n))
		if ok && p.unique {
			text := into.Index(n).String()
			if seen[text] {
				d.add(activity.CodeDuplicateItem, "duplicate item", text)
			}
			seen[text] = true
		}
		d.path = d.path[:len(d.path)-1]
		if err != nil {
			return false, err
		}
	}
	switch {
	case n < p.minItems:
		d.add(activity.CodeTooFewItems, "must have at least "+items(p.minItems), n)
	case n > p.maxItems:
		d.add(activity.CodeTooManyItems, "must have at most "+items(p.maxItems), n)
	}
	_, err = d.json.ReadToken()
	return err == nil, err
}

// open reads the beginning of an object or array. Anything else is a violation.
func (d *decoder) open(kind jsontext.Kind, message string) (bool, error) {
	if d.json.PeekKind() == kind {
		_, err := d.json.ReadToken()
		return err == nil, err
	}
	value, err := d.json.ReadValue()
	if err == nil {
		d.add(activity.CodeWrongType, message, echo(value))
	}
	return false, err
}

// reason returns in a few words why bytes are not JSON.
func reason(err error) string {
	if errors.Is(err, io.EOF) {
		return "must not be empty"
	}
	message := strings.TrimPrefix(err.Error(), "jsontext: ")
	if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		message = fmt.Sprintf("%s, at byte %d", strings.TrimPrefix(e.Err.Error(), "jsontext: "), e.ByteOffset)
	}
	return "invalid JSON: " + activity.Shorten(message)
}

// items returns how many items in words.
func items(n int) string {
	if n == 1 {
		return "1 item"
	}
	return strconv.Itoa(n) + " items"
}
