package pages_test

import (
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// A fault is what befalls one request, as the client sent it in one go.
type fault int

const (
	noFault   fault = iota
	cutBefore       // the connection is cut before the server has any of it
	cutHalf         // the server has half of it when the connection is cut
	cutAfter        // the server has done it; the connection is cut before the reply
	tooSlow         // the server has done it; the reply is kept until the client has given up
)

// A proxy is a connection's way to a server, on which faults happen. (Toxiproxy's
// faults are of streams, by bytes and by time; these are of requests.)
type proxy struct {
	listener net.Listener
	server   string
	fault    atomic.Pointer[func(request []byte) fault]
	mu       sync.Mutex
	conns    map[net.Conn]bool
	counts   [tooSlow + 1]atomic.Int64
}

// startProxy starts a proxy to the options' server, without faults until befall
// is called. Its options take the same database through it, with timeouts that a
// test can wait for.
func startProxy(tb testing.TB, options *redis.Options) (*proxy, *redis.Options) {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	p := &proxy{listener: listener, server: options.Addr, conns: map[net.Conn]bool{}}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { p.serve(client) })
		}
	})
	tb.Cleanup(func() {
		_ = listener.Close()
		p.mu.Lock()
		for c := range p.conns {
			_ = c.Close()
		}
		p.mu.Unlock()
		wg.Wait()
	})
	through := *options
	through.Addr = listener.Addr().String()
	through.ReadTimeout, through.WriteTimeout = slowAfter, slowAfter
	return p, &through
}

// slowAfter is when a client gives up waiting; a reply that is kept comes later.
const slowAfter = 500 * time.Millisecond

// befall has every request meet what decide says. It is called by many at once.
func (p *proxy) befall(decide func(request []byte) fault) { p.fault.Store(&decide) }

// proxyClient is a client through the proxy, closed with the test.
func proxyClient(tb testing.TB, options *redis.Options) *redis.Client {
	tb.Helper()
	client := redis.NewClient(options)
	tb.Cleanup(func() { _ = client.Close() })
	return client
}

// serve carries one connection's requests to the server and its replies back.
func (p *proxy) serve(client net.Conn) {
	server, err := net.Dial("tcp", p.server)
	if err != nil {
		_ = client.Close()
		return
	}
	p.mu.Lock()
	p.conns[client], p.conns[server] = true, true
	p.mu.Unlock()
	var next atomic.Int64 // the fault of the reply that is awaited
	var wg sync.WaitGroup
	wg.Go(func() { replies(client, server, &next) })
	p.requests(client, server, &next)
	_ = client.Close()
	_ = server.Close()
	wg.Wait()
	p.mu.Lock()
	delete(p.conns, client)
	delete(p.conns, server)
	p.mu.Unlock()
}

func (p *proxy) requests(client, server net.Conn, next *atomic.Int64) {
	buffer := make([]byte, 1<<20)
	for {
		n, err := client.Read(buffer)
		if err != nil {
			if fault(next.Load()) != noFault { // let the server finish what it has
				time.Sleep(time.Millisecond)
			}
			return
		}
		f := noFault
		if decide := p.fault.Load(); decide != nil {
			f = (*decide)(buffer[:n])
		}
		p.counts[f].Add(1)
		next.Store(int64(f))
		switch f {
		case cutBefore:
			return
		case cutHalf:
			_, _ = server.Write(buffer[:n/2])
			time.Sleep(time.Millisecond) // or the server may drop it unread
			return
		default:
		}
		if _, err := server.Write(buffer[:n]); err != nil {
			return
		}
	}
}

func replies(client, server net.Conn, next *atomic.Int64) {
	defer client.Close()
	defer server.Close()
	buffer := make([]byte, 1<<20)
	for {
		n, err := server.Read(buffer)
		if err != nil {
			return
		}
		switch fault(next.Load()) {
		case cutAfter:
			return
		case tooSlow:
			time.Sleep(slowAfter + 100*time.Millisecond)
		default:
		}
		if _, err := client.Write(buffer[:n]); err != nil {
			return
		}
	}
}
