package main

import (
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A full disk is 503 for what is reported, of which nothing is applied, and /readyz says which disk;
// a server starts on it, too, and reads go on. When there is room again, so do reports.
func TestServeOnAFullDisk(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"serve", "--data", t.TempDir(), "--service-secrets", secretFile(t, serviceSecret)}
	p := startProcess(t, args...)
	defer func() { p.kill() }()
	for status := 0; status != http.StatusOK; time.Sleep(5 * time.Millisecond) {
		status, _, _ = get(t, p.base+"/readyz")
	}
	service := signed(t, serviceSecret, "service")
	room := func(bytes uint64) {
		t.Helper()
		limit := unix.Rlimit{Cur: bytes, Max: unix.RLIM_INFINITY}
		if err := unix.Prlimit(p.Process.Pid, unix.RLIMIT_FSIZE, &limit, nil); err != nil {
			t.Fatal(err)
		}
	}
	report := func(target string) string {
		return post(t, p.base+"/v1/activities", service,
			`{"activities":[{"action":"publish","user":"ann","target":"`+target+`"}]}`)
	}
	score := func() string { return getAs(t, p.base+"/v1/boards/activity/day", "") }
	if answer := report("a"); !strings.Contains(answer, `"counted"`) {
		t.Fatal(answer)
	}
	room(4096)
	for range 3 {
		if answer := report("b"); !strings.Contains(answer, `"status":503`) {
			t.Errorf("on a full disk: %s", answer)
		}
	}
	for _, again := range []bool{false, true} {
		if again {
			p.kill()
			p = startCommand(t, exec.Command("sh", slices.Concat([]string{
				"-c", `ulimit -S -f 8; exec "$0" "$@"`, program,
			}, args, []string{"--addr", "127.0.0.1:0"})...))
		}
		ready := ""
		for end := time.Now().Add(10 * time.Second); !strings.Contains(ready, "the disk of "+args[2]+" takes no writes"); {
			if time.Now().After(end) {
				t.Fatalf("/readyz: %s", ready)
			}
			_, ready, _ = get(t, p.base+"/readyz")
		}
		if board := score(); !strings.Contains(board, `"score":10,`) {
			t.Errorf("on a full disk the board is %s", board)
		}
	}
	room(unix.RLIM_INFINITY)
	if answer := report("b"); !strings.Contains(answer, `"counted"`) {
		t.Errorf("with room again: %s", answer)
	}
	if board := score(); !strings.Contains(board, `"score":20,`) {
		t.Errorf("with room again the board is %s", board)
	}
}
