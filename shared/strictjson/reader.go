package strictjson

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A Reader reads one JSON document and gathers what is wrong with it. An error of
// its methods is about bytes that are not JSON, and ends the reading.
type Reader struct {
	json   *jsontext.Decoder
	faults *Faults
}

// NewReader returns a reader of a document, that adds to the faults.
func NewReader(document []byte, f *Faults) *Reader {
	return &Reader{json: jsontext.NewDecoder(bytes.NewBuffer(document)), faults: f}
}

// Object reads an object, if one is there, and calls member with the name of
// each of its members, to read the value.
func (r *Reader) Object(at string, member func(name string) error) (ok bool, err error) {
	if ok, err := r.open('{', at, "must be an object"); !ok {
		return false, err
	}
	for {
		token, err := r.json.ReadToken()
		if err != nil {
			return false, err
		}
		if token.Kind() == '}' {
			return true, nil
		}
		if err := member(token.String()); err != nil {
			return false, err
		}
	}
}

// Array reads an array, if one is there, and calls element with the number of
// each of its elements, to read it.
func (r *Reader) Array(at string, element func(i int) error) (n int, ok bool, err error) {
	if ok, err := r.open('[', at, "must be an array"); !ok {
		return 0, false, err
	}
	for r.json.PeekKind() != ']' {
		if err := element(n); err != nil {
			return n, false, err
		}
		n++
	}
	_, err = r.json.ReadToken()
	return n, err == nil, err
}

// Skip reads a value of which nothing is wanted.
func (r *Reader) Skip() error { return r.json.SkipValue() }

// open reads the beginning of an object or array. Anything else is a fault.
func (r *Reader) open(kind jsontext.Kind, at, message string) (bool, error) {
	if r.json.PeekKind() != kind {
		return false, r.Wrong(at, message)
	}
	_, err := r.json.ReadToken()
	return err == nil, err
}

// Text reads a string; nil when it is something else, which is a fault.
func (r *Reader) Text(at string) (*string, error) {
	if r.json.PeekKind() != '"' {
		return nil, r.Wrong(at, "must be a string")
	}
	token, err := r.json.ReadToken()
	if err != nil {
		return nil, err
	}
	return new(token.String()), nil
}

// Number reads a whole number; nil when it is something else, which is a fault.
func (r *Reader) Number(at string) (*int64, error) {
	if r.json.PeekKind() != '0' {
		return nil, r.Wrong(at, "must be a whole number")
	}
	value, err := r.json.ReadValue()
	if err != nil {
		return nil, err
	}
	n, whole := wholeNumber(string(value))
	if !whole {
		r.faults.Add(at, "must be a whole number", echo(value))
		return nil, nil //nolint:nilnil // the fault is noted, and the reader goes on
	}
	return &n, nil
}

// wholeNumber reads a number of JSON. As that has only one kind of numbers, 5.0
// and 1e3 are whole; beyond 2^53 they can't be told from others.
func wholeNumber(text string) (int64, bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(text, 64)
	return int64(f), err == nil && f == math.Trunc(f) && math.Abs(f) <= 1<<53
}

// Wrong skips a value and notes what is wrong with it.
func (r *Reader) Wrong(at, message string) error {
	value, err := r.json.ReadValue()
	if err != nil {
		return err
	}
	r.faults.Add(at, message, echo(value))
	return nil
}

// End makes sure that nothing follows.
func (r *Reader) End() error {
	_, err := r.json.ReadToken()
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case err == nil:
		return errors.New("something follows the JSON")
	default:
		return err
	}
}

// echo is a faulty value as it is said again: nothing of objects, arrays and
// numbers that are too long, or too large for who reads that.
func echo(value jsontext.Value) any {
	switch value.Kind() {
	case '"':
		text, _ := jsontext.AppendUnquote(nil, value) // it was read before
		return string(text)
	case '{', '[':
		return nil
	case '0':
		if _, err := strconv.ParseFloat(string(value), 64); err != nil || len(value) > maxEcho {
			return nil
		}
		return value.Clone()
	default: // true, false, null
		return value.Clone()
	}
}

// Reason says in a few words why bytes could not be read, from the error of a
// Reader.
func Reason(err error) string {
	if errors.Is(err, io.EOF) {
		return "is empty"
	}
	message := strings.TrimPrefix(err.Error(), "jsontext: ")
	if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		message = fmt.Sprintf("%s, at byte %d", strings.TrimPrefix(e.Err.Error(), "jsontext: "), e.ByteOffset)
	}
	return Shorten(message)
}
