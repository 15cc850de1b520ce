//go:build forums

// Package integrations_test holds the plugins that cannot be run in their forums against a real Laurel: a harness
// in PHP does to its tables what the forum does, and raises the forum's events.
package integrations_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/hooks"
	"laurel/shared/ledger"
	"laurel/shared/localserver"
)

const (
	hookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	userSecret = "the-users-secret-of-tests-of-32-bytes"
)

// A forum is a harness in PHP, a Laurel, and the network between them.
type forum struct {
	*testing.T
	script, prefix   string // of the harness, and of the names of its settings
	points, articles string // statements on its tables: what Laurel has to show

	laurel   *harness.Forum
	url      string // of Laurel
	network  *harness.Network
	database string
	settings map[string]string
	php      *process // where members' requests are
}

// open starts all of it.
func open(t *testing.T, f forum) *forum {
	t.Helper()
	if _, err := exec.LookPath("php"); err != nil {
		t.Fatal("php is not here: scripts/check-php sets it up")
	}
	source, err := os.ReadFile("../rules/wordpress.json")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := activity.ParseRules(source)
	if err != nil {
		t.Fatal(err)
	}
	f.T, f.database = t, filepath.Join(t.TempDir(), "forum.db")
	f.laurel = harness.NewForum(t, harness.Setup{
		Ledger: ledger.New(rules, board.NewCalendar(time.UTC)), Now: time.Now(), Clock: time.Now,
	})
	f.url = f.serve()
	f.network = harness.NewNetwork(func() string { return f.url })
	f.network.LateFor = time.Second
	server := httptest.NewServer(f.network)
	t.Cleanup(server.Close)
	f.settings = map[string]string{
		f.prefix + "url": server.URL + "/", f.prefix + "hook_secret": hookSecret, f.prefix + "user_secret": userSecret,
		f.prefix + "board": "activity",
	}
	f.php = f.start()
	return &f
}

// serve starts the server that laurel serve runs, and returns its address.
func (f *forum) serve() string {
	f.Helper()
	tokens := f.laurel.Tokens.Options(time.Now)
	tokens.UserSecrets = []string{userSecret}
	o := localserver.Options{
		Addr: "localhost:0", Requests: f.laurel.Requests(), Batches: f.laurel.Batches(), Tokens: tokens,
		Answered: func(localserver.Answered) {},
	}
	o.Requests.Hooks = hooks.Secrets{"standard": {hookSecret}}
	s, err := localserver.Listen(f.Context(), o)
	if err != nil {
		f.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx) }()
	f.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			f.Error(err)
		}
	})
	return "http://" + s.Addr()
}

// A process is one of PHP's, which takes what members do line by line.
type process struct {
	*testing.T
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *bytes.Buffer
	wait   func() error
}

// start starts another process of the forum, as its web server has several.
func (f *forum) start(env ...string) *process {
	f.Helper()
	settings, err := json.Marshal(f.settings)
	if err != nil {
		f.Fatal(err)
	}
	c := exec.Command("php", "-d", "display_errors=stderr", f.script, f.database, string(settings))
	c.Env = append(os.Environ(), env...)
	p := &process{T: f.T, stderr: &bytes.Buffer{}, wait: c.Wait}
	c.Stderr = p.stderr
	in, err := c.StdinPipe()
	if err != nil {
		f.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		f.Fatal(err)
	}
	if err := c.Start(); err != nil {
		f.Fatal(err)
	}
	p.in, p.out = in, bufio.NewReaderSize(out, 1<<20)
	f.Cleanup(func() { _ = in.Close() })
	return p
}

// call has something done, and returns what the forum answers.
func call[V any](p *process, what string, args ...any) (v V) {
	p.Helper()
	line, err := json.Marshal(append([]any{what}, args...))
	if err != nil {
		p.Fatal(err)
	}
	_, _ = p.in.Write(append(line, '\n'))
	answer, err := p.out.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(answer, &v)
	}
	if err != nil {
		_ = p.in.Close()
		p.Fatalf("%s: %v\n%s\n%s", line, err, answer, p.stderr)
	}
	return v
}

// do has members do something in the forum.
func (f *forum) do(what string, args ...any) int {
	f.Helper()
	if n, ok := call[any](f.php, what, args...).(float64); ok {
		return int(n)
	}
	return 0
}

// send has the queue sent until it is empty, as if the pauses after errors were over.
func (f *forum) send() {
	f.Helper()
	var log []string
	for range 60 {
		f.do("do", "UPDATE laurel_queue SET due = 0")
		log = call[[]string](f.php, "send")
		if f.waiting() == 0 {
			f.network.Drain()
			return
		}
	}
	f.Fatalf("the queue does not become empty: %q", log)
}

func (f *forum) waiting() int {
	f.Helper()
	return len(call[[]any](f.php, "sql", "SELECT id FROM laurel_queue WHERE sent = 0"))
}

// A row is a member on the board.
type row struct {
	Score      int
	Name, Face string
}

// read returns what Laurel shows: the board of the month and the articles.
func (f *forum) read() (map[string]row, map[string]string) {
	f.Helper()
	if _, err := f.laurel.Tick(f.Context()); err != nil { // voids what waits
		f.Fatal(err)
	}
	var page struct {
		Entries []struct {
			Score int
			User  struct{ ID, Name, Avatar string }
		}
		Articles []struct{ ID, Title string }
	}
	shown, listed := map[string]row{}, map[string]string{}
	for _, path := range []string{"/v1/boards/activity/month?limit=100", "/v1/articles?sort=new&limit=100"} {
		f.get(path, &page)
	}
	for _, e := range page.Entries {
		shown[e.User.ID] = row{e.Score, e.User.Name, e.User.Avatar}
	}
	for _, a := range page.Articles {
		listed[a.ID] = a.Title
	}
	return shown, listed
}

func (f *forum) get(path string, into any) {
	f.Helper()
	answer, err := http.Get(f.url + path)
	if err != nil {
		f.Fatal(err)
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(answer.Body).Decode(into); err != nil || answer.StatusCode != http.StatusOK {
		f.Fatalf("%s: %d %v", path, answer.StatusCode, err)
	}
}

// says returns what Laurel has to show, by the forum's own tables.
func (f *forum) says() (map[string]row, map[string]string) {
	f.Helper()
	rows, listed := map[string]row{}, map[string]string{}
	for _, r := range call[[]struct {
		ID, Points int
		Name, Face string
	}](f.php, "sql", f.points) {
		rows[fmt.Sprint(r.ID)] = row{r.Points, r.Name, r.Face}
	}
	for _, r := range call[[]struct {
		ID    int
		Title string
	}](f.php, "sql", f.articles) {
		listed[fmt.Sprint("t", r.ID)] = r.Title
	}
	return rows, listed
}

// compare returns how what Laurel shows differs from what the forum's tables say.
func (f *forum) compare() string {
	f.Helper()
	rows, listed := f.says()
	shown, there := f.read()
	return cmp.Diff(rows, shown) + cmp.Diff(listed, there)
}

// differs returns how it differs still after a while: an erasure goes on after its answer.
func (f *forum) differs() (wrong string) {
	f.Helper()
	for range 200 {
		if wrong = f.compare(); wrong == "" {
			return ""
		}
		time.Sleep(50 * time.Millisecond)
	}
	return wrong
}

// same sends the queue, and fails if the board is not what the forum's tables say.
func (f *forum) same(after string) {
	f.Helper()
	f.send()
	if wrong := f.differs(); wrong != "" {
		f.Fatalf("after %s (-tables +Laurel):\n%s\nsent:\n%s", after, wrong, strings.Join(last(f.network.Seen(), 8), "\n"))
	}
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

// whateverTheNetworkDoes has members do things, one by each call of act, which returns what kind of thing it was:
// first while deliveries are repeated, unanswered and refused, which changes nothing, then while they are late and
// lost, too, which again makes up for. leave is what users do last.
func (f *forum) whateverTheNetworkDoes(act func(step int) (kind int), leave, again func()) {
	f.Helper()
	kinds := map[string]int{}
	rounds := func(n int) {
		for step := range n {
			kinds[fmt.Sprint(act(step))]++
			if step%10 == 9 {
				f.send()
			}
		}
	}
	f.network.Set(harness.Trouble{Repeated: 15, Unanswered: 15, Refused: 15}, nil)
	rounds(150)
	f.same("repeated, unanswered and refused deliveries")
	f.Logf("did %v; the network %v", kinds, f.network.Count)

	f.network.Set(harness.Trouble{Repeated: 10, Unanswered: 10, Late: 20, Swallowed: 15}, nil)
	rounds(100)
	leave()
	f.send()
	f.Logf("the network %v", f.network.Count)
	if f.compare() == "" {
		f.Error("nothing is wrong after deliveries that were lost")
	}
	f.network.Set(harness.Trouble{}, nil)
	again()
	f.same("sending the last two days again")
}
