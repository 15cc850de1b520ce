package runtimeapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// defaultTimeout is for how long a function may work on an event.
const defaultTimeout = 10 * time.Second

// Options say which function, and how it is set up.
type Options struct {
	Binary      string        // the path of the built program
	Name        string        // "": that of the binary's directory
	Environment []string      // NAME=value, beside and above what Lambda sets
	Timeout     time.Duration // for an event; 0: 10 s
}

// A Function is the process of one. It is safe for concurrent use.
type Function struct {
	cmd            *exec.Cmd
	api            *api
	server         *http.Server
	timeout        time.Duration
	began          time.Time // before the exec
	stdout, stderr *os.File
	done           chan struct{} // closed when the process is gone
	kill           func()
}

// Start starts a function. The caller has to stop it.
func Start(options Options) (*Function, error) {
	binary, err := filepath.Abs(options.Binary)
	if err != nil {
		return nil, fmt.Errorf("runtimeapi: %w", err)
	}
	options.Binary = binary
	f := &Function{timeout: cmp.Or(options.Timeout, defaultTimeout), done: make(chan struct{})}
	var outErr, errErr error
	f.stdout, outErr = newOutput()
	f.stderr, errErr = newOutput()
	if err := errors.Join(outErr, errErr); err != nil {
		return nil, fmt.Errorf("runtimeapi: %w", err)
	}
	listener, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, fmt.Errorf("runtimeapi: %w", err)
	}
	f.cmd = exec.Command(binary)
	f.cmd.Dir, f.cmd.Env = filepath.Dir(binary), environment(options, listener.Addr().String())
	f.cmd.Stdout, f.cmd.Stderr = f.stdout, f.stderr
	f.kill = sync.OnceFunc(func() { _ = f.cmd.Process.Kill() })

	f.api = newAPI(functionName(options), f.timeout)
	f.server = &http.Server{Handler: f.api.handler(), ReadHeaderTimeout: time.Minute}
	go func() { _ = f.server.Serve(listener) }()
	f.began = time.Now()
	if err := f.cmd.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("runtimeapi: %w", err), f.server.Close())
	}
	go func() {
		_ = f.cmd.Wait() // the state says how it ended
		_ = f.server.Close()
		close(f.done)
	}()
	return f, nil
}

// Ready waits until the function asks for its first event and returns how long
// that took from before the exec. It returns an ExitError when the process ends
// before it asks.
func (f *Function) Ready(ctx context.Context) (startup time.Duration, err error) {
	select {
	case <-f.api.polled:
		return f.api.first.Sub(f.began), nil
	case <-f.done:
	case <-ctx.Done():
		return 0, fmt.Errorf("runtimeapi: wait for the first poll: %w", ctx.Err())
	}
	select {
	case <-f.api.polled: // and then it ended
		return f.api.first.Sub(f.began), nil
	default:
		return 0, f.exit()
	}
}

// Invoke hands the function an event as soon as it asks for one and returns its
// answer. The error is a FunctionError when the function failed, an ExitError when
// its process is gone, or wraps ErrTimedOut.
func (f *Function) Invoke(ctx context.Context, event []byte) ([]byte, error) {
	i := newInvocation(event)
	select {
	case f.api.queue <- i:
	case <-f.done:
		return nil, f.exit()
	case <-ctx.Done():
		return nil, fmt.Errorf("runtimeapi: wait for a poll: %w", ctx.Err())
	}
	timer := time.NewTimer(f.timeout)
	defer timer.Stop()
	select {
	case reply := <-i.reply:
		return reply.body, reply.err
	case <-f.done:
	case <-timer.C:
		f.Stop()
		return nil, fmt.Errorf("%w after %s\n%s%s", ErrTimedOut, f.timeout, f.Stdout(), f.Stderr())
	case <-ctx.Done():
		return nil, fmt.Errorf("runtimeapi: wait for the answer: %w", ctx.Err())
	}
	select {
	case reply := <-i.reply: // and then it ended
		return reply.body, reply.err
	default:
		return nil, f.exit()
	}
}

// Terminate ends the function as Lambda does at the end of its life: with SIGTERM,
// if it has asked for that. It returns nil when the process then ends by itself
// and well; when the context ends first it is killed.
func (f *Function) Terminate(ctx context.Context) error {
	if !f.api.registered.Load() {
		return ErrNoSIGTERM
	}
	if err := f.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return errors.Join(fmt.Errorf("runtimeapi: %w", err), f.exit())
	}
	select {
	case <-f.done:
	case <-ctx.Done():
		f.Stop()
		return fmt.Errorf("runtimeapi: the function did not end after SIGTERM: %w", ctx.Err())
	}
	if exit := f.exit(); exit.Code != 0 {
		return exit
	}
	return nil
}

// Stop kills the function, if it still runs, and waits until it is gone. It may be
// called again.
func (f *Function) Stop() {
	f.kill()
	<-f.done
}

// Done is closed when the process is gone.
func (f *Function) Done() <-chan struct{} { return f.done }

// Stdout is what the function has printed so far.
func (f *Function) Stdout() string { return contents(f.stdout) }

// Stderr is what the function has printed there so far.
func (f *Function) Stderr() string { return contents(f.stderr) }

// exit says how the process ended, which it has.
func (f *Function) exit() *ExitError {
	<-f.done
	exit := &ExitError{Code: f.cmd.ProcessState.ExitCode(), Init: f.api.initError.Load(), Stdout: f.Stdout(), Stderr: f.Stderr()}
	select {
	case <-f.api.polled:
		exit.Polled = true
	default:
	}
	return exit
}

// newOutput is a file without a name: what is written is there to be read at once,
// and it goes with its last descriptor. (A pipe would be read a moment later, so
// what was printed before an answer could come after it.)
func newOutput() (*os.File, error) {
	file, err := os.CreateTemp("", "laurel-output-")
	if err != nil {
		return nil, err
	}
	return file, os.Remove(file.Name())
}

func contents(output *os.File) string {
	text, err := io.ReadAll(io.NewSectionReader(output, 0, math.MaxInt64))
	if err != nil {
		return string(text) + "\nruntimeapi: " + err.Error() + "\n"
	}
	return string(text)
}
