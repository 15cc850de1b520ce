//go:build forums

package integrations_test

import (
	"os"
	"path/filepath"
	"testing"
)

// packed packs the plugins as a release does, and returns the archive of that name.
func packed(t *testing.T, name string) string {
	t.Helper()
	dir := t.TempDir()
	run(t, nil, "sh", "-c", "cd .. && go run ./internal/plugins "+dir)
	found, err := filepath.Glob(dir + "/" + name)
	if err != nil || len(found) != 1 {
		t.Fatal(err, found)
	}
	return found[0]
}

// npm installs the packed plugin.
func TestNpmTakesThePackedPlugin(t *testing.T) {
	t.Parallel()
	archive := packed(t, "nodebb-*.tgz")
	dir := filepath.Dir(archive)
	run(t, nil, "sh", "-c", "cd "+dir+" && npm install --offline --no-audit --no-fund --prefix . "+archive)
	if _, err := os.Stat(dir + "/node_modules/nodebb-plugin-laurel/library.js"); err != nil {
		t.Error(err)
	}
}
