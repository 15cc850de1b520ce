package localserver_test

import (
	"net"
	"net/netip"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/run/localserver"
)

// One address has a share of the connections, and all together have a bound; a client that has closed one may open
// another.
func TestConnectionsAreBounded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		proxies     []netip.Prefix
		most, share int
		want        int
	}{
		"one address": {nil, 9, 3, 3},
		"a proxy":     {loopback, 9, 3, 9},
		"all":         {nil, 4, 9, 4},
	} {
		inner := harness.Must((&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0"))(t)
		listener := localserver.Limits{Proxies: c.proxies}.Bounded(inner, c.most, c.share)
		taken := make(chan net.Conn, 20)
		go func() {
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				taken <- conn
			}
		}()
		dial := func() (held bool, end func()) {
			conn := harness.Must((&net.Dialer{}).DialContext(t.Context(), "tcp", inner.Addr().String()))(t)
			select {
			case accepted := <-taken:
				return true, func() { _, _ = accepted.Close(), conn.Close() }
			case <-time.After(200 * time.Millisecond):
				return false, func() { _ = conn.Close() }
			}
		}
		held, last := 0, func() {}
		for range 10 {
			if ok, end := dial(); ok {
				held, last = held+1, end
			}
		}
		if last(); held != c.want {
			t.Errorf("%s: %d connections are open, want %d", name, held, c.want)
		}
		if ok, end := dial(); !ok {
			t.Errorf("%s: after one was closed there is no room", name)
		} else {
			end()
		}
		_ = inner.Close()
	}
}
