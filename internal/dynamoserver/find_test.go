package dynamoserver_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/dynamoserver"
	"laurel/internal/machine/machinetest"
)

// A pretended is a machine with a Java, whose Maven makes a directory.
type pretended struct {
	machinetest.System
	java    string
	newJava string // the version that an installation of openjdk-17 brings
}

func on(p pretended) *pretended {
	if p.java == "" {
		p.java = "17.0.15"
	}
	p.Answer = func(command []string) (string, bool) {
		if slices.Equal(command, []string{"java", "-version"}) {
			return "openjdk version \"" + p.java + "\" 2025-04-15\nOpenJDK Runtime Environment\n", false
		}
		if slices.Contains(command, "openjdk-17-jre-headless") {
			p.java = p.newJava
		}
		if command[0] == "mvn" && !slices.Contains(p.Failing, "mvn") {
			_, lib, _ := strings.Cut(command[len(command)-1], "-DoutputDirectory=")
			if err := os.MkdirAll(lib, 0o755); err != nil {
				return err.Error(), true
			}
		}
		return "", true
	}
	return &p
}

// ran are the commands without what differs each time.
func (p *pretended) ran() (commands []string) {
	for _, command := range p.Ran {
		command, _, _ = strings.Cut(command, " -f ")
		commands = append(commands, command)
	}
	return commands
}

const linux = "linux/amd64"

func TestFindTakesTheNearest(t *testing.T) {
	t.Parallel()
	const install = "apt-get install -y -qq --no-install-recommends "
	maven := []string{"lock dynamodb-local", "mvn -B -q", "unlock dynamodb-local"}
	for _, test := range []struct {
		name    string
		machine pretended
		brought bool
		on      string
		want    string
		ran     []string
	}{{
		name:    "what was brought before, before anything else",
		machine: pretended{System: machinetest.System{Path: []string{"java", "mvn", "docker", "apt-get"}}}, brought: true,
		want: "DynamoDB Local 3.1.0 from {cache}, on Java 17.0.15",
	}, {
		name:    "a container, when nothing was brought",
		machine: pretended{System: machinetest.System{Path: []string{"java", "mvn", "docker", "apt-get"}}},
		want:    "amazon/dynamodb-local:3.1.0 in docker",
		ran:     []string{"docker info", "docker image inspect amazon/dynamodb-local:3.1.0"},
	}, {
		name:    "a container, where the jars have no library",
		machine: pretended{System: machinetest.System{Path: []string{"java", "mvn", "podman"}}}, brought: true, on: "linux/arm64",
		want: "amazon/dynamodb-local:3.1.0 in podman",
		ran:  []string{"podman info", "podman image inspect amazon/dynamodb-local:3.1.0"},
	}, {
		name:    "Maven, when the engine does not answer",
		machine: pretended{System: machinetest.System{Path: []string{"java", "mvn", "docker", "apt-get"}, Failing: []string{"docker info"}}},
		want:    "DynamoDB Local 3.1.0 from {cache}, on Java 17.0.15",
		ran:     append([]string{"docker info"}, maven...),
	}, {
		name:    "Maven and Java by the system's package",
		machine: pretended{System: machinetest.System{Path: []string{"apt-get"}, Installs: []string{"java", "mvn"}}},
		want:    "DynamoDB Local 3.1.0 from {cache}, on Java 17.0.15",
		ran:     append([]string{"lock install", "apt-get update -qq", install + "default-jre-headless maven", "unlock install"}, maven...),
	}, {
		name:    "a newer Java, where the system's own is too old",
		machine: pretended{System: machinetest.System{Path: []string{"java", "apt-get"}, Installs: []string{"mvn"}, NotRoot: true}, java: "11.0.27", newJava: "17.0.1"},
		want:    "DynamoDB Local 3.1.0 from {cache}, on Java 17.0.1",
		ran: append([]string{
			"sudo -n true", "lock install", "sudo -n apt-get update -qq", "sudo -n " + install + "default-jre-headless maven", "unlock install",
			"sudo -n true", "lock install", "sudo -n " + install + "openjdk-17-jre-headless maven", "unlock install",
		}, maven...),
	}, {
		name:    "a Java, where the jars are there",
		machine: pretended{System: machinetest.System{Path: []string{"apt-get"}, Installs: []string{"java", "mvn"}}}, brought: true,
		want: "DynamoDB Local 3.1.0 from {cache}, on Java 17.0.15",
		ran: []string{
			"lock install", "apt-get update -qq", install + "default-jre-headless maven", "unlock install",
			"lock dynamodb-local", "unlock dynamodb-local",
		},
	}} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			cache := t.TempDir()
			directory := dynamoserver.Directory(cache)
			if test.brought {
				if err := os.MkdirAll(filepath.Join(directory, "lib"), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if test.on == "" {
				test.on = linux
			}
			sys := on(test.machine)
			source, err := dynamoserver.FindIn(t.Context(), sys, cache, test.on)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.ReplaceAll(test.want, "{cache}", directory), source.String()); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.ran, sys.ran()); diff != "" {
				t.Errorf("commands (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatWasBrokenOffIsBroughtAgain(t *testing.T) {
	t.Parallel()
	cache := t.TempDir()
	machine := on(pretended{System: machinetest.System{Path: []string{"java", "mvn"}, Failing: []string{"mvn"}}})
	if _, err := dynamoserver.FindIn(t.Context(), machine, cache, linux); !errors.Is(err, dynamoserver.ErrNone) {
		t.Fatalf("got %v", err)
	}
	if left, err := os.ReadDir(filepath.Join(cache, "laurel")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	machine.Failing = nil
	if _, err := dynamoserver.FindIn(t.Context(), machine, cache, linux); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(filepath.Join(cache, "laurel")); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestWhoWaitedDoesNotBringItAgain(t *testing.T) {
	t.Parallel()
	cache := t.TempDir()
	machine := on(pretended{System: machinetest.System{Path: []string{"java", "mvn"}}})
	machine.Waited = func() { // another brings it
		if err := os.MkdirAll(filepath.Join(dynamoserver.Directory(cache), "lib"), 0o755); err != nil {
			t.Error(err)
		}
	}
	if _, err := dynamoserver.FindIn(t.Context(), machine, cache, linux); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"lock dynamodb-local", "unlock dynamodb-local"}, machine.ran()); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
}

func TestWithoutAServerTheErrorHelps(t *testing.T) {
	t.Parallel()
	_, err := dynamoserver.FindIn(t.Context(), &machinetest.System{
		Path: []string{"docker", "apt-get"}, Failing: []string{"docker info", "sudo -n true"}, NotRoot: true,
	}, t.TempDir(), linux)
	if !errors.Is(err, dynamoserver.ErrNone) {
		t.Fatalf("got %v", err)
	}
	const want = "no DynamoDB Local: start Docker, install Java 17 and Maven, or set LAUREL_TEST_DYNAMODB=http://host:port " +
		"(it was not brought before; docker info: exit status 1; install Java and Maven: apt-get needs root: sudo -n true: exit status 1)"
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("the line (-want +got):\n%s", diff)
	}
}
