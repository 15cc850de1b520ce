package docker_test

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"laurel/internal/docker"
	"laurel/internal/machine"
	"laurel/internal/machine/machinetest"
)

func TestEngineEndsWithItsProcess(t *testing.T) {
	t.Parallel()
	if !startable(t) {
		return
	}
	words := machinetest.Hold(t, func() []string {
		engine := start(t)
		importShell(t, engine)
		docker := func(arguments ...string) {
			if _, err := engine.Run(t.Context(), arguments...); err != nil {
				t.Fatal(err)
			}
		}
		docker("run", "--detach", image, "sleep", "1000")
		return []string{engine.Directory(), engine.Name()}
	}, func(words []string) {
		if len(words) != 2 || len(traces(words[0], words[1])) == 0 {
			t.Fatalf("there is no engine %v", words)
		}
	})
	machinetest.Eventually(t, "the engine and its container to end without a trace", func() bool {
		return len(traces(words[0], words[1])) == 0
	})
}

func TestStopLeavesNothing(t *testing.T) {
	t.Parallel()
	if !startable(t) {
		return
	}
	before := firewall(t)
	engine := start(t)
	importShell(t, engine)
	if _, err := engine.Run(t.Context(), "run", "--detach", image, "sleep", "1000"); err != nil {
		t.Fatal(err)
	}
	engine.Stop()
	engine.Stop()
	if left := traces(engine.Directory(), engine.Name()); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if after := firewall(t); after != before {
		t.Errorf("the firewall is another: %s", after)
	}
}

func TestContainersReachWhatIsExposed(t *testing.T) {
	t.Parallel()
	if !startable(t) {
		return
	}
	engine := start(t)
	importShell(t, engine)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			line := make([]byte, 5)
			_, err = io.ReadFull(conn, line)
			_, _ = conn.Write(bytes.ToUpper(line))
			_ = conn.Close()
			if err != nil {
				t.Error(err)
			}
		}
	}()
	ctx, cancel := context.WithCancel(t.Context())
	address, err := engine.Expose(ctx, listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	ask := []string{"run", "--rm", image, "sh", "-c", "echo hello | nc " + host + " " + port}
	if got, err := engine.Run(t.Context(), ask...); err != nil || got != "HELLO" {
		t.Errorf("got %q, %v", got, err)
	}
	cancel()
	machinetest.Eventually(t, "the port to close", func() bool { return !machinetest.Listens(address) })
}

const image = "laurel-test/shell:1"

func importShell(t *testing.T, engine *docker.Engine) {
	t.Helper()
	if err := engine.ImportShell(t.Context(), image, []string{"sh", "nc", "sleep", "echo"}, []string{"tmp"}); err != nil {
		t.Fatal(err)
	}
}

// startable says whether an engine can be started here at all. Where not, none will
// be: the one that is running is used.
func startable(t *testing.T) bool {
	t.Helper()
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Log("only root on Linux starts an engine of its own")
		return false
	}
	return true
}

func start(t *testing.T) *docker.Engine {
	t.Helper()
	if err := docker.Installed(t.Context(), machine.Here{}, runtime.GOOS); err != nil {
		t.Fatal(err)
	}
	engine, err := docker.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(engine.Stop)
	return engine
}

// traces are the directory, the bridge, the control groups, the mounts and the
// processes that an engine has.
func traces(dir, name string) (traces []string) {
	for _, path := range []string{dir, "/sys/class/net/" + name} {
		if !machinetest.Gone(path) {
			traces = append(traces, path)
		}
	}
	_ = filepath.WalkDir("/sys/fs/cgroup", func(path string, entry fs.DirEntry, _ error) error {
		if entry != nil && entry.Name() == name {
			traces = append(traces, path)
		}
		return nil
	})
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range append(files, "/proc/self/mounts") {
		if text, err := os.ReadFile(file); err == nil && bytes.Contains(text, []byte(dir)) {
			traces = append(traces, file+": "+strings.ReplaceAll(string(text), "\x00", " "))
		}
	}
	return traces
}

// firewall are the tables that the system filters packets by.
func firewall(t *testing.T) string {
	t.Helper()
	tables, err := os.ReadFile("/proc/net/ip_tables_names")
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	forward, err := os.ReadFile("/proc/sys/net/ipv4/ip_forward")
	if err != nil {
		t.Fatal(err)
	}
	return string(tables) + string(forward)
}
