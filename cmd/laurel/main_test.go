package main

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/internal/harness"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain is the program itself in a process that is called laurel, which scripts and tests start.
// It waits less than the real one does; LAUREL_TEST_TICK is the time between the ticks of a server.
func TestMain(m *testing.M) {
	testscript.Main(binary{m}, map[string]func(){"curl": curl, "laurel": func() {
		tick, err := time.ParseDuration(os.Getenv("LAUREL_TEST_TICK"))
		if err != nil {
			tick = 100 * time.Millisecond
		}
		program(pace{step: time.Millisecond, tick: tick})
	}})
}

// binary is the tests, after which the browser ends.
type binary struct{ *testing.M }

// Run runs the tests, most of which wait for processes: more at once than there are processors.
func (b binary) Run() int {
	flag.Parse()
	_ = flag.Set("test.parallel", "6")
	code := b.M.Run()
	stopChromium()
	return code
}

// screen is where a process writes; it may be read meanwhile.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// A server is laurel dev or laurel serve in a process of its own.
type server struct {
	*exec.Cmd
	out, err      screen
	base, metrics string
	ended         chan struct{}
}

// What servers say when they are there, for people or in a log.
var (
	servesAt  = regexp.MustCompile(`Laurel is on http://(\S+)(?s:.*)Ctrl-C|"serving","addr":"([^"]+)"`)
	metricsAt = regexp.MustCompile(`"metrics","addr":"([^"]+)"`)
)

// start starts a server, which is killed with the test, in a folder and with an environment, nil for
// the test's. It waits until the server is there.
func start(tb testing.TB, folder string, env []string, args ...string) *server {
	tb.Helper()
	return startBy(tb, []string{"laurel"}, folder, env, args...)
}

// startBy starts a server by a program that is given its arguments.
func startBy(tb testing.TB, words []string, folder string, env []string, args ...string) *server {
	tb.Helper()
	words = slices.Concat(words, []string{args[0], "--addr", "127.0.0.1:0"}, args[1:])
	s := &server{Cmd: exec.Command(words[0], words[1:]...), ended: make(chan struct{})}
	s.Dir, s.Env, s.Stdout, s.Stderr = folder, env, &s.out, &s.err
	harness.OK(tb, s.Start())
	go func() { _ = s.Wait(); close(s.ended) }()
	tb.Cleanup(func() {
		if s.stop(os.Kill); strings.Contains(s.err.String(), "DATA RACE") {
			tb.Error(s.err.String())
		}
	})
	for end := time.Now().Add(2 * time.Minute); s.base == ""; time.Sleep(5 * time.Millisecond) {
		if found := servesAt.FindStringSubmatch(s.out.String() + s.err.String()); found != nil {
			s.base = "http://" + cmp.Or(found[1], found[2])
		}
		if exited(s.ended) || time.Now().After(end) {
			tb.Fatalf("laurel %s does not start: %s%s", strings.Join(words[1:], " "), s.out.String(), s.err.String())
		}
	}
	if found := metricsAt.FindStringSubmatch(s.err.String()); found != nil {
		s.metrics = "http://" + found[1] + "/metrics"
	}
	return s
}

// send sends a request of JSON with headers, names and values, and returns the answer.
func send(ctx context.Context, client *http.Client, method, address, body string, headers ...string) (
	status int, text string, header http.Header, err error,
) {
	request, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		return 0, "", nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	for pair := range slices.Chunk(headers, 2) {
		request.Header.Set(pair[0], pair[1])
	}
	answer, err := client.Do(request)
	if err != nil {
		return 0, "", nil, err
	}
	defer answer.Body.Close()
	all, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(all), answer.Header, err
}

func exited(ended chan struct{}) bool {
	select {
	case <-ended:
		return true
	default:
		return false
	}
}

// stop ends a server by a signal, as a power failure or systemd does, and returns its exit code.
func (s *server) stop(by os.Signal) int {
	_ = s.Process.Signal(by)
	<-s.ended
	return s.ProcessState.ExitCode()
}
