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
	"laurel/shared/auth/token"
)

// A kind is one of the forums whose plugin is in PHP: what tests have to know of its harness, beside its forum.txt.
type kind struct {
	name, folder, prefix string  // the prefix is that of its settings
	html                 bool    // its tables have names and titles in HTML
	leave                [][]any // what members do last
	again                []any   // sends the last two days again

	nothing, comparison any                            // is sent to the page of settings to see it, and to compare
	pair                func(address, code string) any // likewise
	paired              string                         // what the page says then
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
	env      []string
	database string
	settings map[string]string
	php      *process          // where members' requests are
	first    int               // a member
	of       map[string]string // statements on its tables
	acts     []act
	differ   []string          // what the page that compares has to find
	at       time.Time         // what a script calls $at
	given    map[string]string // what else a script has
	laurel   *server           // of a forum that an owner connects by a guide
}

// open starts all of it.
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
	f.of, f.acts = statements(t, k.folder+"/harness/forum.txt", map[string]string{"since": "0"})
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

// do has members do something in the forum.
func (f *forum) do(what string, args ...any) int {
	f.Helper()
	return do(f.php, what, args...)
}

// does has done what a line of a script says: by members, or by who sees the page of settings.
func (f *forum) does(what string, args ...any) any {
	f.Helper()
	text := func(i int) string { return args[i].(string) }
	switch what {
	case "page":
		f.has(f.page(f.nothing), args)
	case "compare": // finds what differs, and nothing else
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
	case "report": // in place of the plugin, so many seconds after what a script calls $at
		f.do("do", fmt.Sprintf(`INSERT INTO laurel_queue (made, body) VALUES (strftime('%%s', 'now'),
			'{"activities":[{"user":"%v","target":"%s","action":"%s",%s"at":"%s"}]}')`, args[0], text(1), text(2),
			map[bool]string{true: fmt.Sprintf(`"ref":%q,`, text(3))}[text(3) != ""],
			time.Unix(f.at.Unix()+int64(args[4].(float64)), 0).UTC().Format(time.RFC3339)))
	case "import":
		f.imports()
	case "deliver":
		f.send()
	case "silent":
		f.network.Set(Trouble{}, answers(http.StatusServiceUnavailable))
	default:
		return call[any](f.php, what, args...)
	}
	return nil
}

// compared is the page that compares, whose differences are those that were planted since it was seen last.
func (f *forum) compared() string {
	f.Helper()
	said := f.page(f.comparison)
	var got []string
	for line := range strings.SplitSeq(said, "\n") {
		if _, what, found := strings.Cut(line, "» "); found {
			got = append(got, what)
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

// answers has a network answer with a status.
func answers(status int) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(status); return true }
}

// aWhile returns a moment that is over for so long that nothing of it can be on its way: if possible noon.
func aWhile() time.Time {
	now := time.Now().UTC()
	if now.Day() < 3 {
		return now.Add(-700 * time.Second).Truncate(time.Second)
	}
	return now.Truncate(24 * time.Hour).Add(-12 * time.Hour)
}

type with = map[string]any

// plays has done what a script says.
func (f *forum) plays(script string) {
	f.Helper()
	f.at = aWhile()
	f.values = map[string]string{
		"url": f.url, "code": f.code(), "forum": f.name, "paired": f.paired,
		"at": fmt.Sprint(f.at.Unix()), "since": fmt.Sprint(f.at.AddDate(0, 0, -5).Unix()), "day": f.at.Format(time.DateOnly),
		"lastWeek": fmt.Sprint(f.at.AddDate(0, 0, -7).Unix()), "longAgo": fmt.Sprint(f.at.AddDate(0, 0, -50).Unix()),
		"dayBefore": " " + f.at.AddDate(0, 0, -1).Format(time.DateOnly) +
			": on another day in Laurel, as what is approved after two days",
	}
	maps.Copy(f.values, f.given)
	if f.at.Day() == 1 { // the day before is of another month
		f.values["dayBefore"] = ": in Laurel, not in " + f.name
	}
	f.play(script, f.does)
}

// page is what the page of settings says after it was sent something.
func (f *forum) page(sent any) string {
	f.Helper()
	return call[string](f.php, "page", sent)
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
	rows, listed, plain := map[string]row{}, map[string]string{}, strings.Clone
	if f.html {
		plain = html.UnescapeString
	}
	for _, r := range call[[]struct {
		ID, Points int
		Name, Face string
	}](f.php, "sql", f.of["points"]) {
		rows[fmt.Sprint(r.ID)] = row{Score: r.Points, Name: plain(r.Name), Face: r.Face}
	}
	for _, r := range call[[]struct {
		ID    int
		Title string
	}](f.php, "sql", f.of["articles"]) {
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

// A stands is something that a forum says stands in it.
type stands struct {
	At, User            int
	Action, Target, Ref string
}

// standing returns what the plugin says stands.
func (f *forum) standing() []stands { return call[[]stands](f.php, "standing") }

// history runs the statement that laurel import and laurel compare have.
func (f *forum) history() []stands {
	f.Helper()
	return call[[]stands](f.php, "sql", f.statement())
}

// statement returns it as the database of tests takes it.
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

// sameEntries compares what Laurel keeps with what the forum says; moments, too, if they are exact.
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
			at, err := time.Parse(time.RFC3339, e.LastAt)
			if err != nil || e.State != "counted" {
				f.Errorf("%s: %+v %v", user, e, err)
			}
			if !exact || e.Action == "like" {
				at = time.Unix(0, 0)
			}
			got[stands{int(at.Unix()), harness.Must(strconv.Atoi(user))(f), e.Action, e.Target, e.Ref}]++
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || exact && len(want) < 4 {
		f.Errorf("the forum and what Laurel has (-forum +Laurel):\n%s", diff)
	}
}
