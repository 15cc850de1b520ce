package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"laurel/internal/testserver"
)

// varying are the values of results that differ from run to run.
var varying = regexp.MustCompile(
	`"(seconds|go|commit|version|platform|token|id|generation|bytes|digest|since)":("[^"]*"|[0-9.e-]+)`)

// Each command's result is an object in a line of its own, of the fields that the golden
// file has. `go test ./cmd/laurel -run TestJSON -update` writes it.
func TestJSON(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("days.csv", someDays+"x,ann,like,a1\n")
	write("users.csv", "id,name\nann,Ann Lee\n")
	url := testserver.OwnRedis(t).URL()
	stores := []string{"--redis", url, "--data", filepath.Join(folder, "table"), "--now", "2026-11-24T18:00:00Z"}
	var b strings.Builder
	for _, test := range []struct {
		command string
		code    int
	}{
		{"version", exitDone},
		{"completion bash", exitDone},
		{"token --user ann --now 2026-11-24T18:00:00Z", exitDone},
		{"import --strict DIR/days.csv", exitFound},
		{"import --give-up", exitDone},
		{"import --profiles DIR/users.csv DIR/days.csv", exitDrops},
		{"archive --dry-run", exitDone},
		{"archive", exitDone},
		{"reopen 2026-11-19", exitDone},
		{"audit --final", exitDone},
		{"rebuild --all", exitDone},
		{"recover", exitDone},
		{"export --user ann", exitDone},
		{"erase --user ann", exitDone},
	} {
		args := strings.Fields(strings.ReplaceAll(test.command, "DIR", folder))
		if !slices.Contains([]string{"version", "completion", "token"}, args[0]) {
			args = append(args, stores...)
		}
		out, errs, code := laurel(t, "", append(args, "--json")...)
		if code != test.code || strings.Count(out, "\n") != 1 || !json.Valid([]byte(out)) {
			t.Errorf("laurel %s --json: %d, %s%s", test.command, code, out, errs)
		}
		out = strings.ReplaceAll(varying.ReplaceAllString(out, `"$1":"varies"`), folder, "DIR")
		b.WriteString("$ laurel " + test.command + " --json\n" + out)
	}
	golden(t, "testdata/json.golden", b.String())
}
