package testserver

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// These name the variables of the environment that this package reads.
const (
	redisVariable    = "LAUREL_TEST_REDIS"    // redis://, rediss:// or host:port
	valkeyVariable   = "LAUREL_TEST_VALKEY"   // the same, for LAUREL_TEST_SERVER=valkey
	dynamodbVariable = "LAUREL_TEST_DYNAMODB" // http://host:port or host:port
	kindVariable     = "LAUREL_TEST_SERVER"   // redis or valkey; empty admits either
)

// ErrMissing reports that there is neither an address nor a program of a server.
var ErrMissing = errors.New("run make setup")

// find returns the path of the first program that .tools/bin or PATH has.
func find(address string, programs ...string) (string, error) {
	for _, program := range programs {
		for _, name := range []string{filepath.Join(repository(), ".tools", "bin", program), program} {
			if path, err := exec.LookPath(name); err == nil {
				return filepath.Abs(path)
			}
		}
	}
	return "", fmt.Errorf("no %s on PATH or in .tools/bin, and %s is not set: %w",
		strings.Join(programs, " or "), address, ErrMissing)
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

// fail fails the test. When a server is missing, every test that needs it would say
// so; the first one says it for all and ends the test binary.
func fail(tb testing.TB, err error) {
	tb.Helper()
	if errors.Is(err, ErrMissing) {
		fmt.Fprintln(os.Stderr, "testserver:", err)
		os.Exit(1)
	}
	tb.Fatal(err)
}
