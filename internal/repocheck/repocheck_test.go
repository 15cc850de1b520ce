package repocheck_test

import (
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"laurel/internal/harness"
)

// repository is this one, seen from here.
var repository = os.DirFS("../..")

func read(t *testing.T, name string) string {
	t.Helper()
	return string(harness.Must(fs.ReadFile(repository, name))(t))
}

// files lists the files whose names have an end, without those of tools and tests' data.
func files(t *testing.T, end string) (names []string) {
	t.Helper()
	err := fs.WalkDir(repository, ".", func(name string, entry fs.DirEntry, err error) error {
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
		if strings.HasSuffix(name, end) {
			names = append(names, name)
		}
		return nil
	})
	harness.OK(t, err)
	return names
}

// scriptLines is the maximum length of a script: Go decides, a script compares and sets.
const scriptLines = 60

// code returns the source that ships of a folder, one file after the other.
func code(t *testing.T, folder string) string {
	t.Helper()
	var source strings.Builder
	for _, name := range files(t, ".go") {
		if strings.HasPrefix(name, folder) && !strings.HasSuffix(name, "_test.go") {
			source.WriteString(read(t, name))
		}
	}
	return source.String()
}

// TestScripts checks that every Redis script says in the comment that it begins with what it is for, what it takes
// and what it returns, and is short.
func TestScripts(t *testing.T) {
	t.Parallel()
	for _, name := range files(t, ".lua") {
		text := read(t, name)
		if n := strings.Count(text, "\n"); n > scriptLines {
			t.Errorf("%s: %d lines, want at most %d", name, n, scriptLines)
		}
		header := regexp.MustCompile(`\A(--.*\n)*`).FindString(text)
		if !regexp.MustCompile(`\A-- [A-Z][a-z]`).MatchString(header) || strings.HasPrefix(header, "-- Returns") {
			t.Errorf("%s: the first line does not say what it is for", name)
		}
		for _, section := range []string{"KEYS", "ARGV", "Returns"} {
			if !strings.Contains(header, "\n-- "+section) {
				t.Errorf("%s: the header has no line that begins with %s", name, section)
			}
		}
	}
}
