package e2e_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"sync"
	"testing"

	"laurel/internal/e2e"
	"laurel/internal/harness"
)

const (
	root = "../.." // the repository, from here

	// The functions.
	record, query, archive, authorize, eventing = "record", "query", "archive", "authorize", "events"
)

var functions = []string{record, query, archive, authorize, eventing}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "laurel-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	built = sync.OnceValues(func() (string, error) {
		return dir, e2e.Build(context.Background(), root, dir, runtime.GOARCH, functions...)
	})
	flag.Parse()
	_ = flag.Set("test.parallel", "12") // they wait for the steps of real functions, 15 seconds each
	code := m.Run()
	if err := checkCalls(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// built is the directory of the functions for this machine; the first test that
// asks builds them.
var built func() (dir string, err error)

// binary is the path of a function's program.
func binary(tb testing.TB, name string) string {
	tb.Helper()
	dir := harness.Must(built())(tb)
	return e2e.Binary(dir, name)
}
