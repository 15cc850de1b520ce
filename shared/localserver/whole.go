package localserver

import (
	"io"
	"net"
	"sync"
	"time"
)

const (
	pieceLen = 4 << 10  // net/http writes a long answer in pieces of its buffer, and then the rest
	maxHeld  = 32 << 10 // of an answer that waits for its rest
)

// wholeListener has an answer written by one system call, which net/http writes in pieces: a
// second call takes as long as a third of a page that is kept.
type wholeListener struct{ net.Listener }

// Accept waits for a connection.
func (l wholeListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if tcp, ok := c.(halfCloser); ok {
		return &whole{halfCloser: tcp}, err //nolint:wrapcheck // net/http looks at it
	}
	return c, err //nolint:wrapcheck // likewise
}

// halfCloser is what net/http uses of a TCP connection.
type halfCloser interface {
	net.Conn
	io.ReaderFrom
	CloseWrite() error
}

// whole is a connection that holds pieces back, as more follows: what fills a buffer by chance
// is sent when net/http sets a deadline for the next request, which it does after each answer.
type whole struct {
	halfCloser

	mu   sync.Mutex
	held *[]byte // nil: nothing
}

// holds are buffers for what is held.
var holds = sync.Pool{New: func() any { return new([]byte) }}

// Write holds a piece, and sends anything else with what is held. What net/http answers by itself
// becomes a problem.
func (w *whole) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if problem := inPlaceOf(p); problem != nil {
		_, err := w.halfCloser.Write(problem)
		return len(p), err
	}
	piece := len(p) == pieceLen
	if w.held == nil {
		if !piece {
			return w.halfCloser.Write(p)
		}
		w.held, _ = holds.Get().(*[]byte)
	}
	*w.held = append(*w.held, p...)
	if piece && len(*w.held) < maxHeld {
		return len(p), nil
	}
	return len(p), w.send()
}

// flush sends what is held.
func (w *whole) flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.held == nil {
		return nil
	}
	return w.send()
}

func (w *whole) send() error {
	_, err := w.halfCloser.Write(*w.held)
	*w.held = (*w.held)[:0]
	holds.Put(w.held)
	w.held = nil
	return err
}

// SetReadDeadline sends what is held first.
func (w *whole) SetReadDeadline(t time.Time) error {
	_ = w.flush() // the client has gone; the next read says so
	return w.halfCloser.SetReadDeadline(t)
}

// ReadFrom sends what is held first.
func (w *whole) ReadFrom(r io.Reader) (int64, error) {
	if err := w.flush(); err != nil {
		return 0, err
	}
	return w.halfCloser.ReadFrom(r)
}

// CloseWrite sends what is held first.
func (w *whole) CloseWrite() error {
	_ = w.flush()
	return w.halfCloser.CloseWrite()
}

// Close sends what is held first.
func (w *whole) Close() error {
	_ = w.flush()
	return w.halfCloser.Close()
}
