package importer

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
)

// A Source is one input: a file, or standard input.
type Source struct {
	Name  string // for people
	Size  int64  // in bytes as stored, 0 when not known
	input io.ReadCloser
	file  *os.File // from, if it can be read twice
	read  atomic.Int64

	id     string       // of its contents, after text
	passes atomic.Int64 // how often it will be read, 0 for once
}

// Open opens a file; "-" is standard input, which is stdin.
func Open(path string, stdin io.Reader) (*Source, error) {
	if path == "-" {
		return &Source{Name: "standard input", input: io.NopCloser(stdin)}, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	src := &Source{Name: path, input: file}
	switch info, err := file.Stat(); {
	case err != nil:
		return nil, errors.Join(err, file.Close())
	case info.IsDir():
		return nil, errors.Join(fmt.Errorf("%s is a directory", path), file.Close())
	case info.Mode().IsRegular():
		src.Size, src.file = info.Size(), file
	}
	return src, nil
}

// Done returns the number of stored bytes that have been read; a byte of an input that is read
// twice counts half each time. It may be called at any time.
func (s *Source) Done() int64 { return s.read.Load() / max(1, s.passes.Load()) }

// Close closes the file.
func (s *Source) Close() error { return s.input.Close() }

// Read reads the stored bytes, and counts them.
func (s *Source) Read(p []byte) (int, error) {
	n, err := s.input.Read(p)
	s.read.Add(int64(n))
	return n, err
}

const bufferSize = 64 << 10

// text returns the input as text: unpacked, under any name, and without a byte order mark.
func (s *Source) text() (*bufio.Reader, error) {
	buffered := bufio.NewReaderSize(s, bufferSize)
	if s.id == "" {
		start, _ := buffered.Peek(bufferSize / 2)
		s.id = fmt.Sprintf("%x-%d", sha256.Sum256(start), s.Size)[56:]
	}
	if start, _ := buffered.Peek(2); bytes.Equal(start, []byte{0x1f, 0x8b}) {
		unpacked, err := gzip.NewReader(buffered)
		if err != nil {
			return nil, fmt.Errorf("unpack: %w", err)
		}
		buffered = bufio.NewReaderSize(unpacked, bufferSize)
	}
	for {
		if start, _ := buffered.Peek(3); !bytes.Equal(start, []byte("\xef\xbb\xbf")) {
			break
		}
		_, _ = buffered.Discard(3)
	}
	start, _ := buffered.Peek(4)
	mark := bytes.HasPrefix(start, []byte("\xff\xfe")) || bytes.HasPrefix(start, []byte("\xfe\xff"))
	if mark || bytes.IndexByte(start, 0) >= 0 {
		return nil, errors.New("this is UTF-16 or binary; save it as UTF-8")
	}
	return buffered, nil
}

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
	input  *bufio.Reader
	number int
	back   []line
	onlyLF bool // a CR inside a line belongs to it
	byCR   bool // the last line ended with a CR alone
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
	for ended, some := false, false; !ended; some = true {
		_, err := l.input.Peek(1)
		if errors.Is(err, io.EOF) && some {
			break
		}
		if errors.Is(err, io.EOF) {
			return line{}, io.EOF
		}
		if err != nil {
			return line{}, fmt.Errorf("after line %d: %w", l.number, err)
		}
		chunk, _ := l.input.Peek(l.input.Buffered())
		n := bytes.IndexByte(chunk, '\n')
		if cr := bytes.IndexByte(chunk, '\r'); !l.onlyLF && cr >= 0 && (n < 0 || cr < n) {
			n = cr
		}
		ended = n >= 0
		if !ended {
			n = len(chunk)
		}
		if ln.tooLong = ln.tooLong || len(text)+n > maxLine+1; !ln.tooLong {
			text = append(text, chunk[:n]...)
		}
		if ended {
			l.end(chunk[n], n)
			continue
		}
		_, _ = l.input.Discard(n)
	}
	text = bytes.TrimSuffix(text, []byte("\r"))
	ln.tooLong = ln.tooLong || len(text) > maxLine
	ln.text = string(text)
	l.number++
	return ln, nil
}

// end reads n bytes and the end of the line behind them.
func (l *lines) end(with byte, n int) {
	_, _ = l.input.Discard(n + 1)
	if l.byCR = with == '\r'; !l.byCR {
		return
	}
	if next, _ := l.input.Peek(1); len(next) > 0 && next[0] == '\n' {
		_, _ = l.input.Discard(1)
		l.byCR = false
	}
}

// giveBack has next return the lines again.
func (l *lines) giveBack(taken []line) { l.back = append(taken, l.back...) }
