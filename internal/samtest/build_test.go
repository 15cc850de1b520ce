//go:build sam

package samtest_test

import (
	"bytes"
	"debug/elf"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// functions are the stack's, by the names that the template has for them.
var functions = []string{"RecordFunction", "QueryFunction", "ArchiveFunction"}

// maxRecord is how large the function that everybody waits for may be, in bytes:
// docs/deploy.md has what it is.
var maxRecord = map[processor]int64{arm: 14_000_000, x86: 15_000_000}

func templateIsValid(t *testing.T, s *stack) {
	t.Helper()
	output, complaints := s.run(t, s.command(t, s.root, s.native, "validate", "--lint"))
	said := string(output) + complaints
	if !strings.Contains(said, "is a valid SAM Template") {
		t.Errorf("sam validate says\n%s", said)
	}
	// cfn-lint's findings have a code and a place: W1033 ... template.yaml:12:3.
	if strings.Contains(said, "template.yaml:") || strings.Contains(strings.ToLower(said), "warning") {
		t.Errorf("sam validate has findings\n%s", said)
	}
}

func bothProcessorsBuild(t *testing.T, s *stack) {
	t.Helper()
	for _, p := range []processor{x86, arm} {
		built := s.build(t, s.root, p)
		for _, function := range functions {
			machine := map[processor]elf.Machine{x86: elf.EM_X86_64, arm: elf.EM_AARCH64}[p]
			path := filepath.Join(built, function, "bootstrap")
			program, err := elf.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			if program.Machine != machine {
				t.Errorf("%s for %s is for %s", function, p.sam, program.Machine)
			}
			if program.Section(".symtab") != nil {
				t.Errorf("%s for %s is not stripped", function, p.sam)
			}
			if err := program.Close(); err != nil {
				t.Error(err)
			}
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if function == "RecordFunction" && info.Size() > maxRecord[p] {
				t.Errorf("%s for %s has %d bytes, over %d", function, p.sam, info.Size(), maxRecord[p])
			}
		}
		if p == s.native {
			s.built = built
		}
	}
}

// build has sam build the functions, or all of them, and returns where they are.
func (s *stack) build(t *testing.T, root string, p processor, functions ...string) (built string) {
	t.Helper()
	// The directory is the stack's: what is built here is run by other tests.
	s.builds++
	built = filepath.Join(filepath.Dir(s.variables), "build-"+strconv.Itoa(s.builds))
	s.run(t, s.command(t, root, p, slices.Concat([]string{"build"}, functions,
		[]string{"--build-dir", built, "--parameter-overrides", "Architecture=" + p.sam})...))
	return built
}

// A function's binary follows what is in shared/, and not a cache of sam's that
// knows the function's own directory alone.
func aChangeInSharedIsShipped(t *testing.T, s *stack) {
	t.Helper()
	const file, line, changed = "shared/activity/activity.go", "must not be empty", "must not be empty, says a test"
	root := filepath.Join(t.TempDir(), "copy")
	if err := copyTree(s.root, root); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(root, file)
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(source, []byte(line)) {
		t.Fatalf("%s has no %q: take another line", file, line)
	}
	for _, change := range []bool{false, true} {
		if change {
			source = bytes.ReplaceAll(source, []byte(line), []byte(changed))
			if err := os.WriteFile(path, source, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		built := s.build(t, root, s.native, "RecordFunction")
		binary, err := os.ReadFile(filepath.Join(built, "RecordFunction", "bootstrap"))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(binary, []byte(changed)) != change {
			t.Errorf("the line is changed: %v; it is shipped: %v", change, !change)
		}
	}
}

// copyTree copies what sam build needs of the repository.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if inside != "." && strings.HasPrefix(entry.Name(), ".") {
				return fs.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, inside), 0o750)
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, inside), text, 0o600)
	})
}
