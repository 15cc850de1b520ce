//go:build forums

package integrations_test

import (
	"os"
	"testing"
)

// npm installs the packed plugin.
func TestNpmTakesThePackedPlugin(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run(t, nil, "sh", "-c", "cd .. && go run ./internal/plugins "+dir)
	run(t, nil, "sh", "-c", "cd "+dir+" && npm install --offline --no-audit --no-fund --prefix . ./nodebb-*.tgz")
	if _, err := os.Stat(dir + "/node_modules/nodebb-plugin-laurel/library.js"); err != nil {
		t.Error(err)
	}
}
