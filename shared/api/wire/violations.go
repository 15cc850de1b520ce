package wire

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"laurel/shared/core/activity"
)

// MaxListed is how many violations are listed. A body of 256 KiB can have more than
// an answer of Lambda, or a line of a log, can hold.
const MaxListed = 1_000

// Violations are the violations of one request. The zero value is an empty list.
type Violations struct {
	list      []activity.Violation
	count     int
	locations map[string]bool // true where the value could not be decoded
	malformed bool
	forbidden bool
	inPath    []string // see InPath
}

// Add adds a violation, by its location in the request.
func (v *Violations) Add(violation activity.Violation) {
	if text, ok := violation.Value.(string); ok {
		violation.Value = activity.Shorten(text)
	}
	if v.locations == nil {
		v.locations = map[string]bool{}
	}
	v.locations[violation.Location] = v.locations[violation.Location] || violation.Code == activity.CodeWrongType
	v.forbidden = v.forbidden || violation.Code == activity.CodeForbidden
	if v.count++; len(v.list) < MaxListed {
		v.list = append(v.list, violation)
	}
}

// AddAt adds the violations of a decoded value, at a location. It leaves out those of fields that have one already, and
// of values that could not be decoded: of a malformed body, all. An empty text that Decode has taken was not in the
// body: the field is missing.
func (v *Violations) AddAt(location string, found ...activity.Violation) {
	for _, f := range found {
		f.Location = location + "." + f.Location
		if v.has(f.Location) {
			continue
		}
		if f.Code == activity.CodeEmpty && f.Value == "" {
			f.Code, f.Message, f.Value = activity.CodeMissingField, missing, nil
		}
		v.Add(f)
	}
}

// about puts the thing that a violation is about before its message, if there is a violation of a code at a location.
func (v *Violations) about(location string, code activity.Code, thing string) {
	for i, violation := range v.list {
		if violation.Location == location && violation.Code == code {
			v.list[i].Message = thing + ": " + violation.Message
		}
	}
}

// AddFirst adds a violation unless its location has one.
func (v *Violations) AddFirst(violation activity.Violation) {
	if _, ok := v.locations[violation.Location]; !ok {
		v.Add(violation)
	}
}

// has reports whether there is a violation at a location, or a value around it that could not be decoded.
func (v *Violations) has(location string) bool {
	if _, ok := v.locations[location]; ok || v.malformed {
		return true
	}
	for end := len(location); end >= 0; end = strings.LastIndexAny(location[:end], ".[") {
		if v.locations[location[:end]] {
			return true
		}
	}
	return false
}

// All returns the first MaxListed violations: those in lists by their index, then the
// others, in the order in which they were found.
func (v *Violations) All() []activity.Violation {
	slices.SortStableFunc(v.list, func(a, b activity.Violation) int { return index(a.Location) - index(b.Location) })
	return v.list
}

// Count returns how many violations there are, those that are not listed included.
func (v *Violations) Count() int { return v.count }

// Malformed reports whether the body is not JSON; then there is only that violation.
func (v *Violations) Malformed() bool { return v.malformed }

// Forbidden reports whether the sender may not do some part of the request.
func (v *Violations) Forbidden() bool { return v.forbidden }

// index returns the first index of a location.
func index(location string) int {
	_, rest, _ := strings.Cut(location, "[")
	digits, _, _ := strings.Cut(rest, "]")
	if n, err := strconv.Atoi(digits); err == nil {
		return n
	}
	return math.MaxInt32
}
