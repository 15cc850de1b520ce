//go:build forums

package integrations_test

import (
	"os"
	"testing"

	"laurel/internal/harness"
)

// The client in JavaScript, on laurel dev, on servers that refuse, are slow and lose answers, and by the vectors. That
// in Go is a module of its own with its own tests.
func TestClientInJavaScript(t *testing.T) {
	t.Parallel()
	harness.OK(t, os.CopyFS(t.TempDir(), os.DirFS("client/js"))) // so that Go knows the files that the result depends on
	program := harness.Build(t)
	laurel := harness.StartLaurel(t, []string{program}, "", nil, "dev")
	run(t, []string{"LAUREL_ADDRESS=" + laurel.URL, "LAUREL_PROGRAM=" + program},
		"node", "--test", "--test-reporter", "spec", "client/js/client.test.js", "client/js/vectors.test.js")
}
