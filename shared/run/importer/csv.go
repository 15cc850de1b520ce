package importer

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"laurel/shared/core/activity"
)

// The limits of a quoted field with line breaks. Beyond them its quote is taken for a stray one.
const (
	maxJoinedLines = 100
	maxJoinedBytes = 64 << 10
)

const notClosed = "unclosed quote"

// separatorLine is the line in front of the header by which Excel names the separator.
var separatorLine = regexp.MustCompile(`(?i)^\s*"?sep=([^"\w\s]|\t)"?\s*$`)

// escapes are those of mariadb --batch, and of PostgreSQL's COPY.
var escapes = strings.NewReplacer(
	`\\`, `\`, `\t`, "\t", `\n`, "\n", `\0`, "\x00", `\r`, "\r", `\b`, "\b", `\f`, "\f", `\v`, "\v",
)

// csvRows reads CSV.
type csvRows struct {
	*rows
	comma  byte
	width  int   // of the header
	column []int // where a field stands, -1 for nowhere
	fields []string
}

// split appends the fields of one row to fields. With tabs there are no quotes, but escapes.
func (c *csvRows) split(fields []string, text string) (_ []string, open bool, violation string) {
	if c.comma != '\t' {
		return splitFields(fields, text, c.comma)
	}
	for field := range strings.SplitSeq(text, "\t") {
		switch {
		case field == "NULL" || field == `\N`:
			field = nullField
		case strings.Contains(field, `\`):
			field = escapes.Replace(field)
		}
		fields = append(fields, field)
	}
	return fields, false, ""
}

// header reads the first line. The separator of its names is the candidate that it has most of.
func (c *csvRows) header(names []string, mapped map[string]string) error {
	ln, violation, err := nextLine(c.in)
	if errors.Is(err, io.EOF) {
		return nil // an input without a line is valid
	}
	if err != nil {
		return err
	}
	if named := separatorLine.FindStringSubmatch(ln.text); named != nil {
		c.comma = named[1][0]
		switch ln, violation, err = nextLine(c.in); {
		case errors.Is(err, io.EOF):
			return errNothing
		case err != nil:
			return err
		}
	} else {
		count := func(c byte) int { return strings.Count(ln.text, string(c)) }
		c.comma = slices.MaxFunc([]byte(",;\t"), func(x, y byte) int { return count(x) - count(y) })
	}
	c.in.onlyLF = c.comma == '\t' && !c.in.byCR // mariadb does not escape it
	if violation == "" {
		var open bool
		if c.fields, open, violation = c.split(nil, ln.text); open {
			violation = notClosed
		}
	}
	if violation != "" {
		return fmt.Errorf("the header in line %d: %s", ln.number, violation)
	}
	return c.find(names, mapped)
}

// find looks the columns up in the header. Those that every activity needs have
// to be there, and those that were mapped.
func (c *csvRows) find(names []string, mapped map[string]string) error {
	c.width = len(c.fields)
	header := make([]string, c.width)
	for i, name := range c.fields {
		header[i] = activity.TrimID(name)
	}
	var missing []string
	for i, name := range names {
		index := slices.Index(header, name)
		c.column = append(c.column, index)
		_, named := mapped[c.form.fields[i]]
		coded := slices.Contains(header, c.form.fields[i]+htmlSuffix)
		if index < 0 && (named || i < c.form.required && !coded) {
			missing = append(missing, fmt.Sprintf("%q (%s)", name, c.form.fields[i]))
		}
		if index >= 0 && slices.Contains(header[index+1:], name) {
			return fmt.Errorf("the header has the column %q twice", name)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("the header has no column %s; it has %s%s", strings.Join(missing, ", "),
			strings.Join(header, ", "), c.form.advice)
	}
	return nil
}

func (c *csvRows) parse(r *row) error {
	var open bool
	c.fields, open, r.violation = c.split(c.fields[:0], r.line.text)
	if open {
		if err := c.join(r); err != nil {
			return err
		}
	}
	if r.violation == "" && len(c.fields) > c.width {
		r.violation = fmt.Sprintf("the line has %d fields, the header %d", len(c.fields), c.width)
	}
	for i, column := range c.column {
		if column >= 0 && column < len(c.fields) && r.violation == "" { // empty last fields may be missing
			r.values[i] = c.fields[column]
		}
	}
	return nil
}

// join reads on to the end of a quoted field that has line breaks. If the result is not a row, the quote is a stray
// one: the first line alone is rejected and the others are read again.
func (c *csvRows) join(r *row) error {
	text := strings.Builder{}
	text.WriteString(r.line.text)
	var taken []line
	for open := true; open; {
		ln, err := c.in.next()
		ended := errors.Is(err, io.EOF)
		if err != nil && !ended {
			return err
		}
		if !ended {
			taken = append(taken, ln)
		}
		if ended || ln.tooLong || len(taken) > maxJoinedLines || text.Len()+len(ln.text) > maxJoinedBytes {
			r.violation = notClosed
			c.in.giveBack(taken)
			return nil
		}
		text.WriteString("\n" + ln.text)
		open = strings.Count(ln.text, `"`)%2 == 0
	}
	var open bool
	c.fields, open, r.violation = splitFields(c.fields[:0], text.String(), c.comma)
	if open || r.violation != "" || len(c.fields) != c.width || !utf8.ValidString(text.String()) {
		r.violation = notClosed
		c.in.giveBack(taken)
		return nil
	}
	r.line.text = text.String()
	return nil
}

// splitFields appends the fields of one row to fields. open says that the last
// one was begun with a quote that the text does not close.
func splitFields(fields []string, text string, comma byte) (_ []string, open bool, violation string) {
	for {
		if !strings.HasPrefix(text, `"`) {
			end := strings.IndexByte(text, comma)
			if end < 0 {
				return append(fields, text), false, ""
			}
			fields, text = append(fields, text[:end]), text[end+1:]
			continue
		}
		value, rest, closed := unquote(text[1:])
		switch {
		case !closed:
			return fields, true, ""
		case rest == "":
			return append(fields, value), false, ""
		case rest[0] != comma:
			return fields, false, fmt.Sprintf("trailing data after the closing quote of field %d", len(fields)+1)
		}
		fields, text = append(fields, value), rest[1:]
	}
}

// unquote reads to the closing quote; two quotes are one of the value's.
func unquote(text string) (value, rest string, closed bool) {
	for {
		end := strings.IndexByte(text, '"')
		if end < 0 {
			return "", "", false
		}
		value += text[:end]
		if text = text[end+1:]; !strings.HasPrefix(text, `"`) {
			return value, text, true
		}
		value, text = value+`"`, text[1:]
	}
}
