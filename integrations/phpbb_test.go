//go:build forums

package integrations_test

import (
	"encoding/json"
	"fmt"
	"net/http"
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

// Posts from before the extension are not reported again, but their later changes are.
func TestPhpBBWithPostsFromBefore(t *testing.T) {
	phpBB.open(t, "BEFORE=1").plays("phpbb/harness/before.txt")
}

// An owner follows docs/phpbb.md: the extension reports before there is history, which comes beside the running
// server, and members continue. The board of the month equals the one by phpBB's tables of all of it, both
// comparisons say so, and nothing was dropped.
func TestPhpBBHistoryAfterTheFirstReports(t *testing.T) {
	f := phpBB.open(t, "BEFORE=1")
	f.laurel = startServer(f.plugin)
	now := time.Now().UTC()
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	f.statements, _ = statements(t, "phpbb/harness/forum.txt", map[string]string{"since": fmt.Sprint(month.Unix())})
	f.given = map[string]string{
		"now": "since " + now.Format(time.DateOnly), "month": "since " + month.Format("2006-01-02 15:04"),
	}
	f.plays("phpbb/harness/second.txt")
	f.droppedNothing(f.laurel.program, f.laurel.secrets)
	said := run(t, nil, f.laurel.program, "compare", "phpbb", "--database", "sqlite:"+f.database, "--url", f.url,
		"--secret-file", f.laurel.secrets, "--grace", "0s")
	f.has(said, []any{": equal; 3 members and "})
}

// imports loads the results of docs/history.md's statements, beside the running server.
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

// The index has the board, with the own row of a member, and no secret.
func TestPhpBBIndex(t *testing.T) {
	f := phpBB.open(t)
	f.do("user", "ann")
	page := call[map[string]any](f.php, "index", 3)
	guest := call[map[string]any](f.php, "index", nil)
	member, nobody := fmt.Sprint(page["LAUREL_INDEX_BOTTOM"]), fmt.Sprint(guest["LAUREL_INDEX_BOTTOM"])
	const board = "<h3>Leaderboard</h3>\n" + `<laurel-board board="activity" windows="day month" layout="table" limit="10"`
	if !strings.HasPrefix(member, board+` user="3" token-url="/app.php/laurel_leaderboards_token"`) ||
		!strings.HasPrefix(nobody, board+` style="--laurel-room:`) {
		t.Errorf("a member's index %v, a guest's %v", member, nobody)
	}
	if heading := fmt.Sprint(page["LANGUAGE"]); !strings.Contains(heading, "laurel/leaderboards/common") {
		t.Errorf("the heading has no words: %s", heading)
	}
	for name, value := range page {
		if strings.Contains(fmt.Sprint(value), hookSecret) || strings.Contains(fmt.Sprint(value), userSecret) {
			t.Errorf("the page has a secret as %s", name)
		}
	}
}

// The administration chooses the place of each element, and its look; invalid choices are left out.
func TestPhpBBElementsHavePlaces(t *testing.T) {
	f := phpBB.open(t)
	said := f.page(with{
		"show": "1", "laurel_board_place": "nowhere",
		"laurel_winners_place": "index_top", "laurel_winners_window": "week", "laurel_winners_limit": "5000",
		"laurel_days_place": "profile", "laurel_days_board": `"><script>`,
		"laurel_friends_place": "index_top", "laurel_friends_windows": []string{"week", "hour"},
		"laurel_friends_layout": "huge",
	})
	if said != "updated" {
		t.Error(said)
	}
	page, guest := call[map[string]any](f.php, "index", 3), call[map[string]any](f.php, "index", nil)
	for place, want := range map[string]string{
		"LAUREL_INDEX_TOP": "<h3>Leaderboard of friends</h3>\n" + `<laurel-board board="activity" windows="week" ` +
			`layout="table" limit="10" user="3" token-url="/app.php/laurel_leaderboards_token" friends="friends" ` +
			`style="--laurel-room:37.4em"></laurel-board>` + "\n<h3>Winners</h3>\n" +
			`<laurel-winners board="activity" window="week" limit="31" style="--laurel-room:24em"></laurel-winners>` + "\n",
		"LAUREL_INDEX_BOTTOM": "",
		"LAUREL_PROFILE": "<h3>My days</h3>\n" + `<laurel-heatmap board="activity" user="3" ` +
			`token-url="/app.php/laurel_leaderboards_token" style="--laurel-room:12em"></laurel-heatmap>` + "\n",
	} {
		if page[place] != want {
			t.Errorf("%s is\n%s\nwant\n%s", place, page[place], want)
		}
	}
	if guest["LAUREL_PROFILE"] != "" || strings.Contains(fmt.Sprint(guest["LAUREL_INDEX_TOP"]), "friends") {
		t.Errorf("a guest sees %v", guest)
	}
	f.page(with{"show": "1", "laurel_winners_place": "index_top", "laurel_winners_window": "30d"})
	top := fmt.Sprint(call[map[string]any](f.php, "index", 3)["LAUREL_INDEX_TOP"])
	if !strings.Contains(top, `window="month"`) {
		t.Errorf("winners of a window without any: %s", top)
	}
}

// A member leaves the board by the preferences, and comes back; if Laurel does not accept that, they say so.
func TestPhpBBMemberHidesInThePreferences(t *testing.T) {
	f := phpBB.open(t)
	ann := f.do("user", "ann")
	call[[]int](f.php, "start", ann, "A title", nil)
	f.same("a topic")
	preferences := func(given any, forged ...any) string {
		page := call[map[string]any](f.php, "preferences", append([]any{ann, given}, forged...)...)
		return fmt.Sprint(page["LAUREL_STATE"], page["error"])
	}
	for _, c := range []struct {
		given   any
		want    string
		visible bool
	}{
		{nil, "shown[]", true},
		{with{"laurel_was": "shown", "laurel_shown": 0}, "hidden[]", false},
		{with{"laurel_was": "hidden", "laurel_shown": 0}, "hidden[]", false},
		{with{"none": "of it"}, "hidden[]", false},
		{with{"laurel_was": "hidden", "laurel_shown": 1}, "shown[]", true},
	} {
		if got := preferences(c.given); got != c.want || f.visible(ann) != c.visible {
			t.Errorf("%v: %s, want %s; on the board: %v", c.given, got, c.want, f.visible(ann))
		}
	}
	if got := preferences(with{"laurel_was": "shown", "laurel_shown": 0}, true); got != "shown[]" || !f.visible(ann) {
		t.Errorf("a form of another site: %s", got)
	}
	f.network.Set(Trouble{}, answers(http.StatusServiceUnavailable))
	if got := preferences(with{"laurel_was": "shown", "laurel_shown": 0}); got != "[LAUREL_UNHEARD]" || !f.visible(ann) {
		t.Errorf("without Laurel: %s", got)
	}
}

// Accounts that the extension Merge Users makes one are one in Laurel, too, and the deleted one is not erased.
func TestPhpBBMergedUsers(t *testing.T) {
	f := phpBB.open(t)
	f.plays("phpbb/harness/merged.txt")
	f.clean()
}
