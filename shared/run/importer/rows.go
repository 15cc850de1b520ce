package importer

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"io"
	"iter"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A field is one of the things that a row tells.
type field int

const (
	fieldAt field = iota
	fieldUser
	fieldAction
	fieldTarget
	fieldRef
	fieldValue
	fieldRestores
	fieldOther
	fieldTitle
	fieldLink
	fieldGroups
	fieldReason
	fieldBoard
	fieldTitleHTML

	fieldCount int = iota
)

var fieldNames = [fieldCount]string{
	"at", "user", "action", "target", "ref", "value", "restores", "other", "title", "link", "groups", "reason", "board",
	"title" + htmlSuffix,
}

// htmlSuffix ends the name of a field whose text has HTML's entities, as some forums keep names and titles.
const htmlSuffix = "_html"

// tags finds the elements of a text of HTML.
var tags = regexp.MustCompile(`</?[a-zA-Z][^<>]*>`)

// textOf returns a text of HTML without its tags, and with its entities decoded.
func textOf(text string) string { return html.UnescapeString(tags.ReplaceAllLiteralString(text, "")) }

// A form is the fields of an input's rows, as many as a row has values at most.
type form struct {
	fields   []string
	required int    // so many have to be in a CSV's header, the first ones
	advice   string // the remedy where they are not
}

// historyForm is the form of rows of activities and articles.
func historyForm() form {
	return form{fieldNames[:], int(fieldAction) + 1, "; name another one with --column FIELD=NAME"}
}

// row is one line as it was read: its values, "" where it has none, or its violation.
type row struct {
	line      line
	values    [fieldCount]string
	violation string
}

// rows reads an input row by row.
type rows struct {
	in    *lines
	form  form
	parse func(*row) error // reads a line's values or its violations
}

// all returns all rows, and the error that ends them before the end of the input.
func (rs *rows) all() iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		var r row // of all lines, as a parser's argument is on the heap
		for {
			r = row{}
			var err error
			if r.line, r.violation, err = nextLine(rs.in); err == nil && r.violation == "" {
				err = rs.parse(&r)
			}
			if errors.Is(err, io.EOF) || !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// empty reports whether there is no row.
func (rs *rows) empty() bool {
	next, stop := iter.Pull2(rs.all())
	defer stop()
	_, _, some := next()
	return !some
}

// names returns how the input calls the fields: their own names, but for those that columns maps.
func (f form) names(columns map[string]string) (names []string, err error) {
	names = slices.Clone(f.fields)
	for name, column := range columns {
		i := slices.Index(f.fields, name)
		if i < 0 {
			return names, fmt.Errorf("%q is not a field; the fields are %s", name, strings.Join(f.fields, ", "))
		}
		names[i] = column
	}
	return names, nil
}

// openRows looks at the first byte that is not space to tell JSON lines from CSV.
func openRows(src *Source, f form, columns map[string]string) (*rows, error) {
	names, err := f.names(columns)
	if err != nil {
		return nil, err
	}
	text, err := src.text()
	if err != nil {
		return nil, err
	}
	start, err := text.Peek(bufferSize / 2)
	if len(start) == 0 && err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	rs := &rows{in: &lines{input: text}, form: f}
	if start = bytes.TrimLeft(start, " \t\r\n"); len(start) > 0 && start[0] == '{' {
		rs.parse = func(r *row) error { r.violation = rs.parseJSON(r, names); return nil }
		return rs, nil
	}
	c := &csvRows{rows: rs}
	rs.parse = c.parse
	return rs, c.header(names, columns)
}

// nextLine returns the next line that is not empty, and its violation if it can be no row in any format.
func nextLine(in *lines) (ln line, violation string, err error) {
	for {
		if ln, err = in.next(); err != nil {
			return line{}, "", err
		}
		switch {
		case ln.tooLong:
			return ln, fmt.Sprintf("the line is longer than %d bytes", maxLine), nil
		case strings.TrimSpace(ln.text) == "":
			continue
		case !utf8.ValidString(ln.text):
			return ln, "the line is not UTF-8", nil
		}
		return ln, "", nil
	}
}

// parseJSON reads a line's object into the row's values and returns its violations. The decoder takes no name twice
// and no half of a surrogate pair, as either would change the meaning of a line.
func (rs *rows) parseJSON(r *row, names []string) (violation string) {
	var object map[string]jsontext.Value
	if err := json.Unmarshal([]byte(r.line.text), &object); err != nil {
		if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
			return fmt.Sprintf("the line is not JSON: %v at byte %d", syntactic.Err, syntactic.ByteOffset)
		}
		return "the line is not a JSON object"
	}
	var violations []string
	for i, name := range names {
		value := object[name]
		switch kind := value.Kind(); {
		case kind == '"':
			text, _ := jsontext.AppendUnquote(nil, value) // it was decoded
			r.values[i] = string(text)
		case kind == '0', field(i) == fieldRestores && (kind == 't' || kind == 'f'):
			r.values[i] = string(value) // as it is written, so that no digit is lost
		case kind == jsontext.KindNull, kind == jsontext.KindInvalid: // no value, or no such name
		default:
			violations = append(violations, rs.form.fields[i]+": must be a string or a number")
		}
	}
	return strings.Join(violations, "; ")
}
