package laurel_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	laurel "laurel/integrations/client/go"
)

// program is laurel, and address that of the laurel dev of most tests.
var program, address string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

// run builds laurel, and starts laurel dev for the tests.
func run(m *testing.M) int {
	folder, err := os.MkdirTemp("", "laurel")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	program = filepath.Join(folder, "laurel")
	build := exec.Command("go", "build", "-o", program, "./cmd/laurel")
	build.Dir, build.Env = "../../..", append(os.Environ(), "CGO_ENABLED=0") // as a release is built
	if text, err := build.CombinedOutput(); err != nil {
		panic(string(text))
	}
	var stop func()
	address, stop = dev()
	defer stop()
	return m.Run()
}

// dev starts a laurel dev, and returns its address and the function that stops it.
func dev(args ...string) (address string, stop func()) {
	server := exec.Command(program, append([]string{"dev", "--addr", "127.0.0.1:0"}, args...)...)
	out, err := server.StdoutPipe()
	if err != nil {
		panic(err)
	}
	if err := server.Start(); err != nil {
		panic(err)
	}
	lines := bufio.NewReader(out)
	for address == "" {
		line, err := lines.ReadString('\n')
		if err != nil {
			panic("laurel dev ended before it said where it is")
		}
		address = regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(line)
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	return address, func() {
		_ = server.Process.Signal(os.Interrupt)
		_ = server.Wait() // how it ends is tested where it is made
	}
}

// source returns tokens that laurel dev signs: of a user, or of the service for "".
func source(user string) laurel.TokenSource { return sourceOf(address, user) }

func sourceOf(address, user string) laurel.TokenSource {
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

// Every field of a problem is a property of the document's schema; the other types are made of it.
func TestProblemsHaveFieldsOfTheDocument(t *testing.T) {
	t.Parallel()
	var document struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]json.RawMessage `json:"properties"`
			} `json:"schemas"`
		} `json:"components"`
	}
	const path = "/openapi.json"
	r := must[*http.Request](t)(http.NewRequestWithContext(t.Context(), http.MethodGet, address+path, http.NoBody))
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	if err := json.NewDecoder(answer.Body).Decode(&document); err != nil {
		t.Fatal(err)
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[laurel.Problem]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if _, ok := document.Components.Schemas["Problem"].Properties[name]; !ok && name != "-" {
			t.Errorf("the schema Problem has no %q", name)
		}
	}
}

// The example that README.md shows is the code that is compiled here.
func TestReadmeShowsTheExample(t *testing.T) {
	t.Parallel()
	readme, example := string(must[[]byte](t)(os.ReadFile("README.md"))), must[[]byte](t)(os.ReadFile("example_test.go"))
	_, code, _ := strings.Cut(readme, "```go\n")
	code, _, found := strings.Cut(code, "```")
	if !found || !strings.Contains(string(example), code) {
		t.Error("README.md has another example than example_test.go")
	}
}
