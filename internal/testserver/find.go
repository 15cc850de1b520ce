package testserver

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

var errMissing = errors.New("run make setup")

// find returns the path of the first program that .tools/bin or PATH has.
func find(programs ...string) (string, error) {
	for _, program := range programs {
		for _, name := range []string{filepath.Join(repository(), ".tools", "bin", program), program} {
			if path, err := exec.LookPath(name); err == nil {
				return filepath.Abs(path)
			}
		}
	}
	return "", fmt.Errorf("no %s on PATH or in .tools/bin: %w", strings.Join(programs, " or "), errMissing)
}

// repository returns the directory of go.mod above the working directory.
func repository() string {
	dir, err := os.Getwd()
	for err == nil && dir != filepath.Dir(dir) {
		if _, missing := os.Stat(filepath.Join(dir, "go.mod")); missing == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	return dir
}

var ending sync.Mutex

// must fails the test on an error. Without a server every test of a package would
// fail with the same line; the first one prints it for all and ends the test binary.
func must(tb testing.TB, err error) {
	tb.Helper()
	if errors.Is(err, errMissing) {
		ending.Lock() // those that run beside it wait for the end
		fmt.Fprintln(os.Stderr, "testserver:", err)
		os.Exit(1)
	}
	if err != nil {
		tb.Fatal(err)
	}
}
