package sam

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"laurel/internal/machine"
)

// Version is the version that is brought; Oldest the first that is good enough: it
// knows every property of the template.
const (
	Version = "1.170.0"
	Oldest  = "1.150.0"
)

// ErrNone means that sam could not be had by any of the ways. What is wrapped around
// it tells what was tried and what to do.
var ErrNone = errors.New("no aws-sam-cli")

// A Program is a sam that can be run.
type Program struct {
	command []string
	version string
	origin  string
	home    string // where it keeps what it remembers, in place of the user's own ~/.aws-sam
}

// String is the one line that says which sam it is.
func (p *Program) String() string { return "sam " + p.version + " from " + p.origin }

// Command is sam with the arguments. It ends, with what it has started, when the
// context does.
func (p *Program) Command(ctx context.Context, environment []string, arguments ...string) *exec.Cmd {
	words := slices.Concat(p.command, arguments)
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Env = append(slices.DeleteFunc(slices.Clone(environment), aboutAWS),
		"SAM_CLI_TELEMETRY=0", "PYTHONUNBUFFERED=1",
		"__SAM_CLI_APP_DIR="+p.home, "SAM_LAYER_CACHE_BASEDIR="+filepath.Join(p.home, "layers"),
		"AWS_REGION=eu-central-1", "AWS_DEFAULT_REGION=eu-central-1", "AWS_EC2_METADATA_DISABLED=true",
		"AWS_ACCESS_KEY_ID=local", "AWS_SECRET_ACCESS_KEY=local",
		"AWS_CONFIG_FILE="+os.DevNull, "AWS_SHARED_CREDENTIALS_FILE="+os.DevNull,
		// Else it asks AWS at each start whose credentials these are, and waits for the answer.
		"AWS_ENDPOINT_URL_STS=http://127.0.0.1:1", "AWS_MAX_ATTEMPTS=1")
	// sam removes its containers when it is interrupted.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 15 * time.Second
	return cmd
}

// aboutAWS says whether a variable could lead to somebody's account.
func aboutAWS(variable string) bool { return strings.HasPrefix(variable, "AWS_") }

// Find looks for a sam: on PATH, in the cache, by Python. That can take minutes; it
// is done once a machine. The error wraps ErrNone and is the line that helps.
func Find(ctx context.Context) (*Program, error) { return find(ctx, machine.Here{}, machine.Cache()) }

func find(ctx context.Context, sys machine.System, cache string) (*Program, error) {
	program, err := nearest(ctx, sys, cache)
	if err == nil {
		program.home = filepath.Join(cache, "laurel", "aws-sam-home")
		err = os.MkdirAll(program.home, 0o750)
	}
	return program, err
}

func nearest(ctx context.Context, sys machine.System, cache string) (*Program, error) {
	directory := filepath.Join(cache, "laurel", "aws-sam-cli-"+Version)
	program, notOnPath := onPath(ctx, sys)
	if notOnPath == nil {
		return program, nil
	}
	program, notBrought := ask(ctx, sys, directory, brought(directory)...)
	if notBrought == nil {
		return program, nil
	}
	err := bring(ctx, sys, directory)
	if err == nil {
		program, err = ask(ctx, sys, directory, brought(directory)...)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: install Python 3.10 with venv, or put sam %s on PATH (%w; %w)", ErrNone, Oldest, notOnPath, err)
	}
	return program, nil
}

func onPath(ctx context.Context, sys machine.System) (*Program, error) {
	path, err := sys.Look("sam")
	if err != nil {
		return nil, errors.New("sam is not on PATH")
	}
	program, err := ask(ctx, sys, "PATH", path)
	if err == nil && older(program.version, Oldest) {
		err = fmt.Errorf("sam %s is too old", program.version)
	}
	return program, err
}

// versionLine is of: SAM CLI, version 1.170.0.
var versionLine = regexp.MustCompile(`SAM CLI, version (\d+\.\d+\.\d+)`)

func ask(ctx context.Context, sys machine.System, origin string, command ...string) (*Program, error) {
	output, err := sys.Run(ctx, append(slices.Clip(command), "--version")...)
	if err != nil {
		return nil, err
	}
	match := versionLine.FindStringSubmatch(output)
	if match == nil {
		return nil, fmt.Errorf("%s does not tell its version", strings.Join(command, " "))
	}
	return &Program{command: command, version: match[1], origin: origin}, nil
}

// brought is how sam is called in an environment that has moved since it was made:
// its scripts have the old place in their first lines.
func brought(directory string) []string {
	return []string{filepath.Join(directory, "bin", "python"), "-m", "samcli"}
}

// managers are the systems' package managers, and how each is asked for Python with
// its virtual environments.
var managers = []machine.Manager{
	{Name: "apt-get", AsRoot: true, Commands: [][]string{{"apt-get", "update", "-qq"}, machine.AptInstall("python3", "python3-venv")}},
	{Name: "dnf", AsRoot: true, Commands: [][]string{{"dnf", "install", "-y", "-q", "python3", "python3-pip"}}},
	{Name: "apk", AsRoot: true, Commands: [][]string{{"apk", "add", "--quiet", "python3", "py3-pip"}}},
	{Name: "brew", AsRoot: false, Commands: [][]string{{"brew", "install", "--quiet", "python"}}},
}

// bring makes the directory a virtual environment with sam in it.
func bring(ctx context.Context, sys machine.System, directory string) error {
	python := func(string) bool {
		path, err := sys.Look("python3")
		if err == nil { // Debian has the module apart, and with it ensurepip
			_, err = sys.Run(ctx, path, "-c", "import venv, ensurepip, sys; sys.exit(sys.version_info < (3, 10))")
		}
		return err == nil
	}
	if !python("") {
		if err := machine.Install(ctx, sys, managers, python); err != nil {
			return fmt.Errorf("install Python: %w", err)
		}
	}
	return machine.Bring(ctx, sys, "aws-sam-cli", directory, func(dir string) error {
		path, err := sys.Look("python3")
		if err != nil {
			return err
		}
		if _, err := sys.Run(ctx, path, "-m", "venv", dir); err != nil {
			return err
		}
		_, err = sys.Run(ctx, filepath.Join(dir, "bin", "python"), "-m", "pip", "install",
			"--quiet", "--disable-pip-version-check", "--no-input", "aws-sam-cli=="+Version)
		return err
	})
}

// older says whether one version, three numbers with points, is before another.
func older(one, other string) bool {
	return slices.Compare(numbers(one), numbers(other)) < 0
}

func numbers(version string) (numbers []int) {
	for word := range strings.SplitSeq(version, ".") {
		number, _ := strconv.Atoi(word) // versionLine lets nothing else through
		numbers = append(numbers, number)
	}
	return numbers
}
