package e2e

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

const (
	defaultTimeout = 10 * time.Second
	region         = "us-east-1"
)

// Options name the function to start, and its configuration.
type Options struct {
	Binary      string        // path of the built program
	Name        string        // of the function; empty: that of the binary's directory
	Environment []string      // NAME=value; overrides Lambda's
	Timeout     time.Duration // of an event; 0: 10 s
}

// A Function is a function's process. It is safe for concurrent use.
type Function struct {
	cmd            *exec.Cmd
	api            *runtimeAPI
	began          time.Time // before the exec
	stdout, stderr *os.File
	done           chan struct{} // closed when the process has ended
	kill           func()
}

// Start starts a function. The caller has to stop it.
func Start(o Options) (*Function, error) {
	binary, err := filepath.Abs(o.Binary)
	if err != nil {
		return nil, err
	}
	dir := filepath.Dir(binary)
	name := cmp.Or(o.Name, filepath.Base(dir))
	f := &Function{cmd: exec.Command(binary), done: make(chan struct{})}
	f.api = &runtimeAPI{
		name: name, timeout: cmp.Or(o.Timeout, defaultTimeout), events: make(chan *invocation), polled: make(chan struct{}),
	}
	var outErr, errErr error
	f.stdout, outErr = newOutput()
	f.stderr, errErr = newOutput()
	if err := errors.Join(outErr, errErr); err != nil {
		return nil, err
	}
	server := httptest.NewServer(f.api.handler())
	f.cmd.Dir, f.cmd.Stdout, f.cmd.Stderr = dir, f.stdout, f.stderr
	f.cmd.Env = append(environment(name, dir, server.Listener.Addr().String()), o.Environment...)
	f.kill = sync.OnceFunc(func() { _ = f.cmd.Process.Kill() })
	f.began = time.Now()
	if err := f.cmd.Start(); err != nil {
		server.Close()
		return nil, err
	}
	go func() {
		_ = f.cmd.Wait()                // ProcessState has the exit status
		server.CloseClientConnections() // a poll that nobody waits for
		server.Close()
		close(f.done)
	}()
	return f, nil
}

// environment returns the variables that Lambda sets.
func environment(name, dir, api string) []string {
	return []string{
		"AWS_LAMBDA_RUNTIME_API=" + api,
		"AWS_LAMBDA_FUNCTION_NAME=" + name,
		"AWS_LAMBDA_FUNCTION_VERSION=$LATEST",
		"AWS_LAMBDA_FUNCTION_MEMORY_SIZE=256",
		"AWS_LAMBDA_INITIALIZATION_TYPE=on-demand",
		"AWS_LAMBDA_LOG_GROUP_NAME=/aws/lambda/" + name,
		"AWS_LAMBDA_LOG_STREAM_NAME=2026/01/01/[$LATEST]0123456789abcdef0123456789abcdef",
		"AWS_LAMBDA_LOG_FORMAT=JSON",
		"AWS_REGION=" + region,
		"AWS_DEFAULT_REGION=" + region,
		"AWS_ACCESS_KEY_ID=laurel",
		"AWS_SECRET_ACCESS_KEY=laurel",
		"_HANDLER=bootstrap",
		"LAMBDA_TASK_ROOT=" + dir,
		"LAMBDA_RUNTIME_DIR=/var/runtime",
		"LANG=en_US.UTF-8",
		"PATH=/usr/local/bin:/usr/bin/:/bin:/opt/bin",
		"TZ=:UTC",
	}
}

// Ready waits until the function polls for its first event and returns how long that
// took from before the exec. It fails when the process ends before.
func (f *Function) Ready(ctx context.Context) (startup time.Duration, err error) {
	select {
	case <-f.api.polled:
	case <-f.done:
		return 0, f.exit()
	case <-ctx.Done():
		return 0, fmt.Errorf("e2e: wait for the first poll: %w", ctx.Err())
	}
	return f.api.first.Sub(f.began), nil
}

// Invoke hands the function an event as soon as it polls and returns its answer. The
// function may have failed, its process may have ended, or be killed at the event's deadline,
// as Lambda does.
func (f *Function) Invoke(ctx context.Context, event []byte) ([]byte, error) {
	i := &invocation{event: event, reply: make(chan reply, 1)}
	select {
	case f.api.events <- i:
	case <-f.done:
		return nil, f.exit()
	case <-ctx.Done():
		return nil, fmt.Errorf("e2e: wait for a poll: %w", ctx.Err())
	}
	timer := time.NewTimer(f.api.timeout)
	defer timer.Stop()
	select {
	case reply := <-i.reply:
		return reply.body, reply.err
	case <-f.done:
	case <-timer.C:
		f.Stop()
		return nil, fmt.Errorf("e2e: no answer after %s\n%s%s", f.api.timeout, f.Stdout(), f.Stderr())
	case <-ctx.Done():
		return nil, fmt.Errorf("e2e: wait for the answer: %w", ctx.Err())
	}
	select {
	case reply := <-i.reply: // it answered and then ended
		return reply.body, reply.err
	default:
		return nil, f.exit()
	}
}

// Stop kills the function if it still runs, and waits until it has ended. It may be
// called again.
func (f *Function) Stop() {
	f.kill()
	<-f.done
}

// Used returns how much processor time a function has used that has ended, and how many MB of memory at most.
func (f *Function) Used() (cpu time.Duration, memory int64) {
	<-f.done
	state := f.cmd.ProcessState
	return state.UserTime() + state.SystemTime(), state.SysUsage().(*syscall.Rusage).Maxrss / 1024
}

// Stdout is the output of the function so far.
func (f *Function) Stdout() string { return contents(f.stdout) }

// Stderr is the function's standard error so far.
func (f *Function) Stderr() string { return contents(f.stderr) }

// exit waits for the process to end and describes its exit.
func (f *Function) exit() error {
	<-f.done
	return fmt.Errorf("e2e: the function ended: %s\n%s%s", f.cmd.ProcessState, f.Stdout(), f.Stderr())
}

// newOutput makes a file without a name, gone with its last descriptor. A pipe would be read a little later: output
// from before an answer could come after it.
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
		return string(text) + "\ne2e: " + err.Error() + "\n"
	}
	return string(text)
}
