//go:build forums

package integrations_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"laurel/internal/harness"
)

// Each case is an act of the forum in its own source.
func TestForumsBoardAfterEachActOfMembers(t *testing.T) {
	t.Parallel()
	each(t, func(f *forum) {
		f.plays(f.folder + "/harness/members.txt")
		f.sameEntries(f.standing(), false)
		f.clean()
	})
}

// In a forum for members alone, places that all of them see count.
func TestForumsForMembersAlone(t *testing.T) {
	t.Parallel()
	each(t, func(f *forum) {
		f.plays(f.folder + "/harness/closed.txt")
		f.clean()
	})
}

// Hooks and the statement of the history give the same targets, moments included.
func TestForumsHistoryIsTheSame(t *testing.T) {
	t.Parallel()
	each(t, func(f *forum) {
		f.plays(f.folder + "/harness/restored.txt")
		f.sameEntries(f.history(), true)
	})
}

// Repeated, unanswered and refused deliveries change nothing; a later sending makes up for late and lost ones.
func TestForumsWithNetworkTrouble(t *testing.T) {
	t.Parallel()
	each(t, func(f *forum) {
		for n := range 6 {
			f.do("user", fmt.Sprint("member", n))
		}
		rows := func(statement string) (all []string) {
			for _, row := range call[[]struct{ Args string }](f.php, "sql", statement) {
				all = append(all, row.Args)
			}
			return all
		}
		f.whateverTheNetworkDoes(something(f.acts, rows, f.does), func() {
			for _, name := range f.leave {
				f.does(name[0].(string), name[1:]...)
			}
		}, func() { f.does(f.again[0].(string), f.again[1:]...) })
		f.sameEntries(f.standing(), false)
	})
}

// The extension leaves no table behind, and PHP's linter finds nothing.
func TestForumsFiles(t *testing.T) {
	t.Parallel()
	each(t, func(f *forum) {
		run(f.T, nil, "sh", "-c", "find "+f.folder+" -name '*.php' -print0 | xargs -0 -n 1 php -l")
		f.do("down")
		left := call[[]struct{ Name string }](f.php, "sql", "SELECT name AS Name FROM sqlite_master WHERE type = 'table'")
		if slices.ContainsFunc(left, func(l struct{ Name string }) bool { return strings.Contains(l.Name, "laurel") }) {
			f.Errorf("left behind: %v", left)
		}
	})
}

// The queue keeps the order, pauses after errors, and drops reports that are refused for good.
func TestForumsQueue(t *testing.T) {
	t.Parallel()
	each(t, func(f *forum) {
		f.testPauses()
		f.testTwoProcesses()
		f.testDropped()
		f.same("Laurel takes everything")
	})
}

// write has the first member write.
func (f *forum) write() { call[[]int](f.php, "start", f.first, "A title", nil) }

func (f *forum) testPauses() {
	f.Helper()
	f.first = f.do("user", "ann")
	f.write()
	var pauses []int
	for range 9 {
		f.network.Set(Trouble{}, answers(http.StatusServiceUnavailable))
		f.do("do", "UPDATE laurel_queue SET due = 0 WHERE sent = 0")
		f.write()
		call[[]string](f.php, "send")
		if ids := f.network.Seen(); len(ids) != 1 || !strings.HasPrefix(ids[0], "msg_1 ") {
			f.Fatalf("sent, while the first is not taken: %v", ids)
		}
		pauses = append(pauses, call[[]struct{ Pause int }](f.php, "sql",
			"SELECT MAX(due) - CAST(strftime('%s', 'now') AS INTEGER) AS Pause FROM laurel_queue")[0].Pause)
		f.network.Set(Trouble{}, answers(http.StatusServiceUnavailable))
		if call[[]string](f.php, "send"); len(f.network.Seen()) != 0 {
			f.Fatal("sent again before the pause is over")
		}
	}
	for n, pause := range pauses {
		if want := min(3600, 15<<n); pause < want-5 || pause > want+1 {
			f.Errorf("the pauses are %v", pauses)
		}
	}
	f.do("do", "UPDATE laurel_queue SET due = 0 WHERE sent = 0")
	f.network.Set(Trouble{}, answers(http.StatusUnauthorized)) // a secret that was mistyped
	call[[]string](f.php, "send")
	if n := f.waiting(); n < 10 {
		f.Errorf("%d wait after a wrong secret", n)
	}
}

// Two processes at once send each report once, in order: one waits while the other has the first.
func (f *forum) testTwoProcesses() {
	f.Helper()
	f.do("do", "UPDATE laurel_queue SET due = 0 WHERE sent = 0")
	other, asked, ended := f.start(), make(chan struct{}, 100), make(chan struct{})
	f.network.Set(Trouble{}, func(http.ResponseWriter, *http.Request) bool {
		asked <- struct{}{}
		<-ended
		return false
	})
	done := make(chan []string)
	go func() { done <- call[[]string](other, "send") }()
	<-asked
	call[[]string](f.php, "send")
	close(ended)
	<-done
	f.send()
	ids := f.network.Seen()
	for n, body := range ids {
		if !strings.HasPrefix(body, fmt.Sprintf("msg_%d ", n+1)) {
			f.Errorf("%d. is %.30s", n+1, body)
		}
	}
}

func (f *forum) testDropped() {
	f.Helper()
	f.do("do", `INSERT INTO laurel_queue (made, body) VALUES (strftime('%s', 'now'), '{"nothing":"of the kind"}')`)
	f.do("do", `INSERT INTO laurel_queue (made, body) VALUES (strftime('%s', 'now') - 172801, '{}')`)
	f.write()
	log := strings.Join(call[[]string](f.php, "send"), "\n")
	if n := f.waiting(); n != 0 {
		f.Errorf("%d wait behind a report that is refused for good", n)
	}
	if !strings.Contains(log, "is dropped: 422") || !strings.Contains(log, "Laurel: 1 reports were not taken") {
		f.Errorf("the log does not name the dropped report: %s", log)
	}
	if strings.Contains(log, hookSecret) {
		f.Error("the log has the secret")
	}
}

// A visitor's token is taken for this visitor alone, and a guest gets none.
func TestForumsTokenIsTheVisitors(t *testing.T) {
	t.Parallel()
	each(t, (*forum).testToken)
}

func (f *forum) testToken() {
	type answer struct {
		Status  int
		Body    struct{ Token string }
		Headers map[string]string
	}
	ann := f.do("user", "ann")
	got := call[answer](f.php, "token", ann)
	own, other := fmt.Sprintf("/v1/users/%d/standings", ann), "/v1/users/999/standings"
	a, b := f.status(own, got.Body.Token), f.status(other, got.Body.Token)
	if got.Status != http.StatusOK || a != http.StatusOK || b != http.StatusForbidden {
		f.Errorf("%+v: own standings %d, another's %d", got, a, b)
	}
	if !strings.Contains(got.Headers["Cache-Control"], "no-store") {
		f.Errorf("the token may be kept: %v", got.Headers)
	}
	if guest := call[answer](f.php, "token", nil); guest.Status != http.StatusUnauthorized || guest.Body.Token != "" {
		f.Errorf("a guest got %+v", guest)
	}
	for name := range f.settings {
		if strings.HasSuffix(name, "user_secret") {
			f.settings[name] = "short"
		}
	}
	unset := call[answer](f.start(), "token", ann)
	if unset.Status != http.StatusNotImplemented || unset.Body.Token != "" {
		f.Errorf("with a secret that is too short: %+v", unset)
	}
}

// A page gets an address and a code, pairs a forum without settings, and shows the state of its reports.
func TestForumsArePaired(t *testing.T) {
	t.Parallel()
	each(t, func(f *forum) { f.plays("testdata/paired.txt") })
}

// Reports that the extension did not get, and those that Laurel has too many of, are on the page of settings.
func TestForumsSayWhetherBoardsEqualTheirTables(t *testing.T) {
	t.Parallel()
	each(t, func(f *forum) { f.plays(f.folder + "/harness/compared.txt") })
}

// Plugins clean names and titles by the rule of Laurel, so no report is refused for its texts.
func TestPluginsCleanTextsAsLaurelDoes(t *testing.T) {
	t.Parallel()
	for file, name := range map[string]string{
		"phpbb/laurel/core/report.php": "text", "flarum/laurel/src/Report.php": "text",
		"wordpress/laurel/laurel.php": "laurel_text",
	} {
		said := run(t, nil, "php", "testdata/texts.php", "../shared/core/activity/testdata/texts.json", file, name)
		if said != "" {
			t.Errorf("%s:\n%s", file, said)
		}
	}
}

// Groups go with profiles as the owner maps them, and when they change; without a map no profile has any.
func TestForumsGroups(t *testing.T) {
	t.Parallel()
	each(t, func(f *forum) {
		ann := f.do("user", "ann")
		last := func() (groups string) { // of the last report; "-" for no report
			groups = "-"
			const query = "SELECT body AS Body FROM laurel_queue ORDER BY id"
			for _, row := range call[[]struct{ Body string }](f.php, "sql", query) {
				var body struct {
					Users []map[string]any `json:"users"`
				}
				harness.OK(f, json.Unmarshal([]byte(row.Body), &body))
				for _, user := range body.Users {
					groups = fmt.Sprint(user["groups"])
				}
			}
			f.do("do", "DELETE FROM laurel_queue")
			return groups
		}
		f.do("regroup", ann, []string{"Admins"})
		f.do("start", ann, "A title", nil)
		if got := last(); got != "<nil>" {
			f.Errorf("without a map: %s", got)
		}
		f.do("map", "Admins = staff\r\n Mods=staff\nReds = red\nRed & blue = blue\nAdmin\n= x\nReds\nlong = "+
			strings.Repeat("é", 40))
		f.do("start", ann, "A title", nil)
		if got := last(); got != "[staff]" {
			f.Errorf("by an act: %s", got)
		}
		for _, c := range []struct{ names, want string }{
			{"Admins,Mods", "[staff]"}, {"", "[]"}, {"Reds,Mods,Red & blue", map[string]string{"Flarum": "[staff red]"}[f.name]},
		} {
			f.do("regroup", ann, strings.Split(c.names, ","))
			if got := last(); got != cmp.Or(c.want, "[staff blue]") {
				f.Errorf("%s: %s", c.names, got)
			}
		}
		f.clean()
	})
}

// A like names the author of the post when it is given and when it counts again; Laurel then knows void pairs.
func TestForumsLikesNameTheAuthor(t *testing.T) {
	t.Parallel()
	each(t, func(f *forum) {
		f.plays(f.folder + "/harness/restored.txt")
		f.send()
		seen := map[string]int{}
		for _, passed := range f.network.Seen() {
			_, text, _ := strings.Cut(passed, " ")
			var body struct {
				Activities []struct {
					User     string `json:"user"`
					Action   string `json:"action"`
					Other    string `json:"other"`
					Restores bool   `json:"restores"`
				} `json:"activities"`
			}
			harness.OK(f, json.Unmarshal([]byte(text), &body))
			for _, a := range body.Activities {
				if a.Action == "like" {
					seen[fmt.Sprintf("%s for %s, again: %t", a.User, a.Other, a.Restores)]++
				} else if a.Other != "" && a.Action != "unlike" {
					f.Errorf("%+v", a)
				}
			}
		}
		var ann, bob int
		for _, row := range f.history() {
			switch row.Action {
			case "publish":
				ann = row.User
			case "comment":
				bob = row.User
			}
		}
		for _, again := range []bool{false, true} {
			for _, pair := range [][]int{{bob, ann}, {ann, bob}} {
				line := fmt.Sprintf("%d for %d, again: %t", pair[0], pair[1], again)
				if seen[line] == 0 {
					f.Errorf("no %s in %v", line, seen)
				}
				delete(seen, line)
			}
		}
		if len(seen) > 0 {
			f.Errorf("also: %v", seen)
		}
	})
}
