package docker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"laurel/internal/machine"
)

// ErrNone means that no engine could be had by any of the ways. What is wrapped
// around it tells what was tried and what to do.
var ErrNone = errors.New("no Docker engine")

// answers is how long an engine may take to say that it is there: one that hangs is
// as good as none.
const answers = 10 * time.Second

// An Engine is a Docker engine that answers.
type Engine struct {
	host    string // for DOCKER_HOST; empty is where docker looks by itself
	version string
	origin  string  // running, started
	own     *daemon // nil when it was running already
}

// String is the one line that says which engine it is.
func (e *Engine) String() string { return "Docker " + e.version + ", " + e.origin }

// Stop ends an engine that was started here, with all of its containers, and waits
// until nothing is left of it. One that was running goes on.
func (e *Engine) Stop() {
	if e.own != nil {
		e.own.stop()
	}
}

// Environment is this process's, with what leads a program to the engine.
func (e *Engine) Environment() []string {
	if e.host == "" {
		return os.Environ()
	}
	return append(os.Environ(), "DOCKER_HOST="+e.host)
}

// Command is docker with the arguments, on this engine.
func (e *Engine) Command(ctx context.Context, arguments ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "docker", arguments...)
	cmd.Env = e.Environment()
	cmd.WaitDelay = time.Second
	return cmd
}

// Run runs docker and returns what it printed. The error tells the last line of
// what it complained.
func (e *Engine) Run(ctx context.Context, arguments ...string) (string, error) {
	return run(e.Command(ctx, arguments...))
}

func run(cmd *exec.Cmd) (string, error) {
	output, err := cmd.Output()
	if err != nil {
		complaint := ""
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			complaint = machine.LastLine(string(exit.Stderr))
		}
		return "", fmt.Errorf("%s: %w: %s", strings.Join(cmd.Args, " "), err, complaint)
	}
	return strings.TrimSpace(string(output)), nil
}

// Bring gives an engine: one that answers, else a new one. An engine that it starts
// ends with this process, or by Stop. The error wraps ErrNone and is the line that
// helps.
func Bring(ctx context.Context) (*Engine, error) {
	version, err := running(ctx, machine.Here{})
	if err == nil {
		return &Engine{version: version, origin: "running already"}, nil
	}
	if installErr := Installed(ctx, machine.Here{}, runtime.GOOS); installErr != nil {
		return nil, fmt.Errorf("%w: start Docker, or run as root on Linux (%w; %w)", ErrNone, err, installErr)
	}
	engine, err := start(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w: start Docker (%w)", ErrNone, err)
	}
	return engine, nil
}

// running is the version of the engine that answers where docker looks.
func running(ctx context.Context, sys machine.System) (version string, err error) {
	docker, err := sys.Look("docker")
	if err != nil {
		return "", errors.New("docker is not on PATH")
	}
	ctx, cancel := context.WithTimeout(ctx, answers)
	defer cancel()
	version, err = sys.Run(ctx, docker, "info", "--format", "{{.ServerVersion}}")
	// Some versions of docker print the fault and say that all is well.
	if version = strings.TrimSpace(version); err == nil && (version == "" || strings.ContainsAny(version, " \n")) {
		err = errors.New("docker info: " + machine.LastLine(version))
	}
	return version, err
}

// programs are what an engine of one's own takes.
var programs = []string{"docker", "dockerd", "containerd", "ip", "unshare"}

// managers are the systems' package managers, and how each is asked for them.
var managers = []machine.Manager{
	{Name: "apt-get", AsRoot: true, Commands: [][]string{
		{"apt-get", "update", "-qq"},
		machine.AptInstall("docker.io", "iproute2", "util-linux"),
	}},
	{Name: "dnf", AsRoot: true, Commands: [][]string{{"dnf", "install", "-y", "-q", "moby-engine", "iproute", "util-linux"}}},
	{Name: "apk", AsRoot: true, Commands: [][]string{{"apk", "add", "--quiet", "docker", "iproute2", "util-linux"}}},
}

// Installed makes sure that this system has what an engine of one's own takes.
func Installed(ctx context.Context, sys machine.System, system string) error {
	if system != "linux" || !sys.Root() {
		return errors.New("only root on Linux can start one")
	}
	all := func(string) bool {
		for _, program := range programs {
			if _, err := sys.Look(program); err != nil {
				return false
			}
		}
		return true
	}
	if all("") {
		return nil
	}
	if err := machine.Install(ctx, sys, managers, all); err != nil {
		return fmt.Errorf("install Docker: %w", err)
	}
	return nil
}

// socket is where an engine with this directory listens.
func socket(dir string) string { return filepath.Join(dir, "docker.sock") }
