package viewtest

import (
	"reflect"
	"strings"
)

// Holds reports whether anything in a value has a text, in any case, including unexported fields, and values behind
// pointers.
func Holds(value any, text string) bool {
	return (&search{strings.ToLower(text), map[uintptr]bool{}}).in(reflect.ValueOf(value))
}

type search struct {
	text string
	met  map[uintptr]bool
}

func (s *search) in(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String:
		return strings.Contains(strings.ToLower(v.String()), s.text)
	case reflect.Pointer:
		if v.IsNil() || s.met[v.Pointer()] {
			return false
		}
		s.met[v.Pointer()] = true
		return s.in(v.Elem())
	case reflect.Interface:
		return !v.IsNil() && s.in(v.Elem())
	case reflect.Struct:
		for _, field := range v.Fields() {
			if s.in(field) {
				return true
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if s.in(v.Index(i)) {
				return true
			}
		}
	case reflect.Map:
		for entries := v.MapRange(); entries.Next(); {
			if s.in(entries.Key()) || s.in(entries.Value()) {
				return true
			}
		}
	default: // has no text
	}
	return false
}
