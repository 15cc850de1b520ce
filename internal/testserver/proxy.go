package testserver

import (
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
)

// A Fault is a proxy's treatment of one request, as the client sent it in one go.
type Fault int

// The faults.
const (
	NoFault   Fault = iota
	CutBefore       // the connection is cut before the server has any of it
	NoReply         // the server has done it; the reply is lost
)

// A Proxy is a connection's way to a server, on which a test makes faults. (Toxiproxy's
// are of streams, by bytes and by time; these are of requests.)
type Proxy struct {
	server string
	decide atomic.Pointer[func(request []byte) Fault]
	mu     sync.Mutex
	conns  map[net.Conn]bool
}

// ProxyURL starts a proxy to the server of a URL, without faults, and returns the URL through it. It ends with the
// test.
func ProxyURL(tb testing.TB, target string) (p *Proxy, through string) {
	tb.Helper()
	u, err := url.Parse(target)
	must(tb, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(tb, err)
	p = &Proxy{server: u.Host, conns: map[net.Conn]bool{}}
	p.All(NoFault)
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			serving.Go(func() { p.serve(client) })
		}
	})
	tb.Cleanup(func() {
		_ = listener.Close()
		p.mu.Lock()
		for c := range p.conns {
			_ = c.Close()
		}
		p.mu.Unlock()
		serving.Wait()
	})
	u.Host = listener.Addr().String()
	return p, u.String()
}

// Each gives every request the fault that decide returns. Many goroutines call it.
func (p *Proxy) Each(decide func(request []byte) Fault) { p.decide.Store(&decide) }

// All gives every request the fault.
func (p *Proxy) All(f Fault) { p.Each(func([]byte) Fault { return f }) }

// A link is one connection through a proxy.
type link struct {
	client, server net.Conn
	fault          atomic.Int64 // of the reply that is awaited
}

func (p *Proxy) serve(client net.Conn) {
	server, err := net.Dial("tcp", p.server)
	if err != nil {
		_ = client.Close()
		return
	}
	l := &link{client: client, server: server}
	p.mu.Lock()
	p.conns[client], p.conns[server] = true, true
	p.mu.Unlock()
	var replies sync.WaitGroup
	replies.Go(l.replies)
	p.requests(l)
	_ = client.Close()
	_ = server.Close()
	replies.Wait()
	p.mu.Lock()
	delete(p.conns, client)
	delete(p.conns, server)
	p.mu.Unlock()
}

// requests carries the client's requests to the server.
func (p *Proxy) requests(l *link) {
	buffer := make([]byte, 1<<20)
	for {
		n, err := l.client.Read(buffer)
		if err != nil {
			return
		}
		f := (*p.decide.Load())(buffer[:n])
		if f == CutBefore {
			return
		}
		l.fault.Store(int64(f))
		if _, err := l.server.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// replies carries the server's replies back.
func (l *link) replies() {
	defer func() { _, _ = l.client.Close(), l.server.Close() }()
	buffer := make([]byte, 1<<20)
	for {
		n, err := l.server.Read(buffer)
		if err != nil {
			return
		}
		if Fault(l.fault.Load()) == NoReply {
			continue
		}
		if _, err := l.client.Write(buffer[:n]); err != nil {
			return
		}
	}
}
