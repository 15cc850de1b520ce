package redisserver_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/redisserver"
)

// A pretended machine: the programs on its PATH, the commands that fail, and what
// an installation puts on PATH. It remembers what it was asked to run.
type pretended struct {
	path     []string
	failing  []string // the beginnings of commands
	installs string
	notRoot  bool
	ran      []string
}

func (p *pretended) Look(program string) (string, error) {
	if slices.Contains(p.path, program) {
		return "/bin/" + program, nil
	}
	return "", errors.New("not found")
}

func (p *pretended) Run(_ context.Context, command ...string) (string, error) {
	line := strings.TrimPrefix(strings.Join(command, " "), "/bin/")
	p.ran = append(p.ran, line)
	for _, failing := range p.failing {
		if strings.HasPrefix(line, failing) {
			return "", errors.New(line + ": exit status 1")
		}
	}
	if p.installs != "" && (strings.Contains(line, " install ") || strings.Contains(line, " add ")) {
		p.path = append(p.path, p.installs)
	}
	if strings.HasSuffix(line, "--version") {
		return "Redis server v=7.0.15 sha=00000000:0 bits=64\n", nil
	}
	return "", nil
}

func (p *pretended) Root() bool { return !p.notRoot }

func (p *pretended) Lock(context.Context, string) (func(), error) {
	p.ran = append(p.ran, "lock")
	return func() { p.ran = append(p.ran, "unlock") }, nil
}

func TestFindTakesTheNearest(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		machine pretended
		want    string
		ran     []string
	}{{
		name:    "a program on PATH before anything else",
		machine: pretended{path: []string{"valkey-server", "docker", "apt-get"}},
		want:    "valkey-server 7.0.15 from PATH",
		ran:     []string{"valkey-server --version"},
	}, {
		name:    "a container, with the image that is there",
		machine: pretended{path: []string{"docker", "apt-get"}},
		want:    "valkey/valkey:8-alpine in docker",
		ran:     []string{"docker info", "docker image inspect valkey/valkey:8-alpine"},
	}, {
		name: "the second image when the first cannot be had",
		machine: pretended{path: []string{"docker"}, failing: []string{
			"docker image inspect valkey", "docker pull --quiet valkey", "docker image inspect redis",
		}},
		want: "redis:7 in docker",
		ran: []string{
			"docker info", "docker image inspect valkey/valkey:8-alpine", "docker pull --quiet valkey/valkey:8-alpine",
			"docker image inspect redis:7", "docker pull --quiet redis:7",
		},
	}, {
		name:    "the system's package when the engine does not answer",
		machine: pretended{path: []string{"docker", "apt-get"}, failing: []string{"docker info"}, installs: "redis-server"},
		want:    "redis-server 7.0.15 from the system's package (apt-get)",
		ran: []string{
			"docker info", "lock", "apt-get update -qq", "apt-get install -y -qq --no-install-recommends redis-server",
			"redis-server --version", "unlock",
		},
	}, {
		name:    "the system's package through sudo",
		machine: pretended{path: []string{"apk"}, notRoot: true, installs: "redis-server"},
		want:    "redis-server 7.0.15 from the system's package (apk)",
		ran:     []string{"sudo -n true", "lock", "sudo -n apk add --quiet redis", "redis-server --version", "unlock"},
	}} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			source, err := redisserver.FindIn(t.Context(), &test.machine)
			if err != nil {
				t.Fatal(err)
			}
			if got := source.String(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if diff := cmp.Diff(test.ran, test.machine.ran); diff != "" {
				t.Errorf("commands (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhoWaitedForAnInstallationDoesNotRepeatIt(t *testing.T) {
	t.Parallel()
	machine := &waiting{pretended{path: []string{"apt-get"}}}
	if _, err := redisserver.FindIn(t.Context(), machine); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"lock", "redis-server --version", "unlock"}, machine.ran); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
}

// waiting is a machine on which another installs while this one waits.
type waiting struct{ pretended }

func (w *waiting) Lock(ctx context.Context, name string) (func(), error) {
	w.path = append(w.path, "redis-server")
	return w.pretended.Lock(ctx, name)
}

func TestWithoutAServerTheErrorHelps(t *testing.T) {
	t.Parallel()
	_, err := redisserver.FindIn(t.Context(), &pretended{
		path: []string{"docker", "apt-get"}, failing: []string{"docker info", "sudo -n true"}, notRoot: true,
	})
	if !errors.Is(err, redisserver.ErrNone) {
		t.Fatalf("got %v", err)
	}
	const want = "no Redis: put redis-server on PATH, start Docker, or set LAUREL_TEST_REDIS=redis://host:port " +
		"(neither redis-server nor valkey-server is on PATH; docker info: exit status 1; apt-get needs root: sudo -n true: exit status 1)"
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("the line (-want +got):\n%s", diff)
	}
}
