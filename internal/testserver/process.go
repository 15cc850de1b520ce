package testserver

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// keeper runs a server that cannot outlive this process. Its standard input is a
// pipe that only this process holds open: when the pipe closes, a watcher kills the
// server and removes its directory. A line on the pipe tells the watcher that the
// server has ended by itself. (Linux's parent-death signal follows threads, and Go's
// threads come and go.) The server has the same standard input: a container ends
// with it.
//
// $0 is the server's directory, the rest its command; the shell becomes the server.
const keeper = `exec 3<&0
cd "$0" || exit
(read -r _ <&3 || kill -9 $$; cd /; rm -rf "$0") >/dev/null 2>&1 &
exec "$@"`

// startsWithin is how long a server may take to answer on a busy machine. DynamoDB
// Local takes three seconds on an idle one, Redis ten milliseconds.
const startsWithin = time.Minute

// A Server is a running server that belongs to this process alone.
type Server struct {
	addr   string
	bus    string // the port on which the nodes of a cluster talk to each other
	about  string // its answer when it was ready
	tb     testing.TB
	stop   func()
	done   chan struct{}
	output bytes.Buffer // the server's output; complete when done is closed
}

// Addr returns the server's host:port.
func (s *Server) Addr() string { return s.addr }

// Stop kills the server and waits until it is gone. It may be called again.
func (s *Server) Stop() { s.stop() }

// A recipe tells how a server is started and recognized.
type recipe struct {
	program   string
	arguments func(port, bus, ident string) []string
	ask       func(ident string) string // a request whose answer contains ident
}

// errPortTaken reports that another process took a port after it was chosen.
var errPortTaken = errors.New("port is taken")

// launch starts a server and waits until it answers. Ports are chosen here and taken
// by the server, so another process can come between: then launch tries again.
func (r recipe) launch(ctx context.Context) (*Server, error) {
	var err error
	for range 5 {
		var ports []int
		if ports, err = FreePorts(2); err != nil {
			return nil, err
		}
		port, bus, ident := strconv.Itoa(ports[0]), strconv.Itoa(ports[1]), "laurel-"+rand.Text()
		s := &Server{addr: "127.0.0.1:" + port, bus: bus, stop: func() {}}
		if err = s.run(r.program, r.arguments(port, bus, ident)); err == nil {
			err = s.ready(ctx, r.ask(ident), ident)
		}
		if err == nil {
			return s, nil
		}
		s.Stop()
		if !errors.Is(err, errPortTaken) {
			break
		}
	}
	return nil, fmt.Errorf("start %s: %w", filepath.Base(r.program), err)
}

// run runs the server.
func (s *Server) run(program string, arguments []string) error {
	s.done, s.output = make(chan struct{}), bytes.Buffer{}
	dir, err := os.MkdirTemp("", "laurel-server-")
	if err != nil {
		return err
	}
	stdin, alive, err := os.Pipe()
	if err != nil {
		return errors.Join(err, os.Remove(dir))
	}
	cmd := exec.Command("sh", append([]string{"-c", keeper, dir, program}, arguments...)...)
	cmd.Env = append(os.Environ(), "TMPDIR="+dir)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &s.output, &s.output
	if err := errors.Join(cmd.Start(), stdin.Close()); err != nil {
		return errors.Join(err, alive.Close(), os.Remove(dir))
	}
	go func() {
		_ = cmd.Wait()
		_, _ = alive.WriteString("ended\n")
		_ = alive.Close()
		close(s.done)
	}()
	s.stop = sync.OnceFunc(func() {
		_ = cmd.Process.Kill()
		<-s.done
		for i := 0; i < 500 && listens(s.addr); i++ { // a container ends a moment after its client
			time.Sleep(10 * time.Millisecond)
		}
	})
	return nil
}

// ready waits until the server answers, and checks by ident that it is this one and
// not another that was faster in taking the port.
func (s *Server) ready(ctx context.Context, request, ident string) error {
	ctx, cancel := context.WithTimeout(ctx, startsWithin)
	defer cancel()
	for {
		if s.about = exchange(s.addr, request); strings.Contains(s.about, ident) {
			return nil
		}
		select {
		case <-s.done:
			output := strings.TrimSpace(s.output.String())
			if strings.Contains(strings.ToLower(output), "already in use") {
				return errPortTaken
			}
			return fmt.Errorf("it ended at once: %s", output[strings.LastIndex(output, "\n")+1:])
		case <-ctx.Done():
			return fmt.Errorf("it does not answer: %w", ctx.Err())
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// exchange sends a request after which the server closes the connection, and returns
// the answer as far as it came.
func exchange(addr, request string) string {
	conn, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return ""
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
	_, _ = io.WriteString(conn, request)
	answer, _ := io.ReadAll(conn)
	return string(answer)
}

// listens reports whether anyone takes connections at host:port.
func listens(addr string) bool {
	conn, err := net.DialTimeout("tcp", addr, 5*time.Second)
	if err == nil {
		_ = conn.Close()
	}
	return err == nil
}

// FreePorts returns n different ports of 127.0.0.1 on which nobody listens.
func FreePorts(n int) ([]int, error) {
	if n == 0 {
		return nil, nil
	}
	listener, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, fmt.Errorf("find a free port: %w", err)
	}
	others, err := FreePorts(n - 1) // while this one is taken
	return append(others, listener.Addr().(*net.TCPAddr).Port), errors.Join(err, listener.Close())
}
