package dynamoserver_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/dynamoserver"
)

// A pretended machine: the programs on its PATH, the commands that fail, and what
// an installation puts on PATH. Its Maven makes one jar. It remembers what it was
// asked to run.
type pretended struct {
	path     []string
	java     string   // 17.0.15 when empty
	failing  []string // the beginnings of commands
	installs []string
	newJava  string // the version that an installation of openjdk-17 brings
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
	if line == "java -version" {
		version := p.java
		if version == "" {
			version = "17.0.15"
		}
		return "openjdk version \"" + version + "\" 2025-04-15\nOpenJDK Runtime Environment\n", nil
	}
	word, _, _ := strings.Cut(line, " -f ")
	p.ran = append(p.ran, word)
	for _, failing := range p.failing {
		if strings.HasPrefix(line, failing) {
			return "", errors.New(word + ": exit status 1")
		}
	}
	if strings.Contains(line, " install ") {
		p.path = append(p.path, p.installs...)
		if strings.Contains(line, "openjdk-17") {
			p.java = p.newJava
		}
	}
	for _, argument := range command {
		if lib, ok := strings.CutPrefix(argument, "-DoutputDirectory="); ok {
			return "", os.MkdirAll(lib, 0o755)
		}
	}
	return "", nil
}

func (p *pretended) Root() bool { return !p.notRoot }

func (p *pretended) Lock(_ context.Context, name string) (func(), error) {
	p.ran = append(p.ran, "lock "+name)
	return func() { p.ran = append(p.ran, "unlock "+name) }, nil
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
		machine: pretended{path: []string{"java", "mvn", "docker", "apt-get"}}, brought: true,
		want: "DynamoDB Local 3.1.0 from {cache}, on Java 17.0.15",
	}, {
		name:    "a container, when nothing was brought",
		machine: pretended{path: []string{"java", "mvn", "docker", "apt-get"}},
		want:    "amazon/dynamodb-local:3.1.0 in docker",
		ran:     []string{"docker info", "docker image inspect amazon/dynamodb-local:3.1.0"},
	}, {
		name:    "a container, where the jars have no library",
		machine: pretended{path: []string{"java", "mvn", "podman"}}, brought: true, on: "linux/arm64",
		want: "amazon/dynamodb-local:3.1.0 in podman",
		ran:  []string{"podman info", "podman image inspect amazon/dynamodb-local:3.1.0"},
	}, {
		name:    "Maven, when the engine does not answer",
		machine: pretended{path: []string{"java", "mvn", "docker", "apt-get"}, failing: []string{"docker info"}},
		want:    "DynamoDB Local 3.1.0 from {cache}, on Java 17.0.15",
		ran:     append([]string{"docker info"}, maven...),
	}, {
		name:    "Maven and Java by the system's package",
		machine: pretended{path: []string{"apt-get"}, installs: []string{"java", "mvn"}},
		want:    "DynamoDB Local 3.1.0 from {cache}, on Java 17.0.15",
		ran:     append([]string{"lock install", "apt-get update -qq", install + "default-jre-headless maven", "unlock install"}, maven...),
	}, {
		name:    "a newer Java, where the system's own is too old",
		machine: pretended{path: []string{"java", "apt-get"}, java: "11.0.27", installs: []string{"mvn"}, newJava: "17.0.1", notRoot: true},
		want:    "DynamoDB Local 3.1.0 from {cache}, on Java 17.0.1",
		ran: append([]string{
			"sudo -n true", "lock install", "sudo -n apt-get update -qq", "sudo -n " + install + "default-jre-headless maven", "unlock install",
			"sudo -n true", "lock install", "sudo -n " + install + "openjdk-17-jre-headless maven", "unlock install",
		}, maven...),
	}, {
		name:    "a Java, where the jars are there",
		machine: pretended{path: []string{"apt-get"}, installs: []string{"java", "mvn"}}, brought: true,
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
			source, err := dynamoserver.FindIn(t.Context(), &test.machine, cache, test.on)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.ReplaceAll(test.want, "{cache}", directory), source.String()); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.ran, test.machine.ran); diff != "" {
				t.Errorf("commands (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatWasBrokenOffIsBroughtAgain(t *testing.T) {
	t.Parallel()
	cache := t.TempDir()
	machine := &pretended{path: []string{"java", "mvn"}, failing: []string{"mvn"}}
	if _, err := dynamoserver.FindIn(t.Context(), machine, cache, linux); !errors.Is(err, dynamoserver.ErrNone) {
		t.Fatalf("got %v", err)
	}
	if left, err := os.ReadDir(filepath.Join(cache, "laurel")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	machine.failing = nil
	if _, err := dynamoserver.FindIn(t.Context(), machine, cache, linux); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(filepath.Join(cache, "laurel")); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestWhoWaitedDoesNotBringItAgain(t *testing.T) {
	t.Parallel()
	machine := &waiting{pretended: pretended{path: []string{"java", "mvn"}}, cache: t.TempDir()}
	if _, err := dynamoserver.FindIn(t.Context(), machine, machine.cache, linux); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"lock dynamodb-local", "unlock dynamodb-local"}, machine.ran); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
}

// waiting is a machine on which another brings it while this one waits.
type waiting struct {
	pretended
	cache string
}

func (w *waiting) Lock(ctx context.Context, name string) (func(), error) {
	if err := os.MkdirAll(filepath.Join(dynamoserver.Directory(w.cache), "lib"), 0o755); err != nil {
		return nil, err
	}
	return w.pretended.Lock(ctx, name)
}

func TestWithoutAServerTheErrorHelps(t *testing.T) {
	t.Parallel()
	_, err := dynamoserver.FindIn(t.Context(), &pretended{
		path: []string{"docker", "apt-get"}, failing: []string{"docker info", "sudo -n true"}, notRoot: true,
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
