package redisserver_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/machine/machinetest"
	"laurel/internal/redisserver"
)

// on is a machine where a server tells its version.
func on(sys machinetest.System) *machinetest.System {
	sys.Answer = func(command []string) (string, bool) {
		name, _, _ := strings.Cut(command[0], "-")
		if command[len(command)-1] != "--version" {
			return "", true
		}
		return map[string]string{"redis": "Redis", "valkey": "Valkey"}[name] + " server v=7.0.15 sha=00000000:0 bits=64\n", true
	}
	return &sys
}

func TestFindTakesTheNearest(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		kind    string
		machine machinetest.System
		want    string
		ran     []string
	}{{
		name:    "a program on PATH before anything else",
		machine: machinetest.System{Path: []string{"valkey-server", "docker", "apt-get"}},
		want:    "valkey-server 7.0.15 from PATH",
		ran:     []string{"valkey-server --version"},
	}, {
		name:    "a container, with the image that is there",
		machine: machinetest.System{Path: []string{"docker", "apt-get"}},
		want:    "valkey/valkey:8-alpine in docker",
		ran:     []string{"docker info", "docker image inspect valkey/valkey:8-alpine"},
	}, {
		name: "the second image when the first cannot be had",
		machine: machinetest.System{Path: []string{"docker"}, Failing: []string{
			"docker image inspect valkey", "docker pull --quiet valkey", "docker image inspect redis",
		}},
		want: "redis:7 in docker",
		ran: []string{
			"docker info", "docker image inspect valkey/valkey:8-alpine", "docker pull --quiet valkey/valkey:8-alpine",
			"docker image inspect redis:7", "docker pull --quiet redis:7",
		},
	}, {
		name:    "the system's package when the engine does not answer",
		machine: machinetest.System{Path: []string{"docker", "apt-get"}, Failing: []string{"docker info"}, Installs: []string{"redis-server"}},
		want:    "redis-server 7.0.15 from the system's package (apt-get)",
		ran: []string{
			"docker info", "lock install", "apt-get update -qq", "apt-get install -y -qq --no-install-recommends redis-server",
			"redis-server --version", "unlock install",
		},
	}, {
		name:    "the system's package through sudo",
		machine: machinetest.System{Path: []string{"apk"}, NotRoot: true, Installs: []string{"redis-server"}},
		want:    "redis-server 7.0.15 from the system's package (apk)",
		ran:     []string{"sudo -n true", "lock install", "sudo -n apk add --quiet redis", "redis-server --version", "unlock install"},
	}, {
		name: "a Valkey, when it has to be one", kind: "valkey",
		machine: machinetest.System{Path: []string{"redis-server", "valkey-server"}},
		want:    "valkey-server 7.0.15 from PATH",
		ran:     []string{"valkey-server --version"},
	}, {
		name: "a Redis, when it has to be one", kind: "redis",
		machine: machinetest.System{Path: []string{"valkey-server", "docker"}},
		want:    "redis:7 in docker",
		ran:     []string{"docker info", "docker image inspect redis:7"},
	}, {
		name: "a Valkey from the backports, where there is no other", kind: "valkey",
		machine: machinetest.System{
			Path: []string{"redis-server", "apt-get"}, Installs: []string{"valkey-server"}, FailingOnce: "apt-get install",
		},
		want: "valkey-server 7.0.15 from the system's package (apt-get)",
		ran: []string{
			"lock install", "apt-get update -qq", "apt-get install -y -qq --no-install-recommends valkey-server", "unlock install",
			"lock install", "apt-get install -y -qq --no-install-recommends valkey-server", "valkey-server --version", "unlock install",
		},
	}} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			sys := on(test.machine)
			source, err := redisserver.FindIn(t.Context(), sys, test.kind)
			if err != nil {
				t.Fatal(err)
			}
			if got := source.String(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if diff := cmp.Diff(test.ran, sys.Ran); diff != "" {
				t.Errorf("commands (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhoWaitedForAnInstallationDoesNotRepeatIt(t *testing.T) {
	t.Parallel()
	sys := on(machinetest.System{Path: []string{"apt-get"}})
	sys.Waited = func() { sys.Path = append(sys.Path, "redis-server") } // another installs it
	if _, err := redisserver.FindIn(t.Context(), sys, ""); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"lock install", "redis-server --version", "unlock install"}, sys.Ran); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
}

func TestWithoutAServerTheErrorHelps(t *testing.T) {
	t.Parallel()
	_, err := redisserver.FindIn(t.Context(), &machinetest.System{
		Path: []string{"docker", "apt-get"}, Failing: []string{"docker info", "sudo -n true"}, NotRoot: true,
	}, "")
	if !errors.Is(err, redisserver.ErrNone) {
		t.Fatalf("got %v", err)
	}
	const want = "no Redis: put redis-server or valkey-server on PATH, start Docker, or set LAUREL_TEST_REDIS=redis://host:port " +
		"(not on PATH; docker info: exit status 1; apt-get needs root: sudo -n true: exit status 1)"
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("the line (-want +got):\n%s", diff)
	}
}
