package main

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"laurel/internal/harness"
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

// systemd goes on with what follows a start when operators' commands reach the server.
func TestServeTellsSystemdWhenItIsReady(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(folder, "notify"), Net: "unixgram"})
	harness.OK(t, err)
	defer socket.Close()
	start(t, folder, append(os.Environ(), "NOTIFY_SOCKET="+filepath.Join(folder, "notify")), "serve", "--data", ".")
	harness.OK(t, socket.SetReadDeadline(time.Now().Add(30*time.Second)))
	said := make([]byte, 100)
	n, err := socket.Read(said)
	if err != nil || string(said[:n]) != "READY=1" {
		t.Errorf("it says %q: %v", said[:n], err)
	}
	if _, err := os.Stat(filepath.Join(folder, socketName)); err != nil {
		t.Errorf("it is ready and has no socket: %v", err)
	}
}

func TestLinesEveryFewSeconds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		began := time.Now()
		done := func() int64 { return int64(time.Since(began).Seconds()) * 10 }
		stop := watch(&out, work{
			Name: "x.csv", Unit: "rows", Total: 100, Done: done,
			Count: func() int64 { return 2 * done() },
		})
		time.Sleep(7 * time.Second)
		stop()
		stop()
		const want = "x.csv: 30%, 60 rows, 20 a second, 7s left\nx.csv: 60%, 120 rows, 20 a second, 4s left\n"
		if out.String() != want {
			t.Errorf("%q", out.String())
		}
	})
}

func TestQuickWorkSaysNothing(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	nothing := func() int64 { return 0 }
	watch(&out, work{Name: "x", Done: nothing, Count: nothing})()
	if out.Len() > 0 {
		t.Errorf("%q", out.String())
	}
}
