//go:build forums

// Package integrations_test compares the plugins with a real Laurel: that for WordPress in a WordPress, the others,
// whose forums cannot be run here, in a harness, which changes its tables and raises events as the forum does.
package integrations_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/core/signatures"
	"laurel/shared/run/localserver"
)

const (
	hookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	userSecret = "the-users-secret-of-tests-of-32-bytes"
	rulesFile  = "../rules/wordpress.json"
)

// A plugin is a forum with one, a Laurel, and the network between them.
type plugin struct {
	*testing.T
	url     string // of Laurel
	network *Network
	passes  func(http.ResponseWriter, *http.Request) bool // a server without trouble; nil for none

	trim   func(*row)                                 // removes the parts of Laurel's state that are not in the tables
	send   func()                                     // sends queued rows until the queue is empty
	says   func() (map[string]row, map[string]string) // the state that Laurel must show, by the forum's own tables
	tick   func()                                     // runs Laurel's work of every minute
	values map[string]string                          // that a script finds
	code   func() string                              // makes a pairing code
}

// A row is a member on the board.
type row struct {
	Score            int
	Name, Face, Link string
}

// newPlugin returns a network to a Laurel, and its address.
func newPlugin(t *testing.T) (p *plugin, through string) {
	t.Helper()
	p = &plugin{T: t, tick: func() {}}
	p.network = NewNetwork(func() string { return p.url })
	server := httptest.NewServer(p.network)
	t.Cleanup(server.Close)
	return p, server.URL
}

// serve starts the server that laurel serve runs.
func (p *plugin) serve() {
	p.Helper()
	source := harness.Must(os.ReadFile(rulesFile))(p)
	rules := harness.Must(activity.ParseRules(source))(p)
	f := harness.NewForum(p, harness.Setup{
		Ledger: ledger.New(rules, board.NewCalendar(time.UTC)), Now: time.Now(), Clock: time.Now, Awaits: true,
	})
	f.Listen(func(o *localserver.Options) {
		o.Tokens.UserSecrets = []string{userSecret}
		o.Requests.Hooks, o.Requests.UserSecret = signatures.Secrets{"standard": {hookSecret}}, userSecret
	})
	p.url = f.URL
	p.code = func() string {
		code, _, err := f.Items.NewPairing(p.Context())
		harness.OK(p, err)
		return code
	}
	p.tick = func() { // voids the waiting targets
		harness.Must(f.Tick(p.Context()))(p)
	}
}

// trouble sets the trouble of deliveries from now on.
func (p *plugin) trouble(kind Trouble) { p.network.Set(kind, p.passes) }

func (p *plugin) get(path string, into any) {
	p.Helper()
	a := harness.NewClient(p, p.url).Get(path, "")
	if err := json.Unmarshal([]byte(a.Body), into); err != nil || a.Status != http.StatusOK {
		p.Fatalf("%s: %d %v", path, a.Status, err)
	}
}

// status is Laurel's status for a read.
func (p *plugin) status(path, token string) int {
	p.Helper()
	return harness.NewClient(p, p.url).Get(path, token).Status
}

// shows returns Laurel's state: the board of the month and the articles.
func (p *plugin) shows() (map[string]row, map[string]string) {
	p.Helper()
	p.tick()
	var page struct {
		Entries []struct {
			Score int
			User  struct{ ID, Name, Avatar, Link string }
		}
		Articles []struct{ ID, Title string }
	}
	shown, listed := map[string]row{}, map[string]string{}
	p.get("/v1/boards/activity/month?limit=100", &page)
	p.get("/v1/articles?sort=new&limit=100", &page)
	for _, e := range page.Entries {
		if e.Score != 0 {
			r := row{e.Score, e.User.Name, e.User.Avatar, e.User.Link}
			p.trim(&r)
			shown[e.User.ID] = r
		}
	}
	for _, a := range page.Articles {
		listed[a.ID] = a.Title
	}
	return shown, listed
}

// compare returns the differences between Laurel's state and the forum's tables.
func (p *plugin) compare() string {
	p.Helper()
	rows, listed := p.says()
	shown, found := p.shows()
	return cmp.Diff(rows, shown) + cmp.Diff(listed, found)
}

// differs returns the differences that remain after a while: an erasure continues after its answer.
func (p *plugin) differs() (wrong string) {
	p.Helper()
	for range 100 {
		if wrong = p.compare(); wrong == "" {
			return ""
		}
		time.Sleep(50 * time.Millisecond)
	}
	return wrong
}

// same sends the queue, and fails if the board differs from the forum's tables.
func (p *plugin) same(after string) {
	p.Helper()
	p.send()
	p.network.Drain()
	if wrong := p.differs(); wrong != "" {
		seen := p.network.Seen()
		p.Fatalf("after %s (-tables +Laurel):\n%s\nsent:\n%s", after, wrong,
			strings.Join(seen[max(0, len(seen)-8):], "\n"))
	}
}

var scriptLine = regexp.MustCompile(`^(?:([a-zA-Z][\w ]*) = )?(\w+) ?(.*)$`)

// play performs the acts of a script, line by line, and checks that Laurel shows them: "ann = user "ann"", then "like
// $ann $first" with ids in place of names, and "same why". The values after a word are JSON.
func (p *plugin) play(file string, act func(name string, args ...any) any) (values map[string]string) {
	p.Helper()
	values = map[string]string{"long": strings.Repeat("长 ", 400)}
	maps.Copy(values, p.values)
	for line := range strings.Lines(string(harness.Must(os.ReadFile(file))(p))) {
		line = os.Expand(strings.TrimSpace(line), func(name string) string { return values[name] })
		m := scriptLine.FindStringSubmatch(line)
		if m == nil { // a comment, or nothing
			continue
		}
		if m[2] == "same" {
			p.same(m[3])
			continue
		}
		var args []any
		for d := json.NewDecoder(strings.NewReader(m[3])); d.More(); {
			var value any
			if err := d.Decode(&value); err != nil {
				p.Fatalf("%s: %s: %v", file, line, err)
			}
			args = append(args, value)
		}
		if p.sees(m[2], args) {
			continue
		}
		var made any = m[2] // a number, which gets a name
		if m[2][0] > '9' {
			made = act(m[2], args...)
		}
		for i, name := range strings.Fields(m[1]) {
			if all, ok := made.([]any); ok {
				values[name] = fmt.Sprint(all[i])
			} else {
				values[name] = fmt.Sprint(made)
			}
		}
	}
	return values
}

// sees checks Laurel's state against a line of a script, if the line describes it.
func (p *plugin) sees(name string, args []any) bool {
	p.Helper()
	var user string
	if len(args) > 0 {
		user = fmt.Sprint(args[0])
	}
	var got any
	var ok bool
	switch name {
	case "votes": // of an article, and its groups
		var article struct {
			Votes  float64
			Groups []any
		}
		p.get("/v1/articles/t"+user, &article)
		got, ok = article, article.Votes == args[1] && slices.Equal(article.Groups, args[2:])
	case "title":
		p.send()
		_, listed := p.shows()
		got, ok = listed, listed["t"+user] == args[1]
	case "profile": // a name, and the beginning of the picture's address
		p.send()
		shown, _ := p.shows()
		got, ok = shown[user], shown[user].Name == args[1] && strings.HasPrefix(shown[user].Face, args[2].(string))
	case "points":
		shown, _ := p.shows()
		got, ok = shown[user], float64(shown[user].Score) == args[1]
	case "sent": // each of them since the script began; without any, nothing
		all := strings.Join(p.network.Seen(), "\n")
		got, ok = all, (all == "") == (len(args) == 0)
		for _, part := range args {
			ok = ok && strings.Contains(all, part.(string))
		}
	case "gone":
		ok = p.status("/v1/users/"+user, "") == http.StatusNotFound
	case "unsent":
		ok = !strings.Contains(strings.Join(p.network.Seen(), ""), fmt.Sprintf(`"ref":"p%s"`, user))
	default:
		return false
	}
	if !ok {
		p.Errorf("%s %v: there is %+v", name, args, got)
	}
	return true
}

// has fails if a page lacks a text, or a match of "/a pattern/", or has a text that it must not have: "!text".
func (p *plugin) has(page string, parts []any) {
	p.Helper()
	for _, part := range parts {
		text, not := strings.CutPrefix(part.(string), "!")
		pattern := regexp.QuoteMeta(text)
		if strings.HasPrefix(text, "/") && strings.HasSuffix(text, "/") {
			pattern = strings.Trim(text, "/")
		}
		if regexp.MustCompile(pattern).MatchString(page) == not {
			p.Errorf("the page says %s\nwant %s", page, part)
		}
	}
}

// An act is a random act of members: one of the rows of a statement has the arguments, in JSON.
type act struct {
	weight     int
	name, rows string
}

// statements reads a forum.txt: the statements on a forum's own tables, by name, in which $name is replaced by
// another statement or a given text; and the random acts of members.
func statements(t *testing.T, file string, given map[string]string) (rows map[string]string, acts []act) {
	t.Helper()
	rows = map[string]string{}
	maps.Copy(rows, given)
	for _, part := range harness.Must(txtar.ParseFile(file))(t).Files {
		rows[part.Name] = os.Expand(strings.TrimSpace(string(part.Data)), func(name string) string { return rows[name] })
	}
	for text := range strings.SplitSeq(rows["acts"], "\n\n") {
		var a act
		head, rows, _ := strings.Cut(text, "\n")
		harness.Must(fmt.Sscan(head, &a.weight, &a.name))(t)
		a.rows = rows
		acts = append(acts, a)
	}
	return rows, acts
}

// something returns a function that performs one of some acts. rows are those of a statement on the forum's tables.
func something(acts []act, rows func(statement string) []string, do func(name string, args ...any) any) func(int) any {
	var drawn []act
	for _, a := range acts {
		drawn = append(drawn, slices.Repeat([]act{a}, a.weight)...)
	}
	pick := rand.New(rand.NewPCG(3, 4)).IntN
	return func(int) any {
		for {
			a := drawn[pick(len(drawn))]
			var args []any
			if all := rows(a.rows); len(all) > 0 && json.Unmarshal([]byte(all[pick(len(all))]), &args) == nil {
				do(a.name, args...)
				return a.name
			}
		}
	}
}

// whateverTheNetworkDoes performs acts of members, one by each call of act, which returns its kind: first while
// deliveries are repeated, unanswered and refused, which changes nothing, then while they are late and lost, too;
// again makes up for that. leave is users' last acts.
func (p *plugin) whateverTheNetworkDoes(act func(step int) (kind any), leave, again func()) {
	p.Helper()
	kinds := map[string]int{}
	rounds := func(n int) {
		for step := range n {
			kinds[fmt.Sprint(act(step))]++
			if step%10 == 9 {
				p.send()
			}
		}
	}
	p.trouble(Trouble{Repeated: 15, Unanswered: 15, Refused: 15})
	rounds(100)
	p.same("repeated, unanswered and refused deliveries")
	p.Logf("did %v; the network %v", kinds, p.network.Count)

	p.trouble(Trouble{Repeated: 10, Unanswered: 10, Late: 20, Swallowed: 15})
	rounds(90)
	leave()
	p.send()
	p.network.Drain()
	p.Logf("the network %v", p.network.Count)
	if p.compare() == "" {
		p.Error("nothing is wrong after deliveries that were lost")
	}
	p.trouble(Trouble{})
	again()
	p.same("sending the last two days again")
}

// A process is one of a forum's, which performs acts of members line by line.
type process struct {
	*testing.T
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	stderr  *bytes.Buffer
}

// start starts a program of a harness. It ends with the test.
func start(t *testing.T, env []string, program string, args ...string) *process {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Fatalf("no %s: scripts/check-php sets it up; NodeBB's harness needs Node 20", program)
	}
	p := &process{T: t, command: exec.CommandContext(t.Context(), program, args...), stderr: &bytes.Buffer{}}
	p.command.Env, p.command.Stderr = append(os.Environ(), env...), p.stderr
	in := harness.Must(p.command.StdinPipe())(t)
	out := harness.Must(p.command.StdoutPipe())(t)
	harness.OK(t, p.command.Start())
	p.in, p.out = in, bufio.NewReaderSize(out, 1<<20)
	t.Cleanup(func() { _, _ = in.Close(), p.command.Process.Kill() })
	return p
}

// call sends an act to the forum, and returns its answer.
func call[V any](p *process, name string, args ...any) (v V) {
	p.Helper()
	line := harness.Must(json.Marshal(append([]any{name}, args...)))(p)
	_, _ = p.in.Write(append(line, '\n'))
	answer, err := p.out.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(answer, &v)
	}
	if err != nil {
		_, _ = p.in.Close(), p.command.Wait()
		p.Fatalf("%s: %v\n%s\n%s", line, err, answer, p.stderr)
	}
	return v
}

// do sends an act to the forum, and returns the id of the new thing, if there is one.
func do(p *process, name string, args ...any) int {
	p.Helper()
	n, _ := call[any](p, name, args...).(float64)
	return int(n)
}
