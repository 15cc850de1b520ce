package importer

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxLine is how long a line may be, in bytes. A longer one is passed over.
const maxLine = 1 << 20

// line is one line of the input, without its end.
type line struct {
	number  int // from 1
	text    string
	tooLong bool // then text is its beginning
}

// lines reads an input line by line, and takes lines back.
type lines struct {
	from   *bufio.Reader
	number int
	back   []line
}

// next returns the next line. The error is io.EOF at the end, else the input's
// own, and a truncated line is not returned.
func (l *lines) next() (line, error) {
	if len(l.back) > 0 {
		first := l.back[0]
		l.back = l.back[1:]
		return first, nil
	}
	ln := line{number: l.number + 1}
	var text []byte
	for {
		piece, err := l.from.ReadSlice('\n')
		if ln.tooLong = ln.tooLong || len(text)+len(piece) > maxLine+2; !ln.tooLong {
			text = append(text, piece...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(text) == 0 && !ln.tooLong:
			return line{}, io.EOF
		case err != nil && !errors.Is(err, io.EOF):
			return line{}, fmt.Errorf("after line %d: %w", l.number, err)
		}
		text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
		ln.tooLong = ln.tooLong || len(text) > maxLine
		ln.text = string(text)
		l.number++
		return ln, nil
	}
}

// giveBack has next return the lines again.
func (l *lines) giveBack(taken []line) { l.back = append(taken, l.back...) }
