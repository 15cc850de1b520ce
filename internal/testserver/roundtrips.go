package testserver

import (
	"context"
	"net"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"
)

// RoundTrips counts how often a client waits for the server: each time that it reads
// after it wrote.
type RoundTrips struct{ n atomic.Int64 }

// Counted returns a client with one connection, whose round trips are counted.
func Counted(tb testing.TB, options *redis.Options) (*redis.Client, *RoundTrips) {
	tb.Helper()
	trips := &RoundTrips{}
	options.PoolSize = 1
	options.Dialer = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, addr)
		return &countedConn{Conn: conn, trips: trips}, err
	}
	return connect(tb, options), trips
}

// Count returns how many round trips there have been.
func (r *RoundTrips) Count() int64 { return r.n.Load() }

// Expect runs a step and checks how many round trips it took.
func (r *RoundTrips) Expect(tb testing.TB, operation string, want int64, step func()) {
	tb.Helper()
	before := r.Count()
	step()
	if got := r.Count() - before; got != want {
		tb.Errorf("%s: %d round trips, want %d", operation, got, want)
	}
}

type countedConn struct {
	net.Conn
	trips *RoundTrips
	wrote bool
}

// Write notes that a request was sent.
func (c *countedConn) Write(b []byte) (int, error) {
	c.wrote = true
	return c.Conn.Write(b)
}

// Read counts the first read after a request.
func (c *countedConn) Read(b []byte) (int, error) {
	if c.wrote {
		c.wrote = false
		c.trips.n.Add(1)
	}
	return c.Conn.Read(b)
}
