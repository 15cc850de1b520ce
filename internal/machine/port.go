package machine

import (
	"errors"
	"fmt"
	"net"
)

// ErrPortTaken is wrapped when another process has come between choosing a port
// and listening on it. Starting again takes another port.
var ErrPortTaken = errors.New("port is taken")

// FreePorts are ports of 127.0.0.1 that nobody listens on, all different.
func FreePorts(n int) ([]int, error) {
	if n == 0 {
		return nil, nil
	}
	listener, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, fmt.Errorf("find a free port: %w", err)
	}
	others, err := FreePorts(n - 1) // while this one is taken
	if tcp, ok := listener.Addr().(*net.TCPAddr); ok {
		others = append(others, tcp.Port)
	}
	return others, errors.Join(err, listener.Close())
}
