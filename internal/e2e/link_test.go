package e2e_test

import (
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
)

// A link is a connection from functions to a server that a test can break. It counts
// round trips.
type link struct {
	url    string // that leads through it
	server string
	state  atomic.Int32
	trips  atomic.Int64
	mu     sync.Mutex
	conns  map[net.Conn]bool
}

// The states of a link.
const (
	open   int32 = iota
	closed       // connections are cut
	mute         // requests arrive, replies are lost
)

// newLink makes a link to the server of a URL.
func newLink(t *testing.T, to string) *link {
	t.Helper()
	u, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &link{server: u.Host, conns: map[net.Conn]bool{}}
	u.Host = listener.Addr().String()
	l.url = u.String()
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			serving.Go(func() { l.serve(client) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		l.set(closed)
		serving.Wait()
	})
	return l
}

// set changes the state and cuts the connections.
func (l *link) set(state int32) {
	l.state.Store(state)
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.conns {
		_ = c.Close()
	}
}

func (l *link) serve(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", l.server)
	if err != nil {
		return
	}
	defer server.Close()
	l.mu.Lock()
	l.conns[client], l.conns[server] = true, true
	l.mu.Unlock()
	if l.state.Load() == closed {
		return
	}
	var waiting atomic.Bool // for a reply
	var both sync.WaitGroup
	both.Go(func() {
		l.carry(client, server, func() bool {
			if waiting.CompareAndSwap(false, true) {
				l.trips.Add(1)
			}
			return true
		})
	})
	both.Go(func() {
		l.carry(server, client, func() bool {
			waiting.Store(false)
			return l.state.Load() != mute
		})
	})
	both.Wait()
}

// carry moves bytes until either end is closed, as far as pass lets them.
func (l *link) carry(from, to net.Conn, pass func() bool) {
	defer from.Close()
	defer to.Close()
	buffer := make([]byte, 1<<16)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		if pass() {
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
	}
}
