package e2e_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel/internal/e2e"
	"laurel/internal/harness"
	"laurel/internal/testserver"
)

// An operator has the command line, credentials, and a function in place of a way to the
// stores.
type operator struct {
	*forum
	program string
	api     string            // the address of Lambda's operation Invoke
	start   func()            // starts the function
	proxy   *testserver.Proxy // between the function and the table

	mu        sync.Mutex
	running   *e2e.Function // nil when it was killed
	functions []*e2e.Function
}

func newOperator(t *testing.T) *operator {
	t.Helper()
	url := testserver.RedisURL(t)
	o := &operator{forum: forumOn(t, url, "HOT_DAYS=0"), program: harness.Build(t)}
	var through string
	o.proxy, through = testserver.ProxyURL(t, recorded(t, archive, o.table.Endpoint))
	o.start = func() {
		o.running = start(t, archive, append(slices.Clone(o.environment), "DYNAMODB_ENDPOINT="+through)...)
		o.functions = append(o.functions, o.running)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /2015-03-31/functions/laurel-archive/invocations", o.invoke)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	o.api = server.URL
	return o
}

// invoke lets the function answer an event. Its process is started when it is needed and again when it has ended, as
// Lambda does.
func (o *operator) invoke(w http.ResponseWriter, r *http.Request) {
	event, _ := io.ReadAll(r.Body)
	o.mu.Lock()
	if o.running == nil {
		o.start()
	}
	function := o.running
	o.mu.Unlock()
	answer, err := function.Invoke(context.WithoutCancel(r.Context()), event)
	if err != nil {
		w.Header().Set("X-Amz-Function-Error", "Unhandled")
		answer = []byte(`{"errorType":"Runtime.ExitError","errorMessage":"Error: Runtime exited"}`)
	}
	_, _ = w.Write(answer)
}

// kill kills the function's process.
func (o *operator) kill() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.running.Stop()
	o.running = nil
}

// does runs a command by the function, which is killed once, at a request to the table, and checks its exit code and
// a piece of its output.
func (o *operator) does(command string, killedAt int64, code int, want string) {
	o.t.Helper()
	var requests, killed atomic.Int64
	o.proxy.Each(func([]byte) testserver.Fault {
		if requests.Add(1) != killedAt {
			return testserver.NoFault
		}
		killed.Add(1)
		o.kill()
		return testserver.CutBefore
	})
	defer o.proxy.All(testserver.NoFault)
	args := append(strings.Fields(command), "--function", "laurel-archive")
	ctx, cancel := context.WithTimeout(o.t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, o.program, args...)
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "AWS_") }),
		"AWS_ENDPOINT_URL_LAMBDA="+o.api, "AWS_REGION=eu-central-1", "AWS_ACCESS_KEY_ID=laurel",
		"AWS_SECRET_ACCESS_KEY=laurel", "AWS_CONFIG_FILE="+os.DevNull, "AWS_SHARED_CREDENTIALS_FILE="+os.DevNull)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	began := time.Now()
	_ = cmd.Run() // the exit code is compared
	o.t.Logf("%6.1f s, %d requests: laurel %s", time.Since(began).Seconds(), requests.Load(), command)
	if got := cmd.ProcessState.ExitCode(); got != code || !strings.Contains(out.String(), want) {
		o.t.Errorf("laurel %s: exit %d, want %d with %q:\n%s", command, got, code, want, out.String())
	}
	if killed.Load() != 1 {
		o.t.Errorf("laurel %s: the function was not killed; it made %d requests to the table", command, requests.Load())
	}
}

// Every command of an operator works by the function alone, and a function that is killed in
// the middle of a slice applies nothing twice and loses nothing. Its log has no id.
func TestOperatorsHaveNoWayToTheStores(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	yesterday, _, day := o.yesterday()
	date, moment := yesterday.Format(time.DateOnly), yesterday.Format(time.RFC3339)
	files := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(files, name)
		harness.OK(t, os.WriteFile(path, []byte(strings.ReplaceAll(text, "AT", moment)), 0o600))
		return path
	}
	history := write("history.csv", "at,user,action,target,title\nAT,ann-4711,publish,w1,One\nAT,bob-4711,like,w1,\n"+
		"AT,cat-4711,comment,w1,\nAT,jon-4711,like,w1,\nAT,eve-4711,fly,w1,\n")
	profiles := write("users.csv", "id,name\nann-4711,Ann\n")
	const board = "1 ann-4711 Ann 10, 2 cat-4711 3, 3 bob-4711 2"
	const all = board + ", 4 jon-4711 2"

	o.does("import --profiles "+profiles+" "+history, 8, 3, "1 of 6 lines were dropped")
	fill(t, o.app())
	o.board(day, all)
	o.does("import "+history, 1, 3, "duplicate")
	o.board(day, all)
	o.does("audit", 3, 0, "no differences")
	harness.OK(t, o.redis.FlushDB(t.Context()).Err())
	fill(t, o.app())
	o.board(day, all)
	for user, list := range map[string]string{
		"jon-4711": `{"id":"dan-4717"},{"id":"cat-4711"}`, // in two items
		"cat-4711": `{"id":"dan-4717"},{"id":"jon-4711"}`, // in one
		"eve-4711": `{"id":"cat-4711"}`,
	} {
		o.expect(e2e.Service, "PUT /v1/users/"+user+"/following", `{"users":[`+list+`]}`, http.StatusOK)
	}
	o.expect(e2e.Service, "POST /v1/articles", `{"id":"w2","title":"Two","author":{"id":"jon-4711"}}`, http.StatusCreated)
	for _, user := range []string{"jon-4711", "eve-4711"} {
		o.does("erase --user "+user, 2, 0, "the erasure is running")
	}
	o.board(day, board)
	o.does("archive --dry-run", 1, 0, "close")
	o.does("archive", 25, 0, "0 left")
	o.board(day, board+" final")
	o.does("export --user bob-4711", 2, 0, `"bob-4711"`)
	o.does("reopen "+date, 2, 0, "--apply")
	o.does("reopen "+date+" --apply", 4, 0, "is live again")
	o.does("repair", 2, 0, "reopened")
	o.erased("jon-4711", "eve-4711")
	a := o.expect(nobody, "GET /v1/boards/activity/"+day, "", http.StatusOK, `"ann-4711"`)
	if strings.Contains(a.Body, "jon-4711") {
		t.Errorf("on the board of the day: %s", a.Body)
	}
	o.list(nobody, "/v1/articles?sort=new", "w2 erased 1, w1 ann-4711 Ann 2")
	o.audit()

	ended := 0
	for _, f := range o.functions {
		ended += strings.Count(f.Stdout(), `"message":"operation"`)
		if strings.Contains(f.Stdout(), "-4711") || strings.Contains(f.Stderr(), "-4711") {
			t.Errorf("the log has an id:\n%s%s", f.Stdout(), f.Stderr())
		}
	}
	if t.Logf("%d functions, %d slices ended", len(o.functions), ended); ended < 10 {
		t.Errorf("the log has %d operations", ended)
	}
}
