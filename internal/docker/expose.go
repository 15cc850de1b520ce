package docker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
)

// Expose makes a server on 127.0.0.1 reachable from the engine's containers, until
// the context ends, and returns the address at which they find it.
func (e *Engine) Expose(ctx context.Context, addr string) (fromContainers string, err error) {
	listener, err := e.listen(ctx)
	if err != nil {
		// An engine in a virtual machine has no bridge here, but a name for here.
		_, port, err := net.SplitHostPort(addr)
		return net.JoinHostPort("host.docker.internal", port), err
	}
	context.AfterFunc(ctx, func() { _ = listener.Close() })
	go func() {
		for {
			outer, err := listener.Accept()
			if err != nil {
				return // it is closed
			}
			go pass(ctx, outer, addr)
		}
	}()
	return listener.Addr().String(), nil
}

// listen takes a port of this machine's address on the containers' bridge.
func (e *Engine) listen(ctx context.Context) (net.Listener, error) {
	var address string
	if e.own != nil {
		address = e.own.address.String()
	} else {
		var err error
		address, err = e.Run(ctx, "network", "inspect", "bridge", "--format", "{{(index .IPAM.Config 0).Gateway}}")
		if err != nil {
			return nil, err
		}
	}
	if net.ParseIP(address) == nil {
		return nil, fmt.Errorf("the bridge has no address: %q", address)
	}
	return new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(address, "0"))
}

// pass passes on what comes over one connection, both ways. A side that has no more to
// say may still listen, so its end is passed on and the other way stays open.
func pass(ctx context.Context, outer net.Conn, addr string) {
	inner, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
	if err != nil {
		_ = outer.Close()
		return
	}
	end := sync.OnceFunc(func() { _ = errors.Join(outer.Close(), inner.Close()) })
	defer end()
	stop := context.AfterFunc(ctx, end)
	defer stop()
	var sides sync.WaitGroup
	sides.Go(func() { carry(inner, outer) })
	sides.Go(func() { carry(outer, inner) })
	sides.Wait()
}

// carry passes on what comes from one side to the other, and its end.
func carry(to, from net.Conn) {
	_, _ = io.Copy(to, from)
	if half, ok := to.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
	}
}
