package main

import (
	"bytes"
	"context"
	"flag"
	"net"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"laurel/internal/harness"
)

// TestMain is the program itself in a process that is called laurel, which scripts and tests start.
// It waits less than the real one does; LAUREL_TEST_TICK is the time between the ticks of a server. While there is the
// file LAUREL_TEST_HOLD, a server's fill stops after its first step.
func TestMain(m *testing.M) {
	testscript.Main(binary{m}, map[string]func(){"curl": curl, "laurel": func() {
		tick, err := time.ParseDuration(os.Getenv("LAUREL_TEST_TICK"))
		if err != nil {
			tick = 100 * time.Millisecond
		}
		p := pace{step: time.Millisecond, tick: tick}
		if file := os.Getenv("LAUREL_TEST_HOLD"); file != "" {
			p.fill, p.slice = time.Nanosecond, func(ctx context.Context) { waitWhile(ctx, file) }
		}
		program(p)
	}})
}

// waitWhile returns once a file is gone.
func waitWhile(ctx context.Context, file string) {
	for ctx.Err() == nil {
		if _, err := os.Stat(file); err != nil {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
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

// systemd starts the units after this one when operators' commands reach the server.
func TestServeTellsSystemdWhenItIsReady(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(folder, "notify"), Net: "unixgram"})
	harness.OK(t, err)
	defer socket.Close()
	env := append(os.Environ(), "NOTIFY_SOCKET="+filepath.Join(folder, "notify"))
	harness.StartLaurel(t, []string{"laurel"}, folder, env, "serve", "--data", ".")
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
		watch(&out, work{Name: "y", Done: done, Count: done})() // a quick one
		time.Sleep(7 * time.Second)
		stop()
		stop()
		const want = "x.csv: 30%, 60 rows, 20 a second, 7s left\nx.csv: 60%, 120 rows, 20 a second, 4s left\n"
		if out.String() != want {
			t.Errorf("%q", out.String())
		}
	})
}
