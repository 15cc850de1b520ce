//go:build forums

package integrations_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"laurel/internal/harness"
	_ "laurel/shared/app"         // what laurel dev is made of, so that a change of it runs the test again
	_ "laurel/shared/localserver" // likewise
)

// The client in JavaScript, on laurel dev and on servers that refuse, are slow and lose answers. That in Go is a module
// of its own with its own tests.
func TestClientInJavaScript(t *testing.T) {
	t.Parallel()
	if err := os.CopyFS(t.TempDir(), os.DirFS("client/js")); err != nil { // so that Go knows which files the result is of
		t.Fatal(err)
	}
	tests := exec.CommandContext(t.Context(), "node", "--test", "--test-reporter", "spec", "client/js/client.test.js")
	tests.Env = append(os.Environ(), "LAUREL_ADDRESS="+laurelDev(t))
	if said, err := tests.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
}

// laurelDev returns the address of a laurel dev that is built and started for a test.
func laurelDev(t *testing.T) (address string) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "laurel")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../cmd/laurel")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	server := exec.CommandContext(t.Context(), program, "dev", "--addr", "127.0.0.1:0")
	out := harness.Must(server.StdoutPipe())(t)
	harness.OK(t, server.Start())
	lines := bufio.NewScanner(out)
	for address == "" && lines.Scan() {
		address = regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(lines.Text())
	}
	if address == "" {
		t.Fatal("laurel dev ended before it said where it is")
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for lines.Scan() { // so that it can go on
		}
	}()
	t.Cleanup(func() {
		<-ended           // the test's context has ended it
		_ = server.Wait() // it was killed
	})
	return address
}
