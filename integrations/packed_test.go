//go:build forums

package integrations_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// npm packs the same files as make plugins, but for those that are added from elsewhere, and installs the package.
func TestNpmTakesThePackedPlugin(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run(t, nil, "sh", "-c", "cd .. && go run ./internal/plugins "+dir)
	found, err := os.ReadDir(dir)
	packed := slices.IndexFunc(found, func(e os.DirEntry) bool {
		return strings.HasPrefix(e.Name(), "nodebb-plugin-laurel-")
	})
	if err != nil || packed < 0 {
		t.Fatal(err, found)
	}
	archive := dir + "/" + found[packed].Name()
	ours := strings.Fields(run(t, nil, "tar", "tzf", archive))
	var theirs []struct {
		Files []struct {
			Path string `json:"path"`
		} `json:"files"`
	}
	said := run(t, nil, "sh", "-c", "npm pack --dry-run --json ./nodebb/laurel 2>/dev/null")
	if err := json.Unmarshal([]byte(said), &theirs); err != nil || len(theirs) != 1 {
		t.Fatal(err, said)
	}
	for _, file := range theirs[0].Files {
		if !slices.Contains(ours, "package/"+file.Path) {
			t.Errorf("npm packs %s, make plugins does not", file.Path)
		}
	}
	if more := len(ours) - len(theirs[0].Files); more != 3 { // the licence, the page, the changes
		t.Errorf("%d files more than npm: %q", more, ours)
	}
	run(t, nil, "npm", "install", "--offline", "--no-audit", "--no-fund", "--prefix", dir, archive)
	if _, err := os.Stat(dir + "/node_modules/nodebb-plugin-laurel/library.js"); err != nil {
		t.Error(err)
	}
}
