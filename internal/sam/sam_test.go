package sam_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/machine/machinetest"
	"laurel/internal/sam"
)

// on is a machine with these programs, on which sam has a version.
func on(sys machinetest.System, version, cache string) *machinetest.System {
	sys.Answer = func(command []string) (string, bool) {
		if command[len(command)-1] == "--version" {
			if command[0] != "sam" && !strings.HasPrefix(command[0], filepath.Join(cache, "laurel", "aws-sam-cli-"+sam.Version)) {
				return "", false
			}
			return "SAM CLI, version " + version + "\n", false
		}
		return "", true
	}
	return &sys
}

// ran are the commands without what differs each time.
func ran(sys *machinetest.System, cache string) (commands []string) {
	for _, command := range sys.Ran {
		words := strings.Fields(command)
		for i, word := range words {
			if rest, inCache := strings.CutPrefix(word, filepath.Join(cache, "laurel", "aws-sam-cli-")); inCache {
				_, rest, _ = strings.Cut(rest, "/")
				words[i] = filepath.Join("{new}", rest)
			}
		}
		commands = append(commands, strings.Join(words, " "))
	}
	return commands
}

const checks = "python3 -c import venv, ensurepip, sys; sys.exit(sys.version_info < (3, 10))"

func TestFindTakesTheNearest(t *testing.T) {
	t.Parallel()
	bring := []string{
		checks, "lock aws-sam-cli", "python3 -m venv {new}",
		"{new}/bin/python -m pip install --quiet --disable-pip-version-check --no-input aws-sam-cli==" + sam.Version,
		"unlock aws-sam-cli",
	}
	for _, test := range []struct {
		name    string
		machine machinetest.System
		version string
		want    string
		ran     []string
	}{{
		name: "what is on PATH", machine: machinetest.System{Path: []string{"sam", "python3"}}, version: "1.151.3",
		want: "sam 1.151.3 from PATH",
	}, {
		name: "a new one, when that is too old", machine: machinetest.System{Path: []string{"sam", "python3"}}, version: "1.99.0",
		want: "sam 1.99.0 from {cache}", ran: bring,
	}, {
		name: "a new one, when there is none", machine: machinetest.System{Path: []string{"python3"}}, version: sam.Version,
		want: "sam " + sam.Version + " from {cache}", ran: bring,
	}, {
		name:    "Python by the system's package",
		machine: machinetest.System{Path: []string{"apt-get"}, Installs: []string{"python3"}}, version: sam.Version,
		want: "sam " + sam.Version + " from {cache}",
		ran: slices.Concat([]string{
			"lock install", "apt-get update -qq", "apt-get install -y -qq --no-install-recommends python3 python3-venv",
			checks, "unlock install",
		}, bring[1:]),
	}} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			cache := t.TempDir()
			sys := on(test.machine, test.version, cache)
			sys.Failing = []string{filepath.Join(cache, "laurel", "aws-sam-cli-"+sam.Version, "bin", "python") + " -m samcli"}
			sys.Unlocked = func() { sys.Failing = nil } // now it is there
			program, err := sam.FindIn(t.Context(), sys, cache)
			if err != nil {
				t.Fatal(err)
			}
			directory := filepath.Join(cache, "laurel", "aws-sam-cli-"+sam.Version)
			if diff := cmp.Diff(strings.ReplaceAll(test.want, "{cache}", directory), program.String()); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.ran, ran(sys, cache)); diff != "" {
				t.Errorf("commands (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWithoutPythonTheErrorHelps(t *testing.T) {
	t.Parallel()
	cache := t.TempDir()
	sys := &machinetest.System{Path: []string{"apt-get"}, NotRoot: true, Failing: []string{"sudo -n true", cache}}
	_, err := sam.FindIn(t.Context(), sys, cache)
	if !errors.Is(err, sam.ErrNone) {
		t.Fatalf("got %v", err)
	}
	const want = "no aws-sam-cli: install Python 3.10 with venv, or put sam " + sam.Oldest + " on PATH " +
		"(sam is not on PATH; install Python: apt-get needs root: sudo -n true: exit status 1)"
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("the line (-want +got):\n%s", diff)
	}
	if left, _ := os.ReadDir(cache); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// The real one, brought if need be, says its version and has no credentials of ours.
func TestSamAnswers(t *testing.T) {
	t.Parallel()
	program, err := sam.Find(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Log(program)
	cmd := program.Command(t.Context(), append(os.Environ(), "AWS_PROFILE=mine", "AWS_ACCESS_KEY_ID=mine"), "--version")
	output, err := cmd.Output()
	if err != nil || !strings.HasPrefix(string(output), "SAM CLI, version ") {
		t.Errorf("got %q, %v", output, err)
	}
	if slices.ContainsFunc(cmd.Env, func(variable string) bool { return strings.HasSuffix(variable, "=mine") }) {
		t.Error("it gets credentials")
	}
}
