package localserver

import (
	"net"
	"net/netip"
	"sync"
)

// How many connections are open at once: in all, so that memory and files suffice, and of one address that is
// no proxy of ours, so that it alone does not take them all. A connection of netutil.LimitListener cannot be
// closed on one side, which net/http does so that the client can read a last answer.
const (
	maxConnections  = 4_096
	maxOfOneAddress = maxConnections / 16
)

// A boundedListener closes new connections at once while too many are open.
type boundedListener struct {
	net.Listener
	limits      *limits
	most, share int // in all, and of one address

	mu   sync.Mutex
	all  int
	open map[netip.Prefix]int
}

// bounded returns a listener with the bounds of a server.
func bounded(listener net.Listener, l *limits) *boundedListener {
	return &boundedListener{
		Listener: listener, limits: l, most: maxConnections, share: maxOfOneAddress, open: map[netip.Prefix]int{},
	}
}

// Accept waits for a connection for which there is room.
func (l *boundedListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		tcp, ok := c.(halfCloser)
		if err != nil || !ok {
			return c, err //nolint:wrapcheck // net/http looks at it
		}
		peer, _ := netip.ParseAddrPort(c.RemoteAddr().String())
		address := peer.Addr().Unmap()
		home := household(address)
		if l.limits.trusts(address) {
			home = netip.Prefix{} // a proxy has no bound of its own
		}
		if l.take(home) {
			return &boundedConn{halfCloser: tcp, leave: sync.OnceFunc(func() { l.leave(home) })}, nil
		}
		_ = c.Close()
	}
}

func (l *boundedListener) take(home netip.Prefix) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all >= l.most || home.IsValid() && l.open[home] >= l.share {
		return false
	}
	l.all++
	l.open[home]++
	return true
}

func (l *boundedListener) leave(home netip.Prefix) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all--
	if l.open[home]--; l.open[home] == 0 {
		delete(l.open, home)
	}
}

// A boundedConn makes room when it is closed.
type boundedConn struct {
	halfCloser
	leave func()
}

// Close closes the connection.
func (c *boundedConn) Close() error {
	defer c.leave()
	return c.halfCloser.Close()
}
