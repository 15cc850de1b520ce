package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"

	"github.com/rogpeppe/go-internal/testscript"

	"laurel/shared/run/app"
)

// TestScripts runs testdata/script: the outputs and effects of the command line, a script for each part of it. Beside
// testscript's own commands, scripts have those of commandsOfScripts, each described at its method.
func TestScripts(t *testing.T) {
	t.Parallel()
	root := harness.Must(filepath.Abs("../.."))(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", UpdateScripts: *harness.Update, RequireUniqueNames: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("ROOT", root)
			e.Setenv("DATA", filepath.Join(root, "cmd", "laurel", "testdata"))
			e.Setenv("COLUMNS", "100")
			tb, ok := e.T().(testing.TB)
			if !ok {
				return errors.New("testscript has no testing.TB")
			}
			e.Values["script"] = &script{tb: tb, vars: e.Vars, folder: e.WorkDir}
			return nil
		},
		Cmds: commandsOfScripts(),
	})
}

// A script is a running one, with the processes that its commands have started.
type script struct {
	tb testing.TB
	*testscript.TestScript
	vars   []string // of the environment at its start
	folder string
	server *harness.Laurel
	client *redis.Client
	cutter *testserver.Proxy
	target *atomic.Pointer[url.URL]
	tab    context.Context //nolint:containedctx // chromedp's handle of a tab
	aws    *cloud
}

// commandsOfScripts are the commands of scripts beside testscript's own.
func commandsOfScripts() map[string]func(*testscript.TestScript, bool, []string) {
	all := map[string]func(*testscript.TestScript, bool, []string){"fails": fails, "mistake": mistake, "setenv": setenv}
	for name, do := range map[string]func(*script, []string){
		"start": (*script).start, "said": (*script).said, "end": (*script).end,
		"http": (*script).http, "until": (*script).until,
		"json": (*script).json, "redis": (*script).redis, "lose": (*script).lose, "dynamodb": (*script).dynamodb,
		"cut": (*script).cut, "heal": (*script).heal, "forum": (*script).forum, "service": (*script).service,
		"answers": (*script).answers, "example": (*script).example,
		"sqlite": (*script).sqlite, "discourse": (*script).discourse, "cloud": (*script).cloud, "pasted": (*script).pasted,
		"proxy": (*script).proxy, "site": (*script).site, "browse": (*script).browse, "shows": (*script).shows,
		"eval": (*script).eval, "act": (*script).act, "accessible": (*script).accessible, "frame": (*script).frame,
		"picture": (*script).picture,
	} {
		all[name] = func(ts *testscript.TestScript, neg bool, args []string) {
			s, ok := ts.Value("script").(*script)
			if neg || !ok {
				ts.Fatalf("! is not for %s", name)
			}
			s.TestScript = ts
			do(s, args)
		}
	}
	return all
}

// fails CODE ARGS...: laurel ends with the code.
func fails(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec("laurel", args[1:]...)
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || strconv.Itoa(exit.ExitCode()) != args[0] {
		ts.Fatalf("%v, want exit status %s", err, args[0])
	}
}

// mistake TEXT ARGS...: laurel prints the text, ends with 2 and has done nothing.
func mistake(ts *testscript.TestScript, neg bool, args []string) {
	fails(ts, neg, append([]string{strconv.Itoa(exitUsage)}, args[1:]...))
	if said := ts.ReadFile("stderr"); !strings.Contains(said, args[0]) || ts.ReadFile("stdout") != "" {
		ts.Fatalf("it does not say %q", args[0])
	}
}

// setenv NAME FILE [PATTERN]: a variable gets the text of a file, such as stdout, or the match of a pattern's
// parentheses.
func setenv(ts *testscript.TestScript, _ bool, args []string) {
	text := strings.TrimSpace(ts.ReadFile(args[1]))
	if len(args) > 2 {
		found := regexp.MustCompile(args[2]).FindStringSubmatch(text)
		if found == nil {
			ts.Fatalf("no %s in %s", args[2], text)
		}
		text = found[1]
	}
	ts.Setenv(args[0], text)
}

// environment is that of a script's process: the variables set at the start, and settings.
func (s *script) environment() []string {
	env := slices.Clone(s.vars)
	for _, setting := range app.Settings(append(app.ServeGroups(), app.Clock)...) {
		if value := s.Getenv(setting.Env); value != "" {
			env = append(env, setting.Env+"="+value)
		}
	}
	if hold := s.Getenv("LAUREL_TEST_HOLD"); hold != "" {
		env = append(env, "LAUREL_TEST_HOLD="+hold)
	}
	return env
}

var metricsAt = regexp.MustCompile(`"metrics","addr":"([^"]+)"`)

// start [sh FILE] dev|serve ARGS...: a server runs, at $URL, or a script that ends in one.
func (s *script) start(args []string) {
	words := []string{"laurel"}
	if args[0] == "sh" {
		words, args = args[:2], args[2:]
	}
	s.server = harness.StartLaurel(s.tb, words, s.folder, s.environment(), args...)
	s.Setenv("URL", s.server.URL)
	s.Setenv("HOST", strings.TrimPrefix(s.server.URL, "http://"))
	if found := metricsAt.FindStringSubmatch(s.server.Err.String()); found != nil {
		s.Setenv("METRICS", "http://"+found[1]+"/metrics")
	}
	s.Setenv("PID", strconv.Itoa(s.server.Process.Pid))
}

// said: stdout and stderr are the server's output so far.
func (s *script) said([]string) {
	_, _ = io.WriteString(s.Stdout(), s.server.Out.String())
	_, _ = io.WriteString(s.Stderr(), s.server.Err.String())
}

// end: the server ends as systemd ends it, with exit status 0; stdout and stderr are its output.
func (s *script) end([]string) {
	if code := s.server.Stop(syscall.SIGTERM); code != 0 {
		s.Fatalf("exit status %d: %s", code, s.server.Err.String())
	}
	s.said(nil)
	s.server = nil
}

// http STATUS METHOD PATH [BODY|@FILE]: the server answers with the status, with the token of $TOKEN; stdout
// is the body, stderr the header.
func (s *script) http(args []string) {
	a := s.ask(append(args[1:], "")[:3]...)
	_, _ = io.WriteString(s.Stdout(), a.Body)
	_ = a.Header.Write(s.Stderr())
	if strconv.Itoa(a.Status) != args[0] {
		s.Fatalf("status %d, want %s: %s", a.Status, args[0], a.Body)
	}
}

// until PATTERN PATH: the server's answer matches, soon.
func (s *script) until(args []string) {
	pattern, end := regexp.MustCompile(args[0]), time.Now().Add(time.Minute)
	for ; ; time.Sleep(10 * time.Millisecond) {
		a := s.ask(http.MethodGet, args[1], "")
		if text := strconv.Itoa(a.Status) + " " + a.Body; pattern.MatchString(text) {
			_, _ = io.WriteString(s.Stdout(), a.Body)
			return
		} else if time.Now().After(end) {
			s.Fatalf("it answers %s", text)
		}
	}
}

// ask sends a request: a method, a path or an address, and a body.
func (s *script) ask(args ...string) harness.Answer {
	address, body := args[1], args[2]
	if file, ok := strings.CutPrefix(body, "@"); ok {
		body = s.ReadFile(file)
	}
	if strings.HasPrefix(address, "/") {
		address = s.Getenv("URL") + address
	}
	headers := []string{"Origin", cmp.Or(s.Getenv("ORIGIN"), s.Getenv("URL"))}
	if token := s.Getenv("TOKEN"); token != "" {
		headers = append(headers, "Authorization", "Bearer "+token)
	}
	a, err := harness.Send(s.tb.Context(), args[0], address, body, headers...)
	s.Check(err)
	return a
}

// varying are the values of results that differ from run to run: whether a name is shown by the night or
// by the comparison after it, too.
var varying = regexp.MustCompile(
	`"(seconds|shown|go|commit|version|platform|token|id|generation|bytes|digest|since)":("[^"]*"|[0-9.e-]+)`)

// besides matches a comparison that a night makes beside its steps, if one is due.
var besides = regexp.MustCompile(`,"compared":\{[^{}]*\}`)

// json: stdout is an object in one line. Varying values are written so.
func (s *script) json([]string) {
	text := s.ReadFile("stdout")
	if strings.Count(text, "\n") != 1 || !json.Valid([]byte(text)) {
		s.Fatalf("no object in a line of its own: %s", text)
	}
	text = besides.ReplaceAllString(text, "")
	text = strings.ReplaceAll(varying.ReplaceAllString(text, `"$1":"varies"`), s.folder, "DIR")
	_, _ = io.WriteString(s.Stdout(), text)
}

func TestHelpHasDefaults(t *testing.T) {
	t.Parallel()
	said := readManual(manualText)["several commands"].flags
	for _, s := range app.Settings(append(app.ServeGroups(), app.Clock)...) {
		want := "(default: " + s.Default + ")"
		if s.Flag != "" && s.Default != "" && !strings.Contains(said["--"+s.Flag], want) {
			t.Errorf("help of --%s has no %s: %q", s.Flag, want, said["--"+s.Flag])
		}
	}
}
