//go:build forums

package integrations_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
)

var phpBB = kind{
	name: "phpBB", folder: "phpbb", prefix: "laurel_", html: true,
	leave: [][]any{{"delete_user", 3, "remove"}, {"delete_user", 4, "retain"}}, again: []any{"again"},
	nothing: with{"none": ""}, comparison: with{"compare": "1"}, paired: "Paired.",
	pair: func(address, code string) any { return with{"pair": "1", "pair_url": address, "pair_code": code} },
}

// What there was before the extension is not reported again, but what becomes of it is.
func TestPhpBBWithPostsFromBefore(t *testing.T) {
	phpBB.open(t, "BEFORE=1").plays("phpbb/harness/before.txt")
}

// An owner follows docs/phpbb.md: the extension reports before there is history, which comes beside the running server,
// and members go on. The board of the month is what phpBB's tables say of the whole of it, both comparisons say so, and
// nothing was dropped.
func TestPhpBBHistoryAfterTheFirstReports(t *testing.T) {
	f := phpBB.open(t, "BEFORE=1")
	f.laurel = startServer(f.plugin)
	now := time.Now().UTC()
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	f.of, _ = statements(t, "phpbb/harness/forum.txt", map[string]string{"since": fmt.Sprint(month.Unix())})
	f.given = map[string]string{
		"now": "since " + now.Format(time.DateOnly), "month": "since " + month.Format("2006-01-02 15:04"),
	}
	f.plays("phpbb/harness/second.txt")
	f.droppedNothing(f.laurel.program, f.laurel.secrets)
	said := run(t, nil, f.laurel.program, "compare", "phpbb", "--database", "sqlite:"+f.database, "--url", f.url,
		"--secret-file", f.laurel.secrets, "--grace", "0s")
	f.has(said, []any{": equal; 3 members and "})
}

// imports loads what the statements of docs/history.md find, beside the running server.
func (f *forum) imports() {
	f.Helper()
	page := string(harness.Must(os.ReadFile("../docs/history.md"))(f))
	_, page, _ = strings.Cut(page, "\n## "+f.name+"\n")
	_, page, _ = strings.Cut(page, "```sql\n")
	names, _, _ := strings.Cut(page, "```")
	args := []string{"import", "--data", f.laurel.data, "--last", "--profiles"}
	for _, statement := range []string{names, f.statement()} {
		var text strings.Builder
		for _, row := range call[[]map[string]any](f.php, "sql", statement) {
			text.Write(append(harness.Must(json.Marshal(row))(f), '\n'))
		}
		args = append(args, filepath.Join(f.TempDir(), fmt.Sprint(len(args), ".jsonl")))
		harness.OK(f, os.WriteFile(args[len(args)-1], []byte(text.String()), 0o600))
	}
	said := run(f.T, nil, f.laurel.program, args...)
	f.has(said, []any{"!too_late", "!rejected", "!skipped", "!not recorded", "!warning", "!stay live"})
	f.Logf("%s", said)
}

// The cron task is runnable, and not due when it has just run.
func TestPhpBBCron(t *testing.T) {
	f := phpBB.open(t)
	call[[]string](f.php, "send")
	if due := call[[]bool](f.php, "due"); !due[0] || due[1] {
		t.Errorf("the cron task is runnable, due: %v; it has just run", due)
	}
}

// The index has the board, and no secret.
func TestPhpBBIndex(t *testing.T) {
	f := phpBB.open(t)
	f.do("user", "ann")
	page := call[map[string]any](f.php, "index", 3)
	guest := call[map[string]any](f.php, "index", nil)
	if page["LAUREL_USER"] != 3.0 || page["U_LAUREL_TOKEN"] == "" || guest["LAUREL_USER"] != 0.0 ||
		guest["U_LAUREL_TOKEN"] != "" {
		t.Errorf("a member's index %v, a guest's %v", page, guest)
	}
	if heading := fmt.Sprint(page["LANGUAGE"]); !strings.Contains(heading, "laurel/leaderboards/common") {
		t.Errorf("the heading has no words: %s", heading)
	}
	for name, value := range page {
		if value == hookSecret || value == userSecret {
			t.Errorf("the page has a secret as %s", name)
		}
	}
}
