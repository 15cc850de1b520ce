package machine

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// A System is what is asked of the machine; a test answers in its place.
type System interface {
	// Look finds a program on PATH.
	Look(program string) (path string, err error)
	// Run runs a command and returns what it printed. The error tells the last
	// line of that.
	Run(ctx context.Context, command ...string) (output string, err error)
	// Root says whether this process may do everything.
	Root() bool
	// Lock is the function Lock.
	Lock(ctx context.Context, name string) (unlock func(), err error)
}

// Here is the machine as it is.
type Here struct{}

// Look finds a program on PATH.
func (Here) Look(program string) (string, error) { return exec.LookPath(program) }

// Root says whether this process is root's.
func (Here) Root() bool { return os.Geteuid() == 0 }

// Lock waits for a name.
func (Here) Lock(ctx context.Context, name string) (func(), error) { return Lock(ctx, name) }

// Run runs a command that must not ask anything.
func (Here) Run(ctx context.Context, command ...string) (string, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive", "HOMEBREW_NO_AUTO_UPDATE=1")
	cmd.WaitDelay = time.Second
	output, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", strings.Join(command, " "), err, LastLine(string(output)))
	}
	return string(output), nil
}

// LastLine is the last line of an output, which tells most of what went wrong.
func LastLine(output string) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
