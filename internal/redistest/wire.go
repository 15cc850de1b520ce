package redistest

import (
	"context"
	"net"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"
)

// A Wire counts how often a client waits for the server: each time it reads after it
// wrote.
type Wire struct{ turns atomic.Int64 }

// Wired is Client with its one connection watched.
func Wired(tb testing.TB) (*redis.Client, *Wire) {
	tb.Helper()
	w := &Wire{}
	options := Start(tb)
	options.PoolSize = 1
	options.Dialer = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, addr)
		return &wiredConn{Conn: conn, wire: w}, err
	}
	return connect(tb, options), w
}

// Turns is how many round trips there have been.
func (w *Wire) Turns() int64 { return w.turns.Load() }

// Expect runs a step and checks how many round trips it took.
func (w *Wire) Expect(tb testing.TB, what string, want int64, step func()) {
	tb.Helper()
	before := w.Turns()
	step()
	if got := w.Turns() - before; got != want {
		tb.Errorf("%s: %d round trips, want %d", what, got, want)
	}
}

type wiredConn struct {
	net.Conn
	wire  *Wire
	wrote bool
}

// Write notes that something was asked.
func (c *wiredConn) Write(b []byte) (int, error) {
	c.wrote = true
	return c.Conn.Write(b)
}

// Read notes that the answer is awaited.
func (c *wiredConn) Read(b []byte) (int, error) {
	if c.wrote {
		c.wrote = false
		c.wire.turns.Add(1)
	}
	return c.Conn.Read(b)
}
