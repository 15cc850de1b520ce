//go:build forums

package integrations_test

import (
	"os"
	"testing"

	"laurel/internal/harness"
)

// The client in JavaScript, on laurel dev and on servers that refuse, are slow and lose answers. That in Go is a module
// of its own with its own tests.
func TestClientInJavaScript(t *testing.T) {
	t.Parallel()
	harness.OK(t, os.CopyFS(t.TempDir(), os.DirFS("client/js"))) // so that Go knows the files that the result depends on
	laurel := harness.StartLaurel(t, []string{harness.Build(t)}, "", nil, "dev")
	run(t, []string{"LAUREL_ADDRESS=" + laurel.URL}, "node", "--test", "--test-reporter", "spec",
		"client/js/client.test.js")
}
