package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// onPath puts the program on the PATH, as laurel, and returns the environment.
func onPath(t *testing.T) []string {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.Symlink(program, filepath.Join(folder, "laurel")); err != nil {
		t.Fatal(err)
	}
	return append(os.Environ(), asProgram+"=1", "PATH="+folder+":"+os.Getenv("PATH"))
}

// bash with the script completes commands, flags, shells and files.
func TestBashCompletes(t *testing.T) {
	t.Parallel()
	script, errs, code := laurel(t, "", "completion", "bash")
	if code != exitDone || errs != "" {
		t.Fatalf("%d, %s", code, errs)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "users.csv"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	// What bash does with a line when the key is pressed: the command of complete -C, with
	// the line in the environment.
	const press = `
eval "$1"
[[ $(complete -p laurel) =~ -C\ \'?([a-z]+) ]] || exit 1
COMP_LINE=$2 COMP_POINT=${#2} "${BASH_REMATCH[1]}" laurel "" ""`
	for _, test := range []struct{ line, want, not string }{
		{"laurel ", "import", "--redis"},
		{"laurel comp", "completion", "import"},
		{"laurel help exp", "export", "import"},
		{"laurel import --prof", "--profiles", "--redis"},
		{"laurel audit --", "--json", "--profiles"},
		{"laurel completion ", "fish", "import"},
		{"laurel import us", "users.csv", "import"},
		{"laurel import --profiles us", "users.csv", "import"},
		{"laurel audit --rules us", "users.csv", "import"},
	} {
		bash := exec.CommandContext(t.Context(), "bash", "--norc", "-c", press, "bash", script, test.line)
		bash.Env, bash.Dir = onPath(t), folder
		out, err := bash.Output()
		words := strings.Fields(string(out))
		if err != nil || !slices.Contains(words, test.want) || slices.Contains(words, test.not) {
			t.Errorf("%q: %v, %q", test.line, err, words)
		}
	}
}

// The other shells' scripts are for laurel; where the shell is there it takes them.
func TestShellsTakeTheirCompletion(t *testing.T) {
	t.Parallel()
	for shell, piece := range map[string]string{
		"bash": "complete -o", "zsh": "bashcompinit", "fish": "complete -f -c laurel",
	} {
		script, _, code := laurel(t, "", "completion", shell)
		if code != exitDone || !strings.Contains(script, piece) {
			t.Errorf("%s: %d, %q", shell, code, script)
		}
		program, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		if out, err := exec.CommandContext(t.Context(), program, "-c", script).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v, %s", shell, err, out)
		}
	}
	if _, errs, code := laurel(t, "", "completion", "csh"); code != exitUsage || !strings.Contains(errs, "bash") {
		t.Errorf("another shell: %d, %s", code, errs)
	}
}
