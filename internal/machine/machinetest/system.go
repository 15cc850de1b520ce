package machinetest

import (
	"context"
	"errors"
	"slices"
	"strings"
)

// A System is a pretended machine: the programs on its PATH, the commands that
// fail, and what an installation puts on PATH. It remembers what it was asked to run.
type System struct {
	Path    []string
	Failing []string // the beginnings of commands
	// FailingOnce is the beginning of a command that fails the first time.
	FailingOnce string
	Installs    []string // the programs that a package manager brings
	NotRoot     bool
	// Answer, when set, says what a command prints, and whether the command is
	// worth remembering.
	Answer func(command []string) (output string, remember bool)
	// Waited, when set, is what another process does while this one waits for a lock.
	Waited func()
	// Unlocked, when set, is called when a lock is given back.
	Unlocked func()
	// Ran are the commands, and the locks taken and given back.
	Ran []string
}

// Look finds a program on the pretended PATH, in /bin.
func (s *System) Look(program string) (string, error) {
	if slices.Contains(s.Path, program) {
		return "/bin/" + program, nil
	}
	return "", errors.New("not found")
}

// Run pretends to run a command. Of a shell's script only its arguments count.
func (s *System) Run(_ context.Context, command ...string) (string, error) {
	if script := slices.Index(command, "-c"); script > 0 && command[script-1] == "sh" { // sh -c script name arguments
		command = slices.Concat(command[:script-1], command[script+2:])
	}
	line := strings.TrimPrefix(strings.Join(command, " "), "/bin/")
	output, remember := "", true
	if s.Answer != nil {
		output, remember = s.Answer(strings.Fields(line))
	}
	if remember {
		s.Ran = append(s.Ran, line)
	}
	for _, failing := range s.Failing {
		if strings.HasPrefix(line, failing) {
			return "", errors.New(line + ": exit status 1")
		}
	}
	if s.FailingOnce != "" && strings.HasPrefix(line, s.FailingOnce) {
		s.FailingOnce = ""
		return "", errors.New(line + ": exit status 1")
	}
	if strings.Contains(line, " install ") || strings.Contains(line, " add ") {
		s.Path = append(s.Path, s.Installs...)
	}
	return output, nil
}

// Root says whether the pretended process is root's.
func (s *System) Root() bool { return !s.NotRoot }

// Lock is always free, after whatever another process has done meanwhile.
func (s *System) Lock(_ context.Context, name string) (func(), error) {
	if s.Waited != nil {
		s.Waited()
	}
	s.Ran = append(s.Ran, "lock "+name)
	return func() {
		s.Ran = append(s.Ran, "unlock "+name)
		if s.Unlocked != nil {
			s.Unlocked()
		}
	}, nil
}
