package endtoend_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"sync"
	"testing"

	"laurel/internal/bootstrap"
)

const (
	root = "../.." // the repository, from here

	// The functions.
	record, query, archive = "record", "query", "archive"
)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "laurel-endtoend-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	built = sync.OnceValues(func() (string, error) {
		return dir, bootstrap.Build(context.Background(), root, dir, runtime.GOARCH, record, query, archive)
	})
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// built is the directory of the functions, which the first test that asks builds
// for this machine.
var built func() (dir string, err error)

// binary is the path of a function's program.
func binary(t *testing.T, name string) string {
	t.Helper()
	dir, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return bootstrap.Binary(dir, name)
}
