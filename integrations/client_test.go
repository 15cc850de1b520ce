//go:build forums

package integrations_test

import (
	"os"
	"os/exec"
	"testing"

	"laurel/internal/harness"
)

// The client in JavaScript, on laurel dev and on servers that refuse, are slow and lose answers. That in Go is a module
// of its own with its own tests.
func TestClientInJavaScript(t *testing.T) {
	t.Parallel()
	if err := os.CopyFS(t.TempDir(), os.DirFS("client/js")); err != nil { // so that Go knows which files the result is of
		t.Fatal(err)
	}
	tests := exec.CommandContext(t.Context(), "node", "--test", "--test-reporter", "spec", "client/js/client.test.js")
	laurel := harness.StartLaurel(t, []string{harness.Build(t)}, "", nil, "dev")
	tests.Env = append(os.Environ(), "LAUREL_ADDRESS="+laurel.URL)
	if said, err := tests.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
}
