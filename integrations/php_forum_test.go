//go:build forums

package integrations_test

import (
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/api/auth/token"
)

// A kind is one of the forums whose plugin is in PHP: the facts that tests need about its harness, beside its
// forum.txt.
type kind struct {
	name, folder, prefix string  // the prefix is that of its settings
	html                 bool    // its tables have names and titles in HTML
	leave                [][]any // the last acts of members
	again                []any   // sends the last two days again

	nothing, comparison any                            // the forms that show the page of settings, and compare
	pair                func(address, code string) any // likewise
	paired              string                         // the page's text then
}

var kinds = []*kind{&flarum, &phpBB}

// each runs a test with each kind of forum.
func each(t *testing.T, test func(f *forum)) {
	t.Helper()
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			test(k.open(t))
		})
	}
}

// A forum is a harness in PHP.
type forum struct {
	*plugin
	*kind
	env        []string
	database   string
	settings   map[string]string
	php        *process          // where members' requests are
	first      int               // a member
	statements map[string]string // statements on its tables
	acts       []act
	differ     []string          // the differences that the page that compares has to find
	clock      time.Time         // a script's $at
	given      map[string]string // other values of a script
	laurel     *server           // of a forum that an owner connects by a guide
}

// open starts the forum's processes and Laurel.
func (k *kind) open(t *testing.T, env ...string) *forum {
	t.Helper()
	p, through := newPlugin(t)
	p.serve()
	p.network.LateFor = time.Second
	f := &forum{plugin: p, kind: k, env: env, database: filepath.Join(t.TempDir(), "forum.db")}
	f.settings = map[string]string{
		k.prefix + "url": through + "/", k.prefix + "hook_secret": hookSecret, k.prefix + "user_secret": userSecret,
		k.prefix + "board": "activity",
	}
	f.statements, f.acts = statements(t, k.folder+"/harness/forum.txt", map[string]string{"since": "0"})
	f.php = f.start()
	p.send, p.says, p.trim = f.sendQueue, f.tables, func(r *row) { r.Link = "" }
	return f
}

// start starts another process of the forum, as its web server has several.
func (f *forum) start(env ...string) *process {
	f.Helper()
	settings := harness.Must(json.Marshal(f.settings))(f)
	return start(f.T, append(env, f.env...), "php", "-d", "display_errors=stderr", f.folder+"/harness/forum.php",
		f.database, string(settings))
}

// do performs acts of members in the forum.
func (f *forum) do(name string, args ...any) int {
	f.Helper()
	return do(f.php, name, args...)
}

// does performs the act of a script's line: of members, or of a reader of the page of settings.
func (f *forum) does(name string, args ...any) any {
	f.Helper()
	text := func(i int) string { return args[i].(string) }
	switch name {
	case "page":
		f.has(f.page(f.nothing), args)
	case "compare": // finds exactly the differences
		f.has(f.compared(), args)
	case "differs":
		f.differ = append(f.differ, text(0))
	case "pair":
		f.has(f.page(f.pair(text(0), text(1))), args[2:])
	case "unset":
		for name := range f.settings {
			f.settings[name] = ""
		}
		_ = f.php.in.Close()
		f.php = f.start()
	case "report": // in place of the plugin, so many seconds after a script's $at
		f.do("do", fmt.Sprintf(`INSERT INTO laurel_queue (made, body) VALUES (strftime('%%s', 'now'),
			'{"activities":[{"user":"%v","target":"%s","action":"%s",%s"at":"%s"}]}')`, args[0], text(1), text(2),
			map[bool]string{true: fmt.Sprintf(`"ref":%q,`, text(3))}[text(3) != ""],
			time.Unix(f.clock.Unix()+int64(args[4].(float64)), 0).UTC().Format(time.RFC3339)))
	case "import":
		f.imports()
	case "deliver":
		f.send()
	case "silent":
		f.network.Set(Trouble{}, answers(http.StatusServiceUnavailable))
	default:
		return call[any](f.php, name, args...)
	}
	return nil
}

// compared is the page that compares, whose differences are those planted since its last use.
func (f *forum) compared() string {
	f.Helper()
	said := f.page(f.comparison)
	var got []string
	for line := range strings.SplitSeq(said, "\n") {
		if _, message, found := strings.Cut(line, "» "); found {
			got = append(got, message)
		}
	}
	slices.Sort(f.differ)
	slices.Sort(got)
	if diff := cmp.Diff(f.differ, got); f.differ != nil && diff != "" {
		f.Errorf("(-planted +found):\n%s", diff)
	}
	f.differ = nil
	return said
}

// answers sets the network's answer to a status.
func answers(status int) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(status); return true }
}

// aWhile returns a time so long past that none of its reports can be on its way: if possible noon.
func aWhile() time.Time {
	now := time.Now().UTC()
	if now.Day() < 3 {
		return now.Add(-700 * time.Second).Truncate(time.Second)
	}
	return now.Truncate(24 * time.Hour).Add(-12 * time.Hour)
}

type with = map[string]any

// plays performs the acts of a script.
func (f *forum) plays(script string) {
	f.Helper()
	f.clock = aWhile()
	f.values = map[string]string{
		"url": f.url, "code": f.code(), "forum": f.name, "paired": f.paired,
		"at": fmt.Sprint(f.clock.Unix()), "since": fmt.Sprint(f.clock.AddDate(0, 0, -5).Unix()),
		"day":      f.clock.Format(time.DateOnly),
		"lastWeek": fmt.Sprint(f.clock.AddDate(0, 0, -7).Unix()), "longAgo": fmt.Sprint(f.clock.AddDate(0, 0, -50).Unix()),
		"dayBefore": " " + f.clock.AddDate(0, 0, -1).Format(time.DateOnly) +
			": on another day in Laurel, as a post that is approved after two days",
	}
	maps.Copy(f.values, f.given)
	if f.clock.Day() == 1 { // the day before is of another month
		f.values["dayBefore"] = ": in Laurel, not in " + f.name
	}
	f.play(script, f.does)
}

// page is the page of settings after a form was sent.
func (f *forum) page(sent any) string {
	f.Helper()
	return call[string](f.php, "page", sent)
}

// sendQueue sends the queue until it is empty, as if the pauses after errors were over.
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

// tables returns the state that Laurel must show, by the forum's own tables.
func (f *forum) tables() (map[string]row, map[string]string) {
	f.Helper()
	rows, listed, plain := map[string]row{}, map[string]string{}, strings.Clone
	if f.html {
		plain = html.UnescapeString
	}
	for _, r := range call[[]struct {
		ID, Points int
		Name, Face string
	}](f.php, "sql", f.statements["points"]) {
		rows[fmt.Sprint(r.ID)] = row{Score: r.Points, Name: plain(r.Name), Face: r.Face}
	}
	for _, r := range call[[]struct {
		ID    int
		Title string
	}](f.php, "sql", f.statements["articles"]) {
		listed[fmt.Sprint("t", r.ID)] = plain(r.Title)
	}
	return rows, listed
}

// clean fails if the plugin has logged something.
func (f *forum) clean() {
	f.Helper()
	if log := call[[]string](f.php, "log"); len(log) > 0 {
		f.Fatalf("the forum's log: %s", strings.Join(log, "\n"))
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

// A stands is a row that stands in a forum.
type stands struct {
	At, User            int
	Action, Target, Ref string
}

// standing returns the rows that stand by the plugin.
func (f *forum) standing() []stands { return call[[]stands](f.php, "standing") }

// history runs the statement of laurel import and laurel compare.
func (f *forum) history() []stands {
	f.Helper()
	return call[[]stands](f.php, "sql", f.statement())
}

// statement returns it in the dialect of the tests' database.
func (f *forum) statement() string {
	f.Helper()
	text := harness.Must(os.ReadFile(f.folder + "/laurel/history.sql"))(f)
	sqlite := strings.NewReplacer(
		"TIMESTAMPDIFF(SECOND, '1970-01-01', p.created_at)", "unixepoch(p.created_at)",
		"UNIX_TIMESTAMP(l.created_at)", "unixepoch(l.created_at)",
		"CONCAT('t', ", "('t' || ", "CONCAT('p', ", "('p' || ",
	)
	return sqlite.Replace(string(text))
}

// sameEntries compares Laurel's entries with the forum's rows; times, too, if they are exact.
func (f *forum) sameEntries(rows []stands, exact bool) {
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
			moment, err := time.Parse(time.RFC3339, e.LastAt)
			if err != nil || e.State != "counted" {
				f.Errorf("%s: %+v %v", user, e, err)
			}
			if !exact || e.Action == "like" {
				moment = time.Unix(0, 0)
			}
			got[stands{int(moment.Unix()), harness.Must(strconv.Atoi(user))(f), e.Action, e.Target, e.Ref}]++
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || exact && len(want) < 4 {
		f.Errorf("the forum and Laurel's entries (-forum +Laurel):\n%s", diff)
	}
}
