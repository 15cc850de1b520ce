//go:build forums

package nodebb_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/hooks"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
)

const hookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// node starts a program of the stand-in, and returns its input and output. It ends with the test.
func node(t *testing.T, env []string, args ...string) (*exec.Cmd, io.Writer, *bufio.Reader) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Fatal("no node on the PATH: install Node 20 or newer from nodejs.org or a package")
	}
	c := exec.CommandContext(t.Context(), "node", args...)
	c.Env, c.Stderr = append(os.Environ(), env...), os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = c.Process.Kill(), c.Wait() })
	return c, in, bufio.NewReader(out)
}

// newLaurel returns a Laurel at the clock's time that takes webhooks, and erases by them.
func newLaurel(t *testing.T) *harness.Forum {
	t.Helper()
	source := strings.TrimSuffix(strings.TrimSpace(string(activity.Default().JSON())), "}")
	source += `, "hooks": {"standard": {"erase": true}, "nodebb": {"erase": true}}}`
	rules, err := activity.ParseRules([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	f := harness.NewForum(t, harness.Setup{
		Ledger: ledger.New(rules, board.NewCalendar(time.UTC)), Now: time.Now(), Clock: time.Now,
	})
	return f.Serve(func(o *httpapi.Options) {
		o.Hooks = hooks.Secrets{"standard": {hookSecret}, "nodebb": {hookSecret[len("whsec_"):]}}
	})
}

// A forum is the stand-in for NodeBB in some processes with one database, a Laurel, and what is between them.
type forum struct {
	*testing.T
	laurel    *harness.Forum
	between   *harness.Network
	env       []string
	processes []*process
}

type process struct {
	command *exec.Cmd
	in      io.Writer
	out     *bufio.Reader
}

// open starts all of it.
func open(t *testing.T) *forum {
	t.Helper()
	f := &forum{T: t, laurel: newLaurel(t)}
	f.between = harness.NewNetwork(func() string { return f.laurel.URL })
	f.between.Cuts, f.between.LateFrom = true, 1500*time.Millisecond // after what follows, whose place it does not take
	proxy := httptest.NewServer(f.between)
	t.Cleanup(proxy.Close)
	_, _, out := node(t, nil, "harness/database.js")
	address, err := out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	settings, _ := json.Marshal(map[string]string{"url": proxy.URL, "hookSecret": hookSecret, "board": "activity"})
	f.env = []string{"FORUM_DATABASE=" + strings.TrimSpace(address), "FORUM_SETTINGS=" + string(settings)}
	for range 2 {
		f.processes = append(f.processes, f.start())
	}
	return f
}

func (f *forum) start() *process {
	f.Helper()
	command, in, out := node(f.T, f.env, "harness/run.js")
	return &process{command, in, out}
}

// restart kills a process, and starts another one in its place.
func (f *forum) restart(n int) {
	f.Helper()
	_, _ = f.processes[n].command.Process.Kill(), f.processes[n].command.Wait()
	f.processes[n] = f.start()
}

// by has a process do something, and returns what that returns.
func (f *forum) by(process int, what string, args ...any) json.RawMessage {
	f.Helper()
	line, err := json.Marshal(append([]any{what}, args...))
	if err != nil {
		f.Fatal(err)
	}
	p := f.processes[process]
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		f.Fatal(err)
	}
	said, err := p.out.ReadBytes('\n')
	var answer struct {
		Result json.RawMessage
		Error  string
	}
	if err == nil {
		err = json.Unmarshal(said, &answer)
	}
	if err != nil || answer.Error != "" {
		f.Fatalf("%s: %v %s", line, err, answer.Error)
	}
	return answer.Result
}

// do has a process do something that returns an id, or nothing.
func (f *forum) do(what string, args ...any) (id int) {
	f.Helper()
	_ = json.Unmarshal(f.by(0, what, args...), &id)
	return id
}

// topic has a member write a topic, and returns its id and that of its first post.
func (f *forum) topic(uid int, title string) (tid, pid int) {
	f.Helper()
	var made struct{ Tid, Pid int }
	if err := json.Unmarshal(f.by(0, "topic", uid, title), &made); err != nil {
		f.Fatal(err)
	}
	return made.Tid, made.Pid
}

// What a board has, and which articles are listed.
type shown struct {
	Board    map[string]row
	Articles map[string]string
}

type row struct {
	Score int
	Name  string
}

// shows returns what a Laurel shows.
func shows(laurel *harness.Forum) shown {
	laurel.TB.Helper()
	s := shown{map[string]row{}, map[string]string{}}
	var page struct {
		Entries []struct {
			Score int
			User  struct{ ID, Name string }
		}
		Articles []struct{ ID, Title string }
	}
	for _, path := range []string{"/v1/boards/activity/month?limit=100", "/v1/articles?sort=new&limit=100"} {
		if err := json.Unmarshal([]byte(laurel.Get(path, "").Body), &page); err != nil {
			laurel.TB.Fatal(err)
		}
	}
	for _, e := range page.Entries {
		s.Board[e.User.ID] = row{e.Score, e.User.Name}
	}
	for _, a := range page.Articles {
		s.Articles[a.ID] = a.Title
	}
	return s
}

// same waits until the queue is empty, and fails if the board is not what the forum's own data say.
func (f *forum) same(after string, visitors ...int) {
	f.Helper()
	var says shown
	if visitors == nil {
		visitors = []int{}
	}
	if err := json.Unmarshal(f.by(0, "says", visitors), &says); err != nil {
		f.Fatal(err)
	}
	f.drain()
	f.between.Drain()
	f.voids()
	if wrong := cmp.Diff(says, shows(f.laurel)); wrong != "" {
		f.Fatalf("after %s (-forum +Laurel):\n%s\n%s\n%s", after, wrong, f.by(0, "lines"), f.by(1, "lines"))
	}
}

// drain waits until the queue is empty. In place of a process that was killed another one sends after 10 s.
func (f *forum) drain() {
	f.Helper()
	for range 600 {
		for n := range f.processes {
			f.by(n, "send")
		}
		if f.do("waiting") == 0 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	f.Fatalf("reports wait:\n%s\n%s", f.by(0, "lines"), f.by(1, "lines"))
}

// voids does what a Laurel does every minute: it takes points off targets that were purged.
func (f *forum) voids() {
	f.Helper()
	if _, err := f.laurel.Tick(f.Context()); err != nil {
		f.Fatal(err)
	}
}
