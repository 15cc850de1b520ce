package harness

import (
	"cmp"
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/shared/run/localserver"
)

// Build builds laurel as a release is built.
func Build(tb testing.TB) (program string) {
	tb.Helper()
	program = filepath.Join(tb.TempDir(), "laurel")
	build := exec.CommandContext(tb.Context(), "go", "build", "-o", program, "laurel/cmd/laurel")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		tb.Fatalf("%v\n%s", err, text)
	}
	return program
}

// A Laurel is laurel dev or laurel serve in a process of its own.
type Laurel struct {
	*exec.Cmd
	URL      string
	Out, Err Log // its output
	ended    chan struct{}
}

// laurelAt matches the line of a server that is ready, for people or in a log.
var laurelAt = regexp.MustCompile(`Laurel is on http://(\S+)(?s:.*)Ctrl-C|"serving","addr":"([^"]+)"`)

// StartLaurel starts one by the words of a program that is given its arguments, in a folder and with an environment,
// "" and nil for the test's, and waits until it is there. It is killed with the test.
func StartLaurel(tb testing.TB, program []string, folder string, env []string, args ...string) *Laurel {
	tb.Helper()
	words := slices.Concat(program, []string{args[0], "--addr", "127.0.0.1:0"}, args[1:])
	l := &Laurel{Cmd: exec.Command(words[0], words[1:]...), ended: make(chan struct{})}
	l.Dir, l.Env, l.Stdout, l.Stderr = folder, env, &l.Out, &l.Err
	OK(tb, l.Start())
	go func() { _ = l.Wait(); close(l.ended) }()
	tb.Cleanup(func() {
		if l.Stop(os.Kill); strings.Contains(l.Err.String(), "DATA RACE") {
			tb.Error(l.Err.String())
		}
	})
	for end := time.Now().Add(2 * time.Minute); l.URL == ""; time.Sleep(5 * time.Millisecond) {
		if found := laurelAt.FindStringSubmatch(l.Out.String() + l.Err.String()); found != nil {
			l.URL = "http://" + cmp.Or(found[1], found[2])
		}
		if l.exited() || time.Now().After(end) {
			tb.Fatalf("%s does not start: %s%s", strings.Join(words, " "), l.Out.String(), l.Err.String())
		}
	}
	return l
}

func (l *Laurel) exited() bool {
	select {
	case <-l.ended:
		return true
	default:
		return false
	}
}

// Stop ends it by a signal, as a power failure or systemd does, and returns its exit code.
func (l *Laurel) Stop(by os.Signal) int {
	_ = l.Process.Signal(by)
	<-l.ended
	return l.ProcessState.ExitCode()
}

// Listen answers requests by the server that laurel serve runs, with options changed, in place of the server before,
// until the test or end ends it.
func (f *Forum) Listen(change ...func(*localserver.Options)) (end func()) {
	f.TB.Helper()
	o := localserver.Options{
		Addr: "127.0.0.1:0", Requests: f.Requests(), Batches: f.Batches(), Tokens: f.Tokens.Options(f.Clock),
		Answered: func(context.Context, localserver.Answered) {}, Ready: func(context.Context) error { return nil },
		Drain: 10 * time.Second, // net/http takes a connection that was opened and not used for idle after 5 s
	}
	for _, c := range change {
		c(&o)
	}
	s := Must(localserver.Listen(f.TB.Context(), o))(f.TB)
	f.Client = NewClient(f.TB, "http://"+s.Addr())
	ctx, stop := context.WithCancel(context.WithoutCancel(f.TB.Context()))
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx) }()
	end = sync.OnceFunc(func() {
		http.DefaultClient.CloseIdleConnections() // of many requests at once some have opened one that another one left
		stop()
		if err := <-ended; err != nil {
			f.TB.Error(err)
		}
	})
	f.TB.Cleanup(end)
	return end
}
