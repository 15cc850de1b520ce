package importer

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// jsonRows reads JSON lines. The decoder takes no name twice and no half of a
// surrogate pair, either of which would change what a line says.
type jsonRows struct {
	in    *lines
	form  form
	names []string // of the fields in the input
}

func (j *jsonRows) next() (row, error) {
	ln, violation, err := nextLine(j.in)
	if err != nil {
		return row{}, err
	}
	r := row{line: ln, violation: violation}
	if r.violation == "" {
		r.violation = j.parse(&r)
	}
	return r, nil
}

// parse reads the line's object into the row's values and returns its violations.
func (j *jsonRows) parse(r *row) (violation string) {
	var object map[string]jsontext.Value
	if err := json.Unmarshal([]byte(r.line.text), &object); err != nil {
		if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
			return fmt.Sprintf("the line is not JSON: %v at byte %d", syntactic.Err, syntactic.ByteOffset)
		}
		return "the line is not a JSON object"
	}
	var violations []string
	for i, name := range j.names {
		value := object[name]
		switch kind := value.Kind(); {
		case kind == '"':
			text, _ := jsontext.AppendUnquote(nil, value) // it was decoded
			r.values[i] = string(text)
		case kind == '0', field(i) == fieldRestores && (kind == 't' || kind == 'f'):
			r.values[i] = string(value) // as it is written, so that no digit is lost
		case kind == jsontext.KindNull, kind == jsontext.KindInvalid: // no value, or no such name
		default:
			violations = append(violations, j.form.fields[i]+": must be a string or a number")
		}
	}
	return strings.Join(violations, "; ")
}
