package main

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A full disk is 503 for what is reported, of which nothing is applied; reads go on, and when
// there is room again, so do reports.
func TestServeOnAFullDisk(t *testing.T) {
	t.Parallel()
	p := startProcess(t, "serve", "--data", t.TempDir(), "--service-secrets", secretFile(t, serviceSecret))
	defer p.kill()
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
	if board := score(); !strings.Contains(board, `"score":10,`) {
		t.Errorf("on a full disk the board is %s", board)
	}
	room(unix.RLIM_INFINITY)
	if answer := report("b"); !strings.Contains(answer, `"counted"`) {
		t.Errorf("with room again: %s", answer)
	}
	if board := score(); !strings.Contains(board, `"score":20,`) {
		t.Errorf("with room again the board is %s", board)
	}
}
