package machine

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// keeper starts a server that cannot outlive this process, whatever ends it: a
// watcher beside the server waits for the end of a pipe that only this process
// holds open, and the system closes it when the process is gone. (Linux has a
// signal for that too, but it goes by threads, and Go's threads come and go.) A
// line on the pipe says that the server has ended by itself.
//
// $0 is the server's directory, $1 a script that clears away what else the server
// leaves, the rest the server; the shell becomes the server.
const keeper = `exec 3<&0 </dev/null
after=$1
shift
(read -r _ <&3 || kill -9 $$; cd "$0"; eval "$after"; cd /; rm -rf "$0") >/dev/null 2>&1 &
exec "$@" 3<&-`

// A Process is what runs one server, or a container with several.
type Process struct {
	cmd    *exec.Cmd
	alive  *os.File // the pipe's end; closing it ends the process
	output *tail
	done   chan struct{}
	stop   func()
}

// Stop ends the server at once, as if it had crashed, and waits until it is gone.
// It may be called again.
func (p *Process) Stop() {
	p.stop()
	<-p.done
}

// Done is closed when the server has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Output is the end of what the server has printed.
func (p *Process) Output() string { return p.output.String() }

// StartProgram starts the command that is given for a directory: a new one, named
// laurel-name-, which goes when the program ends.
func StartProgram(name string, command func(dir string) []string) (*Process, error) {
	return StartProgramAndClear(name, command, "")
}

// StartProgramAndClear is StartProgram for one that leaves more behind than its
// directory: a shell runs the script there when the program has ended, also after
// this process.
func StartProgramAndClear(name string, command func(dir string) []string, clearing string) (*Process, error) {
	dir, err := os.MkdirTemp("", "laurel-"+name+"-")
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("sh", slices.Concat([]string{"-c", keeper, dir, clearing}, command(dir))...)
	started, err := startProcess(cmd)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return started, nil
}

// A Publication is a port of 127.0.0.1 and the container's own that it leads to.
type Publication struct{ Outside, Inside int }

// StartContainer runs the commands side by side in one container, named
// laurel-name-, that ends with its standard input, and so with this process. A
// command is a line for its shell.
func (i Image) StartContainer(name string, ports []Publication, commands ...string) (*Process, error) {
	name = "laurel-" + name + "-" + strings.ToLower(rand.Text())
	arguments := []string{"run", "--rm", "--interactive", "--name", name, "--entrypoint", "sh"}
	for _, port := range ports {
		arguments = append(arguments, "--publish", fmt.Sprintf("127.0.0.1:%d:%d", port.Outside, port.Inside))
	}
	var script strings.Builder
	for _, command := range commands {
		script.WriteString(command + " </dev/null &\n")
	}
	script.WriteString("read -r _\n")
	started, err := startProcess(exec.Command(i.path, append(arguments, i.Name, "-c", script.String())...))
	if err != nil {
		return nil, err
	}
	end := started.stop
	started.stop = sync.OnceFunc(func() {
		_ = exec.Command(i.path, "rm", "--force", name).Run() // it may have ended before
		end()
	})
	return started, nil
}

func startProcess(cmd *exec.Cmd) (*Process, error) {
	// Not cmd.StdinPipe: Wait closes that one, and the watcher must be able to
	// tell an end of this process from an end of the server.
	stdin, alive, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p := &Process{cmd: cmd, alive: alive, output: new(tail), done: make(chan struct{})}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, p.output, p.output
	cmd.WaitDelay = time.Second
	err = cmd.Start()
	_ = stdin.Close()
	if err != nil {
		return nil, errors.Join(err, alive.Close())
	}
	p.stop = sync.OnceFunc(func() { _ = cmd.Process.Kill() })
	go func() {
		_ = cmd.Wait()
		_, _ = alive.WriteString("ended\n")
		_ = alive.Close()
		close(p.done)
	}()
	return p, nil
}

// Quoted is the command as one line for a shell.
func Quoted(command []string) string {
	words := make([]string, len(command))
	for i, word := range command {
		words[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return strings.Join(words, " ")
}

// A tail keeps the last lines that were written to it.
type tail struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

const tailBytes = 4096

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf.Write(p)
	if excess := t.buf.Len() - tailBytes; excess > 0 {
		t.buf.Next(excess)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.buf.String()
}
