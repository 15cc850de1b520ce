package activity

import (
	"bytes"
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// decode reads a value in JSON. Fields and values without a place in the target are recorded as faults, all at once,
// and the rest is read: the caller finds faults of its own in it.
func (p *parser) decode(place string, source []byte, target any) {
	into := reflect.ValueOf(target).Elem()
	before := reflect.New(into.Type()).Elem()
	before.Set(into)
	if err := strictly(source, target); err == nil && !bytes.Equal(source, []byte("null")) {
		return
	}
	into.Set(before)
	var value any
	d := json.NewDecoder(bytes.NewReader(source))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		p.errorf("%s: not JSON: %v", place, err)
		return
	}
	if value == nil {
		p.misfit(place, value, named(into.Type()))
		return
	}
	value, _ = p.shape(place, value, into.Type())
	text, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(text, target)
	}
	if err != nil {
		p.errorf("%s: %v", place, err)
	}
}

// strictly decodes a value of the fields that the target has.
func strictly(source []byte, target any) error {
	d := json.NewDecoder(bytes.NewReader(source))
	d.DisallowUnknownFields()
	return d.Decode(target)
}

// shape returns the value without the parts that its type has no place for, and records those; ok is false if nothing
// is left.
func (p *parser) shape(place string, value any, kind reflect.Type) (rest any, ok bool) {
	for kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	pointer := reflect.PointerTo(kind)
	switch {
	case value == nil || kind == reflect.TypeFor[json.RawMessage]():
		return value, true
	case pointer.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()):
		text, isText := value.(string)
		if !isText {
			return p.misfit(place, value, "a text")
		}
		if err := reflect.New(kind).Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text)); err != nil {
			return p.unread(place, err.Error())
		}
		return value, true
	case pointer.Implements(reflect.TypeFor[json.Unmarshaler]()):
		if err := reflect.New(kind).Interface().(json.Unmarshaler).UnmarshalJSON(textOf(value)); err != nil {
			return p.unread(place, err.Error())
		}
		return value, true
	}
	return p.plain(place, value, kind)
}

// plain is shape for types that read no JSON themselves.
func (p *parser) plain(place string, value any, kind reflect.Type) (rest any, ok bool) {
	switch v := value.(type) {
	case map[string]any:
		if kind.Kind() == reflect.Struct || kind.Kind() == reflect.Map {
			return p.object(place, v, kind), true
		}
	case []any:
		if kind.Kind() == reflect.Slice {
			return p.list(place, v, kind.Elem()), true
		}
	default:
		if strictly(textOf(value), reflect.New(kind).Interface()) == nil {
			return value, true
		}
	}
	return p.misfit(place, value, named(kind))
}

func (p *parser) list(place string, list []any, kind reflect.Type) []any {
	rest := []any{}
	for i, value := range list {
		if kept, ok := p.shape(element(place, i), value, kind); ok {
			rest = append(rest, kept)
		}
	}
	return rest
}

func (p *parser) object(place string, object map[string]any, kind reflect.Type) map[string]any {
	fields := map[string]reflect.Type{}
	if kind.Kind() == reflect.Struct {
		for _, field := range reflect.VisibleFields(kind) {
			if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" && name != "-" {
				fields[name] = field.Type
			}
		}
	}
	for _, name := range sortedKeys(object) {
		inner, known := fields[name]
		if kind.Kind() == reflect.Map {
			inner, known = kind.Elem(), true
		}
		if !known {
			p.errorf("%s: there is no field of this name; the fields here are %s", member(place, Shorten(name)),
				strings.Join(sortedKeys(fields), ", "))
			delete(object, name)
			continue
		}
		value, ok := p.shape(member(place, name), object[name], inner)
		if object[name] = value; !ok {
			delete(object, name)
		}
	}
	return object
}

// misfit records that a value is of another kind.
func (p *parser) misfit(place string, value any, want string) (rest any, ok bool) {
	return p.unread(place, Shorten(string(textOf(value)))+" is not "+want)
}

// textOf returns a value that was read from JSON as JSON.
func textOf(value any) []byte {
	text, _ := json.Marshal(value) //nolint:errchkjson // it was read from JSON
	return text
}

// unread records the fault of a value that cannot be read.
func (p *parser) unread(place, message string) (rest any, ok bool) {
	p.errorf("%s: %s", place, message)
	p.shaped = append(p.shaped, place)
	return nil, false
}

// named returns the name that rules files have for a kind of values.
func named(kind reflect.Type) string {
	switch k := kind.Kind(); {
	case k == reflect.String:
		return "a text"
	case k == reflect.Bool:
		return "true or false"
	case k == reflect.Slice:
		return "a list"
	case slices.Contains([]reflect.Kind{reflect.Struct, reflect.Map}, k):
		return "an object"
	default:
		return "a whole number"
	}
}
