package harness

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Play plays the scenarios of text files. A heading, behind "# ", names one; a line is a command, and lines behind ">
// " are its answer. The lines before the first heading of a file begin each of its scenarios; those behind "// " say
// why. begin returns the function that answers the commands of a scenario: a word, and the rest of the line.
func Play(t *testing.T, files string, begin func(*testing.T) func(verb, rest string) []string) {
	t.Helper()
	for _, file := range Must(filepath.Glob(files))(t) {
		scenarios := strings.Split("\n"+string(Must(os.ReadFile(file))(t)), "\n# ")
		for _, scenario := range scenarios[1:] {
			name, lines, _ := strings.Cut(scenario, "\n")
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				play(t, begin(t), strings.Split(scenarios[0]+"\n"+lines, "\n"))
			})
		}
	}
}

func play(t *testing.T, answer func(verb, rest string) []string, lines []string) {
	t.Helper()
	lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" || strings.HasPrefix(line, "//") })
	for i := 0; i < len(lines); {
		command, want := lines[i], []string(nil)
		for i++; i < len(lines) && strings.HasPrefix(lines[i], "> "); i++ {
			want = append(want, lines[i][2:])
		}
		verb, rest, _ := strings.Cut(command, " ")
		if diff := cmp.Diff(want, answer(verb, rest)); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", command, diff)
		}
	}
}

// TextOf returns the answer of a command that may fail: nothing, or its error.
func TextOf(err error) []string {
	if err == nil {
		return nil
	}
	return []string{err.Error()}
}
