//go:build forums

package integrations_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
)

// A nodeBB is the stand-in for NodeBB in some processes with one database.
type nodeBB struct {
	*plugin
	env       []string
	processes []*process
	visitors  []any
}

// openNodeBB starts the database and the processes.
func openNodeBB(t *testing.T) *nodeBB {
	t.Helper()
	p, through := newPlugin(t)
	p.serve()
	p.network.Cuts, p.network.LateFrom = true, 1500*time.Millisecond // after the next requests
	address := harness.Must(start(t, nil, "node", "nodebb/harness/database.js").out.ReadString('\n'))(t)
	settings, _ := json.Marshal(map[string]string{"url": through, "hookSecret": hookSecret, "board": "activity"})
	f := &nodeBB{plugin: p, visitors: []any{}}
	f.env = []string{"FORUM_DATABASE=" + strings.TrimSpace(address), "FORUM_SETTINGS=" + string(settings)}
	for range 2 {
		f.processes = append(f.processes, f.start())
	}
	p.send, p.says, p.trim = f.drain, f.data, func(r *row) { r.Face, r.Link = "", "" }
	return f
}

func (f *nodeBB) start() *process {
	f.Helper()
	return start(f.T, f.env, "node", "nodebb/harness/run.js")
}

// do sends an act to a process and returns the new id, or nothing.
func (f *nodeBB) do(name string, args ...any) int {
	f.Helper()
	return do(f.processes[0], name, args...)
}

// data returns the state that Laurel must show, by the forum's own data.
func (f *nodeBB) data() (map[string]row, map[string]string) {
	f.Helper()
	says := call[struct {
		Board    map[string]row
		Articles map[string]string
	}](f.processes[0], "says", f.visitors)
	return says.Board, says.Articles
}

// compares asks the plugin to compare the forum's data with Laurel, and returns the plugin's record.
func (f *nodeBB) compares() string {
	f.Helper()
	found := call[struct{ Wrong, Differ string }](f.processes[0], "compare")
	return found.Wrong + found.Differ
}

// The comparison by the forum's own data finds exactly the activities that were not reported.
func TestNodeBBSaysWhetherBoardsEqualItsData(t *testing.T) {
	t.Parallel()
	f := openNodeBB(t)
	ann, bob := f.do("register", "ann"), f.do("register", "bob")
	tid := call[struct{ Tid int }](f.processes[0], "topic", ann, "A topic").Tid
	gone := f.do("reply", bob, tid)
	f.do("deletePost", f.do("reply", bob, tid))
	f.same("a topic and replies")
	if said := f.compares(); said != "[]" {
		t.Errorf("it says %s", said)
	}
	lost := f.do("lost", ann, tid)
	if said := f.compares(); !strings.Contains(said, `"name":"ann","should":13,"has":10`) ||
		!strings.Contains(said, fmt.Sprintf(`"kind":"missing","action":"comment","target":"t%d","ref":"p%d"`, tid, lost)) ||
		strings.Contains(said, fmt.Sprintf(`"p%d"`, gone)) {
		t.Errorf("it says %s", said)
	}
}

// drain waits until the queue is empty. Another process takes the place of a killed one after 10 s.
func (f *nodeBB) drain() {
	f.Helper()
	for range 600 {
		for _, p := range f.processes {
			do(p, "send")
		}
		if f.do("waiting") == 0 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	f.Fatalf("reports wait:\n%s", call[[]string](f.processes[0], "lines"))
}

// Each hook alone, its deliveries, the queue, the token and the widget.
func TestNodeBBHooks(t *testing.T) {
	t.Parallel()
	run(t, nil, "node", "--test", "--test-reporter", "spec", "nodebb/plugin.test.js")
}

// Each case of members' and moderators' acts.
func TestNodeBBBoardAfterEachActOfMembers(t *testing.T) {
	t.Parallel()
	f := openNodeBB(t)
	f.play("nodebb/harness/members.txt", f.does)
}

// does performs the act of a script's line.
func (f *nodeBB) does(name string, args ...any) any {
	f.Helper()
	if name == "visitors" {
		f.visitors = args[0].([]any)
		return nil
	}
	made := call[any](f.processes[0], name, args...)
	if topic, ok := made.(map[string]any); ok {
		return []any{topic["tid"], topic["pid"]}
	}
	return made
}

// Repeated, unanswered, refused, lost and late deliveries, and processes of the forum that are killed, change nothing.
func TestNodeBBWithNetworkTrouble(t *testing.T) {
	t.Parallel()
	f := openNodeBB(t)
	f.network.Set(Trouble{Refused: 10, Repeated: 15, Unanswered: 10, Lost: 10, Late: 20}, nil)
	var all []int
	for n := range 6 {
		all = append(all, f.do("register", fmt.Sprint("member", n)))
	}
	var acts []act
	for name := range strings.FieldsSeq("topic reply upvote unvote reply bookmark upvote follow deletePost restorePost " +
		"deleteTopic restoreTopic purge rename") {
		acts = append(acts, act{1, name, name})
	}
	process, counts := f.processes[0], map[any]int{}
	rows := func(name string) []string { return call[[]string](process, "rows", name) }
	something := something(acts, rows, func(name string, args ...any) any { return call[any](process, name, args...) })
	for step := range 300 {
		if step%3 == 0 && step%80 > 10 { // some reports wait when a process is killed
			f.drain()
		}
		if step%80 == 10 {
			killed := &f.processes[step/80%2]
			_, _ = (*killed).command.Process.Kill(), (*killed).command.Wait()
			*killed = f.start()
		}
		process = f.processes[step%2]
		counts[something(step)]++
	}
	do(f.processes[1], "deleteUser", all[0])
	f.drain()
	f.network.Drain()
	count := f.network.Count
	f.network.Set(Trouble{}, nil)
	for _, uid := range all[1:] { // a late delivery has the name of its time
		f.do("rename", uid, fmt.Sprint("Last ", uid))
	}
	f.same("all of it")
	for _, counter := range []string{"refused", "repeated", "unanswered", "lost", "late"} {
		if count[counter] == 0 {
			t.Errorf("no delivery was %s: %v", counter, count)
		}
	}
	t.Logf("did %v; the network: %v", counts, count)
}
