package repocheck_test

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"laurel/internal/harness"
)

// A check returns what is wrong with a tree of files, one sentence for each finding.
type check = func(t *testing.T, tree fs.FS) []string

// repository is this one, seen from here.
var repository = os.DirFS("../..")

func TestRepository(t *testing.T) {
	t.Parallel()
	for name, check := range map[string]check{
		"scripts": scripts, "commands": commands, "errors": errorTexts, "places": places,
		"routes": routes, "documented routes": documentedRoutes, "parameters": parameters, "settings": settings,
		"variables": variables, "deployment": deployment, "policies": policies, "cdn": cdn,
		"filters": filters, "links": links, "guides": guides,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, finding := range check(t, repository) {
				t.Error(finding)
			}
		})
	}
}

func read(t *testing.T, tree fs.FS, name string) string {
	t.Helper()
	text := harness.Must(fs.ReadFile(tree, name))(t)
	return string(text)
}

// files lists the tree's files whose names match one of the patterns, without those
// of tools and tests' data.
func files(t *testing.T, tree fs.FS, patterns ...string) (names []string) {
	t.Helper()
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			ignored := slices.Contains([]string{"bin", "dist", "node_modules", "testdata"}, entry.Name())
			if ignored || name != "." && strings.HasPrefix(entry.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		}
		for _, pattern := range patterns {
			if matches, err := path.Match(pattern, entry.Name()); err != nil || matches {
				names = append(names, name)
				return err
			}
		}
		return nil
	})
	harness.OK(t, err)
	return names
}
