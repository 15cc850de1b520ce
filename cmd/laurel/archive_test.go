package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/internal/testserver"
)

// someDays is history of three days of November, and of August.
const someDays = `at,user,action,target
2026-08-10T12:00:00Z,ann,like,a1
2026-11-19T12:00:00Z,ann,like,a1
2026-11-19T12:01:00Z,bob,like,a1
2026-11-20T12:00:00Z,bob,like,a2
2026-11-24T12:00:00Z,ann,like,a3
`

// onThatDay returns the flags of a Redis of its own, and the file with these days.
func onThatDay(t *testing.T) (csv string, flags []string) {
	t.Helper()
	csv = filepath.Join(t.TempDir(), "days.csv")
	if err := os.WriteFile(csv, []byte(someDays), 0o600); err != nil {
		t.Fatal(err)
	}
	return csv, []string{"--redis", testserver.OwnRedis(t).URL(), "--now", "2026-11-24T18:00:00Z"}
}

// What is due is shown, made final, once, and can be live again; audits find nothing wrong at
// any time. Each command does so on every kind of stores.
func TestArchiveAndReopen(t *testing.T) {
	t.Parallel()
	endpoint, table := testserver.Table(t)
	for name, place := range map[string][]string{
		"a folder": {"--data", filepath.Join(t.TempDir(), "alone")}, "a folder and Redis": {"--data", t.TempDir()},
		"DynamoDB and Redis": {"--dynamodb", endpoint, "--table", table},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			csv, flags := onThatDay(t)
			if name == "a folder" {
				flags = flags[2:]
			}
			o := &operated{T: t, flags: append(flags, place...)}
			o.does("import "+csv, exitDone, "counted                             5")
			archiveAndReopen(o)
		})
	}
}

func archiveAndReopen(o *operated) {
	o.Helper()
	for _, step := range []struct{ command, says string }{
		{"archive --dry-run", "on 2026-11-24 18:00 +00:00:\n  2026-08-01 to 2026-11-20  close"},
		{"archive --dry-run", "left: 2026-08: its days, weeks or months are not final\n"},
		{"archive", "on 2026-11-24: 10 steps, 0 left\nwaits until "},
		{"archive", "on 2026-11-24: 0 steps, 0 left\n"},
		{"archive --dry-run", "on 2026-11-24 18:00 +00:00 nothing is due\n"},
		{"reopen 2026-11-19", "2026-11-19: no differences; would be live again; --apply does it\n"},
		{"archive --dry-run", "nothing is due"},
		{"reopen 2026-11-19 --apply", "2026-11-19: no differences; is live again until the next nightly run\n"},
		{"reopen 2026-11-19 --apply", "2026-11-19 is reopened already\n"},
		{"recover", "2026-11-19 was reopened. The next night closes it again.\nThe audit of 2 people: no differences.\n"},
		{"archive --dry-run", "2026-11-19  close"},
		{"archive", "activity  2 entries"},
		{"recover", "Nothing is wrong.\nThe audit of 2 people: no differences.\n"},
		{"export --user ann", `"score": 2`},
		{"erase --user ann", "the erasure is running"},
		{"archive", "erasures: 1 done, 0 left\n"},
		{"export --user ann", `"entries": []`},
		{"audit --final", "4 final boards, 5 entries: differences: "},
		{"rebuild --all", "2 people: "},
	} {
		o.does(step.command, exitDone, step.says)
		if !strings.HasPrefix(step.command, "reopen") { // else the next tick shows what is live again
			o.does("audit", exitDone, "no differences")
		}
	}
	o.does("reopen 2026-11-24", exitFound, "2026-11-24 is not final")
}

// Commands name what is missing: where the stores are, a table that was ever used, a Redis that
// answers.
func TestCommandsSayWhichStoreIsMissing(t *testing.T) {
	t.Parallel()
	csv, flags := onThatDay(t)
	o := &operated{T: t, flags: flags}
	for _, command := range []string{
		"archive", "audit", "recover", "reopen 2026-11-19", "import " + csv, "import --finish",
	} {
		o.does(command, exitUsage, "--dynamodb or DYNAMODB_ENDPOINT is missing: ")
	}
	o.flags = slices.Concat(flags, []string{"--data", t.TempDir()})
	for _, command := range []string{"archive", "audit", "recover", "rebuild", "reopen 2026-11-19", "erase --user ann"} {
		o.does(command, exitUsage, "the table was never used: ")
	}
	o.does("import "+csv, exitDone, "counted")
	o.flags[1] = "redis://127.0.0.1:1"
	for _, command := range []string{"audit", "audit --apply", "rebuild"} {
		o.does(command, exitFound, "laurel recover")
	}
	o.does("recover", exitFound, "The view cannot be reached: ")
	o.does("import "+csv, exitDrops, "Redis is unavailable: a tick of the server fills it, or laurel recover")
	o.does("archive", exitDone, "left: Redis is unavailable; laurel recover says what to do: ")
}

// The development server makes its nights itself, from its embedded store into a
// folder, and has everything again when it starts on the folder.
func TestDevMakesItsNights(t *testing.T) {
	folder := t.TempDir()
	csv := filepath.Join(folder, "days.csv")
	if err := os.WriteFile(csv, []byte(someDays), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"--now", "2026-11-24T18:00:00Z", "--data", filepath.Join(folder, "archive")}
	t.Run("first", func(t *testing.T) {
		base := startDev(t, append(args, "--import", csv)...)
		waitFor(t, base+"/v1/boards/activity/day/periods",
			`"2026-11-24":false "2026-11-20":true "2026-11-19":true "2026-08-10":true`)
	})
	t.Run("again", func(t *testing.T) {
		base := startDev(t, args...)
		waitFor(t, base+"/v1/boards/activity/day/periods",
			`"2026-11-24":false "2026-11-20":true "2026-11-19":true "2026-08-10":true`)
	})
}

// waitFor reads a list of periods until it is the one wanted.
func waitFor(t *testing.T, address, want string) {
	t.Helper()
	var got string
	for range 100 {
		answer, err := http.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		var list struct {
			Periods []struct {
				Period string `json:"period"`
				Final  bool   `json:"final"`
			} `json:"periods"`
		}
		if err != nil || json.Unmarshal(text, &list) != nil {
			t.Fatal(err, string(text))
		}
		var periods []string
		for _, p := range list.Periods {
			periods = append(periods, fmt.Sprintf("%q:%t", p.Period, p.Final))
		}
		if got = strings.Join(periods, " "); got == want {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("%s: %s, want %s", address, got, want)
}
