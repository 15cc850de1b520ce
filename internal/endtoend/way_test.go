package endtoend_test

import (
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
)

// A way is how a function reaches Redis, and what happens on it.
type way struct {
	listener net.Listener
	server   string
	state    atomic.Int32
	mu       sync.Mutex
	conns    map[net.Conn]bool
}

// The states of a way.
const (
	open   int32 = iota
	closed       // nobody answers: connections are cut
	mute         // requests arrive and are done; replies do not come back
)

// newWay makes a way to the server of a redis:// URL and returns the URL that
// leads through it.
func newWay(t *testing.T, to string) (*way, string) {
	t.Helper()
	u, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &way{listener: listener, server: u.Host, conns: map[net.Conn]bool{}}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			serving.Go(func() { w.serve(client) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		w.cut()
		serving.Wait()
	})
	u.Host = listener.Addr().String()
	return w, u.String()
}

// set changes the state; connections of the one before do not survive it.
func (w *way) set(state int32) {
	w.state.Store(state)
	w.cut()
}

func (w *way) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := range w.conns {
		_ = c.Close()
	}
}

func (w *way) serve(client net.Conn) {
	defer client.Close()
	if w.state.Load() == closed {
		return
	}
	server, err := net.Dial("tcp", w.server)
	if err != nil {
		return
	}
	defer server.Close()
	w.mu.Lock()
	w.conns[client], w.conns[server] = true, true
	w.mu.Unlock()
	var carrying sync.WaitGroup
	carrying.Go(func() { w.carry(server, client, true) })
	carrying.Go(func() { w.carry(client, server, false) })
	carrying.Wait()
	w.mu.Lock()
	delete(w.conns, client)
	delete(w.conns, server)
	w.mu.Unlock()
}

// carry moves bytes until either end is closed. Replies are lost on a mute way.
func (w *way) carry(from, to net.Conn, replies bool) {
	defer from.Close()
	defer to.Close()
	buffer := make([]byte, 1<<16)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		if replies && w.state.Load() == mute {
			continue
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}
