package activity

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// parser turns a file into rules and gathers its faults.
type parser struct {
	rules  *Rules
	faults []string // "boards.helpers.windows: there must be at least one": a place and its fault
	shaped []string // places of values that could not be read; faults that follow from them are not told
}

// errorf records a fault: a place, a colon and the message.
func (p *parser) errorf(format string, args ...any) {
	fault := fmt.Sprintf(format, args...)
	place, _, _ := strings.Cut(fault, ": ")
	for _, unread := range p.shaped {
		if place == unread || place == container(unread) {
			return
		}
	}
	p.faults = append(p.faults, fault)
}

// errorIf records a fault if the condition holds.
func (p *parser) errorIf(wrong bool, format string, args ...any) {
	if wrong {
		p.errorf(format, args...)
	}
}

// container returns the place of the object or list that a place is in, "" for the file.
func container(place string) string { return place[:max(strings.LastIndexAny(place, ".["), 0)] }

// err joins all faults, each with the file, line and column of its place, as compilers write them.
func (p *parser) err(file string, source []byte) error {
	if len(p.faults) == 0 {
		return nil
	}
	offsets := map[string]int{"": 0}
	_ = locate(source, json.NewDecoder(bytes.NewReader(source)), "", offsets) // places before a fault of syntax will do
	offset := func(fault string) int {
		place, _, _ := strings.Cut(fault, ": ")
		for {
			if begins, known := offsets[place]; known {
				return begins
			}
			place = container(place) // no such member: the one that lacks it
		}
	}
	slices.SortStableFunc(p.faults, func(a, b string) int { return cmp.Compare(offset(a), offset(b)) })
	var errs []error
	for _, fault := range p.faults {
		errs = append(errs, errors.New(position(file, source, offset(fault))+strings.TrimPrefix(fault, ": ")))
	}
	return errors.Join(errs...)
}

// position returns the beginning of an error: the file, line and column.
func position(file string, source []byte, offset int) string {
	before := source[:min(offset, len(source))]
	column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	return fmt.Sprintf("%s:%d:%d: ", file, 1+bytes.Count(before, []byte("\n")), column)
}

// locate enters the offset of each member's name and of each element of the value that comes next.
func locate(source []byte, d *json.Decoder, place string, offsets map[string]int) error {
	opening, err := d.Token()
	if err != nil {
		return err
	}
	if opening != json.Delim('{') && opening != json.Delim('[') {
		return nil
	}
	for i := 0; d.More(); i++ {
		begins := int(d.InputOffset())
		begins += bytes.IndexFunc(source[begins:], func(r rune) bool { return !strings.ContainsRune(" \t\r\n,", r) })
		inner := element(place, i)
		if opening == json.Delim('{') {
			name, err := d.Token()
			if err != nil {
				return err
			}
			inner = member(place, name.(string)) // names of members are texts
		}
		offsets[inner] = begins
		if err := locate(source, d, inner, offsets); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}

// member returns the place of a member.
func member(place, name string) string { return strings.TrimPrefix(place+"."+name, ".") }

// element returns the place of an element of a list.
func element(place string, i int) string { return fmt.Sprintf("%s[%d]", place, i) }

// syntax returns the fault of a text that is no JSON, or more than one value, at its place.
func syntax(file string, source []byte) error {
	var value json.RawMessage
	d := json.NewDecoder(bytes.NewReader(source))
	err := d.Decode(&value)
	if wrong, ok := errors.AsType[*json.SyntaxError](err); ok {
		return errors.New(position(file, source, int(wrong.Offset)-1) + "not JSON: " + wrong.Error())
	}
	if err != nil { // the end
		return errors.New(position(file, source, len(source)) + "not JSON: the text ends too early")
	}
	_, _ = d.Token() // the offset after it is the fault's
	return errors.New(position(file, source, int(d.InputOffset())) + "there is more after the rules")
}
