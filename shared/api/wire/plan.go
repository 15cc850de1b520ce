package wire

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"laurel/shared/core/activity"
)

// A plan is how values of a type are decoded: made once of the type and its tags.
type plan struct {
	kind   reflect.Kind   // Struct, Slice, String, Int64, Bool or Interface
	ptr    bool           // the Go value is a pointer to that
	null   bool           // null is a value too: "", behind a pointer if it is one
	fields []field        // of a struct
	names  map[string]int // of the fields, in JSON
	items  *plan          // of a slice
	empty  bool           // an empty slice is not as one that is left out

	minItems, maxItems   int
	unique               bool
	minLength, maxLength int
	enum                 []string
	format               *Format // nil for one that is for the document alone
	minimum, maximum     int64
}

// field is a field of a struct.
type field struct {
	step
	index    []int // in the struct
	plan     *plan
	required bool
}

// plans are made once per type.
var plans sync.Map // of *plan by reflect.Type

func planOf(t reflect.Type) *plan {
	if p, ok := plans.Load(t); ok {
		return p.(*plan) //nolint:forcetypeassert // nothing else is stored
	}
	p, _ := plans.LoadOrStore(t, newPlan(t, ""))
	return p.(*plan) //nolint:forcetypeassert // nothing else is stored
}

// newPlan makes the plan of a type, with the tags of the field that has it.
func newPlan(t reflect.Type, tag reflect.StructTag) *plan {
	p := &plan{ptr: t.Kind() == reflect.Pointer, names: map[string]int{}}
	if p.ptr {
		t = t.Elem()
	}
	switch p.kind = t.Kind(); p.kind {
	case reflect.Struct:
		p.addFields(t, nil)
	case reflect.Slice:
		p.items = newPlan(t.Elem(), itemTags(tag))
		p.minItems, p.maxItems = number(tag, "minItems", 0), number(tag, "maxItems", math.MaxInt)
		p.unique = tag.Get("uniqueItems") == "true"
		p.empty = strings.HasSuffix(tag.Get("json"), ",omitzero")
	case reflect.String:
		p.null = tag.Get("nullable") == "true"
		p.minLength, p.maxLength = number(tag, "minLength", 0), number(tag, "maxLength", math.MaxInt)
		if list, ok := tag.Lookup("enum"); ok {
			p.enum = strings.Split(list, ",")
		}
		p.format = formatOf(tag.Get("format"))
	case reflect.Int64:
		p.minimum, p.maximum = int64(number(tag, "minimum", math.MinInt)), int64(number(tag, "maximum", math.MaxInt))
	case reflect.Bool, reflect.Interface: // any value, as it was sent
	default:
		panic(fmt.Sprintf("wire: a %s cannot be decoded", t))
	}
	return p
}

// addFields adds the fields of a struct, those of embedded structs too.
func (p *plan) addFields(t reflect.Type, prefix []int) {
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(slices.Clone(prefix), i)
		if f.Anonymous {
			p.addFields(f.Type, index)
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		p.names[name] = len(p.fields)
		p.fields = append(p.fields, field{step{name, -1}, index, newPlan(f.Type, f.Tag), options == ""})
	}
}

// itemTags returns the tags of a list that hold for its items.
func itemTags(tag reflect.StructTag) reflect.StructTag {
	var tags []string
	for _, name := range []string{"maxLength", "format", "enum", "minimum", "maximum"} {
		if value, ok := tag.Lookup(name); ok {
			tags = append(tags, name+":"+strconv.Quote(value))
		}
	}
	return reflect.StructTag(strings.Join(tags, " "))
}

// number returns the number in a tag.
func number(tag reflect.StructTag, name string, without int) int {
	text, ok := tag.Lookup(name)
	if !ok {
		return without
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(fmt.Sprintf("wire: the tag %s: %v", name, err))
	}
	return n
}

// scalar sets a text, an integer or a boolean, and reports whether it was taken.
func (d *decoder) scalar(p *plan, raw jsontext.Value, into reflect.Value) bool {
	switch p.kind {
	case reflect.String:
		return d.text(p, raw, into)
	case reflect.Int64:
		return d.integer(p, raw, into)
	case reflect.Interface:
		into.Set(reflect.ValueOf(raw.Clone()))
		return true
	default:
		if kind := raw.Kind(); kind != 't' && kind != 'f' {
			d.add(activity.CodeWrongType, "must be a boolean", echo(raw))
			return false
		}
		into.SetBool(raw.Kind() == 't')
		return true
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
	case utf8.RuneCountInString(text) > p.maxLength:
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
	n, whole := integerOf(string(raw))
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

// integerOf reads a number of JSON, of any value. As JSON has only one kind of numbers, 5.0 and 1e3 are integers;
// beyond 2^53 their neighbours have the same value.
func integerOf(text string) (int64, bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(text, 64)
	return int64(f), err == nil && f == math.Trunc(f) && math.Abs(f) <= 1<<53
}

// unquote returns the text of a string of JSON.
func unquote(raw jsontext.Value) string {
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
