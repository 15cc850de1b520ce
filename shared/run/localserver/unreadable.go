package localserver

import (
	"bytes"
	"io"
	"net"
	"strings"

	"laurel/shared/api/httpapi"
)

// explainingListener has connections on which an answer of net/http itself becomes a problem.
type explainingListener struct{ net.Listener }

// Accept waits for a connection.
func (l explainingListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if tcp, ok := c.(halfCloser); ok {
		return explaining{tcp}, err //nolint:wrapcheck // net/http looks at it
	}
	return c, err //nolint:wrapcheck // likewise
}

// halfCloser has the methods of a TCP connection that net/http uses.
type halfCloser interface {
	net.Conn
	io.ReaderFrom
	CloseWrite() error
}

type explaining struct{ halfCloser }

// Write writes a piece of an answer, or the problem in its place.
func (c explaining) Write(p []byte) (int, error) {
	if problem := inPlaceOf(p); problem != nil {
		_, err := c.halfCloser.Write(problem)
		return len(p), err
	}
	return c.halfCloser.Write(p)
}

// ownHeaders are all headers of an answer that net/http makes itself, of text, to bytes of which it can
// read no request. No answer of a handler has these alone: that has at least an id.
const ownHeaders = "Content-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"

// inPlaceOf returns the problem to write in place of an answer of net/http before any handler, such as to
// GET /%zz, and nil for every other piece of an answer.
func inPlaceOf(piece []byte) []byte {
	status, rest, _ := bytes.Cut(piece, []byte("\r\n"))
	text, own := bytes.CutPrefix(rest, []byte(ownHeaders))
	if !own || !bytes.HasPrefix(status, []byte("HTTP/1.1 ")) {
		return nil
	}
	// The text is a constant of net/http, such as "400 Bad Request: missing required Host header" or
	// "431 Request Header Fields Too Large".
	_, reason, found := strings.Cut(string(text), ": ")
	if !found {
		reason = strings.ToLower(strings.TrimLeft(string(text), "0123456789 "))
		reason = strings.TrimPrefix(reason, "bad request") // it has no reason then
	}
	return httpapi.Unreadable(reason)
}
