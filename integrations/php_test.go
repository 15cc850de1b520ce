//go:build forums

package integrations_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/auth/token"
)

// A forum is a harness in PHP of one of those whose plugin is in PHP.
type forum struct {
	*plugin
	script, prefix   string // of the harness, and of the names of its settings
	points, articles string // statements on its tables: what Laurel has to show

	database string
	settings map[string]string
	php      *process // where members' requests are
}

// open starts all of it.
func open(t *testing.T, f forum) *forum {
	t.Helper()
	p, through := newPlugin(t)
	p.serve()
	p.network.LateFor = time.Second
	f.plugin, f.database = p, filepath.Join(t.TempDir(), "forum.db")
	f.settings = map[string]string{
		f.prefix + "url": through + "/", f.prefix + "hook_secret": hookSecret, f.prefix + "user_secret": userSecret,
		f.prefix + "board": "activity",
	}
	f.php = f.start()
	p.send, p.says, p.trim = f.sendQueue, f.tables, func(r *row) { r.Link = "" }
	return &f
}

// start starts another process of the forum, as its web server has several.
func (f *forum) start(env ...string) *process {
	f.Helper()
	settings := harness.Must(json.Marshal(f.settings))(f)
	return start(f.T, env, "php", "-d", "display_errors=stderr", f.script, f.database, string(settings))
}

// do has members do something in the forum.
func (f *forum) do(what string, args ...any) int {
	f.Helper()
	return do(f.php, what, args...)
}

// sendQueue has the queue sent until it is empty, as if the pauses after errors were over.
func (f *forum) sendQueue() {
	f.Helper()
	var log []string
	for range 60 {
		f.do("do", "UPDATE laurel_queue SET due = 0 WHERE sent = 0")
		log = call[[]string](f.php, "send")
		if f.waiting() == 0 {
			return
		}
	}
	f.Fatalf("the queue does not become empty: %q", log)
}

func (f *forum) waiting() int {
	f.Helper()
	return len(call[[]any](f.php, "sql", "SELECT id FROM laurel_queue WHERE sent = 0"))
}

// tables returns what Laurel has to show, by the forum's own tables.
func (f *forum) tables() (map[string]row, map[string]string) {
	f.Helper()
	rows, listed := map[string]row{}, map[string]string{}
	for _, r := range call[[]struct {
		ID, Points int
		Name, Face string
	}](f.php, "sql", f.points) {
		rows[fmt.Sprint(r.ID)] = row{Score: r.Points, Name: r.Name, Face: r.Face}
	}
	for _, r := range call[[]struct {
		ID    int
		Title string
	}](f.php, "sql", f.articles) {
		listed[fmt.Sprint("t", r.ID)] = r.Title
	}
	return rows, listed
}

// found says whether a statement finds something in the forum's tables.
func (f *forum) found(format string, args ...any) bool {
	f.Helper()
	return len(call[[]any](f.php, "sql", fmt.Sprintf(format, args...))) > 0
}

// clean fails if the plugin has logged something.
func (f *forum) clean() {
	f.Helper()
	if log := call[[]string](f.php, "log"); len(log) > 0 {
		f.Fatalf("the forum's log: %s", strings.Join(log, "\n"))
	}
}

// lint has PHP's own linter read every file of a plugin.
func lint(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".php" {
			return err
		}
		if out, err := exec.Command("php", "-l", path).CombinedOutput(); err != nil {
			t.Errorf("%s", out)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A kept is an entry of a user.
type kept struct {
	Action string `json:"action"`
	Target string `json:"target"`
	Ref    string `json:"ref"`
	LastAt string `json:"lastAt"`
	State  string `json:"state"`
}

func (f *forum) entries(user string) []kept {
	f.Helper()
	text := harness.Must(token.Sign(userSecret, user, "laurel", time.Now().Add(time.Minute)))(f)
	var page struct {
		Entries []kept `json:"entries"`
	}
	answer := harness.NewClient(f, f.url).Get("/v1/users/"+user+"/entries?limit=100", text)
	harness.OK(f, json.Unmarshal([]byte(answer.Body), &page))
	return slices.DeleteFunc(page.Entries, func(k kept) bool { return k.State == "undone" })
}

// A stands is something that a forum says stands in it.
type stands struct {
	At, User            int
	Action, Target, Ref string
}

// history runs the statement that laurel import and laurel compare have of a kind of forum.
func (f *forum) history(kind string) []stands {
	f.Helper()
	statement := harness.Must(os.ReadFile(kind + "/laurel/history.sql"))(f)
	sqlite := strings.NewReplacer(
		"TIMESTAMPDIFF(SECOND, '1970-01-01', p.created_at)", "unixepoch(p.created_at)",
		"UNIX_TIMESTAMP(l.created_at)", "unixepoch(l.created_at)",
		"CONCAT('t', ", "('t' || ", "CONCAT('p', ", "('p' || ",
	)
	return call[[]stands](f.php, "sql", sqlite.Replace(string(statement)))
}

// sameEntries compares what Laurel keeps of some actions with what the forum says; moments, too, if they are exact.
func (f *forum) sameEntries(rows []stands, exact bool, actions ...string) {
	f.Helper()
	want, got := map[stands]int{}, map[stands]int{}
	users, _ := f.shows()
	for _, r := range rows {
		users[fmt.Sprint(r.User)] = row{}
		if !exact || r.Action == "like" { // the moment of a like is that of the report
			r.At = 0
		}
		want[r]++
	}
	for user := range users {
		for _, e := range f.entries(user) {
			at, err := time.Parse(time.RFC3339, e.LastAt)
			if err != nil || e.State != "counted" {
				f.Errorf("%s: %+v %v", user, e, err)
			}
			if !exact || e.Action == "like" {
				at = time.Unix(0, 0)
			}
			if id, _ := strconv.Atoi(user); slices.Contains(actions, e.Action) {
				got[stands{int(at.Unix()), id, e.Action, e.Target, e.Ref}]++
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || exact && len(want) < 4 {
		f.Errorf("the forum and what Laurel has (-forum +Laurel):\n%s", diff)
	}
}

// testQueue is of any forum's queue. write has a member write, who is registered already.
func (f *forum) testQueue(write func(user int)) {
	f.Helper()
	ann := f.do("user", "ann")
	write(ann)
	status := func(n int) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(n); return true }
	}
	var pauses []int
	for range 9 {
		f.network.Set(Trouble{}, status(http.StatusServiceUnavailable))
		f.do("do", "UPDATE laurel_queue SET due = 0 WHERE sent = 0")
		write(ann)
		call[[]string](f.php, "send")
		if ids := f.network.Seen(); len(ids) != 1 || !strings.HasPrefix(ids[0], "msg_1 ") {
			f.Fatalf("sent, while the first is not taken: %v", ids)
		}
		pauses = append(pauses, call[[]struct{ Pause int }](f.php, "sql",
			"SELECT MAX(due) - CAST(strftime('%s', 'now') AS INTEGER) AS Pause FROM laurel_queue")[0].Pause)
		f.network.Set(Trouble{}, status(http.StatusServiceUnavailable))
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
	f.network.Set(Trouble{}, status(http.StatusUnauthorized)) // a secret that was mistyped
	call[[]string](f.php, "send")
	if n := f.waiting(); n < 10 {
		f.Errorf("%d wait after a wrong secret", n)
	}

	// Two processes at once send each report once, in order: one waits while the other has the first.
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

	f.do("do", `INSERT INTO laurel_queue (made, body) VALUES (strftime('%s', 'now'), '{"users":[{"id":"1","name":""}]}')`)
	f.do("do", `INSERT INTO laurel_queue (made, body) VALUES (strftime('%s', 'now') - 172801, '{}')`)
	write(ann)
	log := strings.Join(call[[]string](f.php, "send"), "\n")
	if n := f.waiting(); n != 0 {
		f.Errorf("%d wait behind what will never be taken", n)
	}
	if !strings.Contains(log, "is dropped: 422") || !strings.Contains(log, "Laurel: 1 reports were not taken") {
		f.Errorf("the log does not say what was dropped: %s", log)
	}
	if strings.Contains(log, hookSecret) {
		f.Error("the log has the secret")
	}
}

// testToken is of any forum's token route.
func (f *forum) testToken() {
	f.Helper()
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

// testPairing pairs a forum without settings, by a page that is sent an address and a code, and says how reporting is
// where it is sent none.
func (f *forum) testPairing(pair func(address, code string) string, page func() string, write func()) {
	f.Helper()
	for name := range f.settings {
		f.settings[name] = ""
	}
	_ = f.php.in.Close()
	f.php = f.start()
	says := func(what, said, want string) {
		f.Helper()
		if !strings.Contains(said, want) {
			f.Errorf("%s: the page says %q, want %q", what, said, want)
		}
	}
	code := f.code()
	for _, c := range [][3]string{
		{"forum", code, "The address has to begin with https://"},
		{"http://boards.example", code, "The address has to begin with https://"},
		{"http://127.0.0.1.example", code, "The address has to begin with https://"},
		{"http://localhost:1", code, "Laurel does not answer."},
		{f.url + "/nothing", code, "There is no Laurel at this address."},
		{f.url, "ACDE-FHJK-MNPQ", "The code is wrong, was used, or is older than ten minutes."},
	} {
		says(c[0]+" "+c[1], pair(c[0], c[1]), c[2])
		says("then", page(), "Not paired yet.")
	}
	says("the code", pair(f.url+"/", " "+strings.ToLower(code)+" "), "Paired.")
	says("then", page(), "no report yet, 0 waiting")
	says("then", page(), "Equal to your tables at ")
	write()
	says("a report", page(), "no report yet, ")
	f.same("pairing")
	says("it was sent", page(), "last report ")
	says("it was sent", page(), " s ago, 0 waiting")
}
