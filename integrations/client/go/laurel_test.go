package laurel_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	laurel "laurel/integrations/client/go"
)

// address is that of the laurel dev of all tests.
var address string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

// run builds and starts laurel dev for the tests, and stops it after them.
func run(m *testing.M) int {
	folder, err := os.MkdirTemp("", "laurel")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	program := filepath.Join(folder, "laurel")
	build := exec.Command("go", "build", "-o", program, "./cmd/laurel")
	build.Dir = "../../.."
	if text, err := build.CombinedOutput(); err != nil {
		panic(string(text))
	}
	server := exec.Command(program, "dev", "--addr", "127.0.0.1:0")
	out, err := server.StdoutPipe()
	if err != nil {
		panic(err)
	}
	if err := server.Start(); err != nil {
		panic(err)
	}
	defer func() {
		_ = server.Process.Signal(os.Interrupt)
		_ = server.Wait() // how it ends is tested where it is made
	}()
	lines := bufio.NewReader(out)
	for address == "" {
		line, err := lines.ReadString('\n')
		if err != nil {
			panic("laurel dev ended before it said where it is")
		}
		address = regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(line)
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	return m.Run()
}

// source returns tokens that laurel dev signs: of a user, or of the service for "".
func source(user string) laurel.TokenSource {
	return func(ctx context.Context) (string, error) {
		query := url.Values{"user": {"forum"}, "scope": {"laurel/service"}}
		if user != "" {
			query = url.Values{"user": {user}}
		}
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/dev/token?"+query.Encode(), http.NoBody)
		if err != nil {
			return "", err
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return "", err
		}
		defer func() { _ = answer.Body.Close() }()
		text, err := io.ReadAll(answer.Body)
		return strings.TrimSpace(string(text)), err
	}
}

// service returns a client of the forum's backend.
func service() *laurel.Client { return laurel.New(address, source("")) }

// must returns a function that returns a value, and fails the test at an error.
func must[T any](t *testing.T) func(T, error) T {
	t.Helper()
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}
