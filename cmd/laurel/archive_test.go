package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
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

var aFigure = regexp.MustCompile(`[0-9.,]+`)

// What is due is shown, moved, moved once, and can be brought back; the audit
// finds nothing wrong at any time.
func TestArchiveAndReopen(t *testing.T) {
	t.Parallel()
	endpoint, table := testserver.Table(t)
	for name, place := range map[string][]string{
		"a folder":   {"--data", filepath.Join(t.TempDir(), "archive")},
		"a DynamoDB": {"--dynamodb", endpoint, "--table", table},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			csv, flags := onThatDay(t)
			flags = append(flags, place...)
			if _, errs, code := laurel(t, "", append([]string{"import", csv}, flags...)...); code != exitDone {
				t.Fatalf("import: %d, %s", code, errs)
			}
			archiveAndReopen(t, flags)
		})
	}
}

func archiveAndReopen(t *testing.T, flags []string) {
	t.Helper()
	due := []string{
		"activity day 2026-08-10 1", "activity month 2026-08 1", "activity day 2026-11-19 2",
		"activity day 2026-11-20 1",
	}
	for _, step := range []struct {
		command  string
		periods  []string // in the table's order, with how many were on them
		contains string
	}{
		{"archive --dry-run", due, "and then the users' pages of 2026-08\n"},
		{"archive --dry-run", due, "on 2026-11-24 18:00 +00:00 these are due:\n"},
		{"archive", due, "on 2026-11-24: moved 4, left 0, failed 0\n"},
		{"archive", nil, "on 2026-11-24: moved 0, left 0, failed 0\n"},
		{"archive --dry-run", nil, "on 2026-11-24 18:00 +00:00 nothing is due\n"},
		{"reopen activity 2026-11-19", nil, "nothing was changed: --apply reopens it\n"},
		{"archive --dry-run", nil, "nothing is due"},
		{
			"reopen activity 2026-11-19 --apply", nil,
			"activity day 2026-11-19: 2 users by their entries, of which the journal has 2; 2 on the archive's copy\n",
		},
		{"archive --dry-run", due[2:3], "these are due"},
		{"archive", due[2:3], "moved 1"},
	} {
		out, errs, code := laurel(t, "", append(strings.Fields(step.command), flags...)...)
		if code != exitDone || !strings.Contains(out, step.contains) {
			t.Errorf("laurel %s: %d, %s%s", step.command, code, out, errs)
		}
		var periods []string
		for line := range strings.Lines(out) {
			if fields := strings.Fields(line); len(fields) > 3 && fields[0] == "activity" && aFigure.MatchString(fields[2]) &&
				!strings.HasSuffix(fields[2], ":") {
				periods = append(periods, strings.Join(fields[:4], " "))
			}
		}
		if strings.Join(periods, "; ") != strings.Join(step.periods, "; ") {
			t.Errorf("laurel %s: %q, want %q\n%s", step.command, periods, step.periods, out)
		}
		if out, errs, code := laurel(t, "", "audit", "--redis", flags[1]); code != exitDone ||
			!strings.Contains(out, "no differences") {
			t.Errorf("the audit after laurel %s: %d, %s%s", step.command, code, out, errs)
		}
	}
	for args, want := range map[string]string{
		"reopen activity 2026-11-18": "the archive has no activity day 2026-11-18: it is live, or nobody was on it",
		"reopen karma 2026-11-19":    `there is no board "karma"; the boards are activity, steps`,
	} {
		if _, errs, code := laurel(t, "", append(strings.Fields(args), flags...)...); code == exitDone ||
			!strings.Contains(errs, want) {
			t.Errorf("laurel %s: %d, %s", args, code, errs)
		}
	}
}

// Without a place that keeps it nothing is moved.
func TestArchiveNeedsAPlace(t *testing.T) {
	t.Parallel()
	csv, flags := onThatDay(t)
	for _, command := range []string{
		"archive", "archive --dry-run", "reopen activity 2026-11-19", "import " + csv, "import --finish",
	} {
		_, errs, code := laurel(t, "", append(strings.Fields(command), flags...)...)
		if code != exitUsage || !strings.Contains(errs,
			"--dynamodb or DYNAMODB_ENDPOINT is missing: the archive: http://localhost:8000, or --data DIR") {
			t.Errorf("laurel %s: %d, %s", command, code, errs)
		}
	}
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

// A Redis that keeps is not moved into an archive that forgets.
func TestDevLosesNothing(t *testing.T) {
	t.Parallel()
	csv, flags := onThatDay(t)
	for _, load := range [][]string{{"--import", csv}, nil} {
		base, _, stop := dev(t, append(load, flags...)...)
		waitFor(t, base+"/v1/boards/activity/day/periods",
			`"2026-11-24":false "2026-11-20":false "2026-11-19":false "2026-08-10":false`)
		stop()
	}
	kept := append([]string{"archive", "--dry-run", "--data", t.TempDir()}, flags...)
	if out, _, _ := laurel(t, "", kept...); !strings.Contains(out, "2026-08-10") {
		t.Errorf("it is gone: %s", out)
	}
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
