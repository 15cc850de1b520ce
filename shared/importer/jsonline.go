package importer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// jsonRows reads JSON lines. The decoder takes no name twice and no half of a
// surrogate pair, either of which would change what a line says.
type jsonRows struct {
	in      *lines
	field   map[string][]field // by the input's name
	decoder *jsontext.Decoder
}

func newJSONRows(in *lines, names [fieldCount]string) *jsonRows {
	j := &jsonRows{in: in, field: map[string][]field{}, decoder: jsontext.NewDecoder(strings.NewReader(""))}
	for i, name := range names {
		j.field[name] = append(j.field[name], field(i))
	}
	return j
}

// titled is not known before every line is read.
func (j *jsonRows) titled() bool { return true }

func (j *jsonRows) next() (row, error) {
	ln, fault, err := nextLine(j.in)
	if err != nil {
		return row{}, err
	}
	r := row{line: ln, fault: fault}
	if r.fault == "" {
		r.fault = j.parse(&r)
	}
	return r, nil
}

// parse reads the line's object into values and says what is wrong with it.
func (j *jsonRows) parse(r *row) (fault string) {
	j.decoder.Reset(bytes.NewBufferString(r.line.text))
	if kind := j.decoder.PeekKind(); kind != '{' && kind != 0 {
		return "the line is not a JSON object"
	}
	var faults []string
	if _, err := j.decoder.ReadToken(); err != nil {
		return notJSON(err)
	}
	for j.decoder.PeekKind() != '}' {
		name, err := j.decoder.ReadToken()
		if err != nil {
			return notJSON(err)
		}
		fields := j.field[name.String()]
		if len(fields) == 0 {
			err = j.decoder.SkipValue()
		} else {
			var fault string
			if fault, err = j.value(r, fields); fault != "" {
				faults = append(faults, fault)
			}
		}
		if err != nil {
			return notJSON(err)
		}
	}
	if _, err := j.decoder.ReadToken(); err != nil {
		return notJSON(err)
	}
	if _, err := j.decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return "something follows the JSON object"
	}
	return strings.Join(faults, "; ")
}

// value reads a string or a number as it is written, so that no digit is lost.
func (j *jsonRows) value(r *row, fields []field) (fault string, err error) {
	switch j.decoder.PeekKind() {
	case '"', '0':
		token, err := j.decoder.ReadToken()
		if err != nil {
			return "", err
		}
		for _, f := range fields {
			r.values[f] = token.String()
		}
		return "", nil
	case 'n':
		return "", j.decoder.SkipValue()
	default:
		return fieldNames[fields[0]] + ": must be a string or a number", j.decoder.SkipValue()
	}
}

func notJSON(err error) string {
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return fmt.Sprintf("the line is not JSON: %v at byte %d", syntactic.Err, syntactic.ByteOffset)
	}
	return fmt.Sprintf("the line is not JSON: %v", err)
}
