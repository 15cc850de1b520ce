package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

// TestHelp holds the manual. `go test ./cmd/laurel -run TestHelp -update` writes it.
func TestHelp(t *testing.T) {
	t.Setenv("COLUMNS", "100")
	var b strings.Builder
	for _, command := range []string{
		"", "dev", "serve", "import", "pull answer", "pull discourse", "archive", "reopen", "rebuild", "recover",
		"audit",
		"export", "erase", "doctor", "token", "version", "completion",
	} {
		args := strings.Fields("help " + command)
		out, errs, code := laurel(t, "", args...)
		if code != exitDone || errs != "" {
			t.Errorf("laurel %v: %d, %s", args, code, errs)
		}
		if flagged, _, _ := laurel(t, "", strings.Fields(command+" --help")...); flagged != out {
			t.Errorf("laurel %s --help is not laurel help %s", command, command)
		}
		b.WriteString("$ laurel " + strings.Join(args, " ") + "\n" + out + "\n")
	}
	golden(t, "testdata/help.golden", b.String())
	if bare, _, code := laurel(t, ""); code != exitDone || !strings.Contains(bare, "Commands:") {
		t.Errorf("laurel alone: %d, %s", code, bare)
	}
}

// golden compares what was printed with a file, or with -update writes it there.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s has changed; -update if that is meant (-golden +now):\n%s", file, diff)
	}
}

// A mistake on the command line or in the environment ends with 2 and one line
// that says what to mend.
func TestMistakes(t *testing.T) {
	for _, test := range []struct {
		args string
		env  map[string]string
		want string
	}{
		{"fly", nil, "unexpected argument fly"},
		{"help fly", nil, "unexpected argument fly"},
		{"import", nil, "name the files to load, or - for standard input"},
		{"import x", nil, "--redis or REDIS_URL is missing: the redis:// or rediss:// URL of Redis"},
		{
			"import x --redis redis://h", nil,
			"--dynamodb or DYNAMODB_ENDPOINT is missing: the table: http://localhost:8000, or --data DIR",
		},
		{"audit", nil, "--redis or REDIS_URL is missing"},
		{"export --redis redis://h --data d", nil, "missing flags: --user=ID"},
		{"audit --redis localhost:6379", nil, "--redis: does not begin with redis:// or rediss://"},
		{
			"audit --redis redis://h --timezone Europe/Nowhere", nil,
			`--timezone: board: "Europe/Nowhere" is not an IANA time zone`,
		},
		{"audit --redis redis://h --shards 0", nil, `--shards: "0" is not a number from 1 to 64`},
		{"audit --redis redis://h --rules nowhere.json", nil, "--rules: nowhere.json: no such file"},
		{"audit", map[string]string{"REDIS_URL": "redis://h", "FORUM_TIMEZONE": "x", "BOARD_SHARDS": "y"}, "BOARD_SHARDS: "},
		{
			"audit --redis redis://h",
			map[string]string{"REDIS_CLUSTER": "perhaps"},
			`REDIS_CLUSTER: "perhaps" is neither true nor false`,
		},
		{"audit --redis-cluster=never --redis redis://h", nil, `--redis-cluster: "never" is neither true nor false`},
		{"audit --redis-cluster", nil, "--redis or REDIS_URL is missing"},
		{"import x --redis redis://h --now soon", nil, `--now: "soon" is not a time such as`},
		{"import x y --redis redis://h --data d --rejected f", nil, "--rejected is for one file"},
		{"import x --column who --redis redis://h", nil, "--column"},
		{"archive", nil, "--redis or REDIS_URL is missing"},
		{"archive --redis redis://h --dynamodb h:8000", nil, `--dynamodb: "h:8000" does not begin with http:// or https://`},
		{"archive --redis redis://h --hot-days 31 --hot-months x", nil, `--hot-days: "31" is not a number from 0 to 30`},
		{"archive --redis redis://h --archive-days 2", nil, `--archive-days: "2" is not a number from 3 to`},
		{
			"archive --redis redis://h",
			map[string]string{"ARCHIVE_MONTHS": "1"},
			`ARCHIVE_MONTHS: "1" is not a number from 2 to`,
		},
		{"archive --redis redis://h --data d --now soon", nil, `--now: "soon" is not a time such as`},
		{"reopen", nil, `expected "<period>"`},
		{"reopen 2026-11-200 --redis redis://h", nil, `"2026-11-200" is not a period such as 2026-11-20`},
		{"reopen all --redis redis://h", nil, `"all" is not a period such as 2026-11-20`},
		{"dev --dynamodb http://h --data d", nil, "--data: is set and --dynamodb too; there is only one table"},
		{"dev --now 1999-01-01", nil, `--now: "1999-01-01" is not a time such as`},
		{"dev --what", nil, "unknown flag --what"},
	} {
		t.Run(test.args, func(t *testing.T) {
			for _, name := range []string{
				"REDIS_URL", "LAUREL_REDIS_URL", "FORUM_TIMEZONE", "BOARD_SHARDS", "RULES_FILE",
				"RULES", "REDIS_CLUSTER", "ARCHIVE_MONTHS", "DYNAMODB_ENDPOINT", "LAUREL_DATA",
			} {
				t.Setenv(name, test.env[name])
			}
			out, errs, code := laurel(t, "", strings.Fields(test.args)...)
			if code != exitUsage || out != "" || !strings.Contains(errs, test.want) {
				t.Errorf("%d, %q, %q", code, out, errs)
			}
		})
	}
}
