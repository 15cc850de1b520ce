package request

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A plan is how values of a type are decoded: made once of the type and its tags.
type plan struct {
	kind   reflect.Kind   // Struct, Slice, String, Int64 or Bool
	ptr    bool           // the Go value is a pointer to that
	null   bool           // null is a value too: "", behind a pointer if it is one
	fields []field        // of a struct
	names  map[string]int // of the fields, in JSON
	items  *plan          // of a slice

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
		p.minItems, p.maxItems = number(tag, "minItems", 0), number(tag, "maxItems", -1)
		p.unique = tag.Get("uniqueItems") == "true"
	case reflect.String:
		p.null = tag.Get("nullable") == "true"
		p.minLength, p.maxLength = number(tag, "minLength", 0), number(tag, "maxLength", -1)
		if list, ok := tag.Lookup("enum"); ok {
			p.enum = strings.Split(list, ",")
		}
		p.format = formatOf(tag.Get("format"))
	case reflect.Int64:
		p.minimum, p.maximum = int64(number(tag, "minimum", math.MinInt)), int64(number(tag, "maximum", math.MaxInt))
	case reflect.Bool:
	default:
		panic(fmt.Sprintf("request: a %s cannot be decoded", t))
	}
	return p
}

// addFields adds the fields of a struct, those of embedded structs too.
func (p *plan) addFields(t reflect.Type, at []int) {
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(slices.Clone(at), i)
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
	var of []string
	for _, name := range []string{"maxLength", "format", "enum", "minimum", "maximum"} {
		if value, ok := tag.Lookup(name); ok {
			of = append(of, name+":"+strconv.Quote(value))
		}
	}
	return reflect.StructTag(strings.Join(of, " "))
}

// number returns the number in a tag.
func number(tag reflect.StructTag, name string, without int) int {
	text, ok := tag.Lookup(name)
	if !ok {
		return without
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(fmt.Sprintf("request: the tag %s: %v", name, err))
	}
	return n
}
