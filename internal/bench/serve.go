package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"laurel/shared/table/embedded"

	"laurel/internal/testserver"
)

// A month is what laurel serve starts with: users with so many entries each in its days.
type month struct {
	users, entries int
	embedded       bool // else with a Redis that is empty
}

// reads is how many pages of a board are read, each of another address.
const reads = 300

// months are those that are measured.
var months = []month{{1_000, 40, true}, {5_000, 40, true}, {20_000, 4, true}, {100_000, 4, false}}

// measureServe measures how long laurel serve takes until it is ready, and of an embedded
// store what a page of the month's board costs.
func measureServe(ctx context.Context, c invocation) error {
	if err := c.parse(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	laurel := filepath.Join(dir, "laurel")
	if err := command(ctx, "", "go", "build", "-o", laurel, "./cmd/laurel"); err != nil {
		return err
	}
	redis, err := testserver.StartRedis(ctx)
	if err != nil {
		return err
	}
	defer redis.Stop()
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte(strings.Repeat("s", 40)), 0o600); err != nil {
		return err
	}
	for i, m := range months {
		history, data := filepath.Join(dir, "month.csv"), filepath.Join(dir, strconv.Itoa(i))
		if err := m.write(history, time.Now()); err != nil {
			return err
		}
		progress("import %d users with %d entries", m.users, m.entries)
		if err := command(ctx, "", laurel, "import", history, "--redis", redis.URL(), "--data", data); err != nil {
			return err
		}
		if err := command(ctx, "", "redis-cli", "-u", redis.URL(), "flushall"); err != nil {
			return err
		}
		args := []string{"serve", "--data", data, "--service-secrets", secret, "--addr", "127.0.0.1:0", "--rate", "0"}
		args = append(args, "--address-rate", "0")
		if !m.embedded {
			args = append(args, "--redis", redis.URL())
		}
		if err := m.measure(ctx, exec.CommandContext(ctx, laurel, args...), data); err != nil {
			return err
		}
		_ = command(ctx, "", "redis-cli", "-u", redis.URL(), "flushall")
	}
	return nil
}

// write writes the month's history: everybody's entries over the days until now.
func (m month) write(file string, now time.Time) error {
	var b strings.Builder
	b.WriteString("at,user,action,target,ref\n")
	from := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	step := now.Sub(from) / time.Duration(m.entries+1)
	for e := range m.entries {
		for u := range m.users {
			at := from.Add(time.Duration(e+1)*step - time.Duration(u)*time.Millisecond)
			fmt.Fprintf(&b, "%s,user-%d,comment,t%d,p%d-%d\n", at.UTC().Format("2006-01-02T15:04:05.000Z07:00"), u, u%500, u, e)
		}
	}
	return os.WriteFile(file, []byte(b.String()), 0o600)
}

var servingAt = regexp.MustCompile(`"serving","addr":"([^"]+)"`)

// measure starts a server and prints its figures.
func (m month) measure(ctx context.Context, server *exec.Cmd, data string) error {
	log, err := os.Create(data + ".log")
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	server.Stderr = log
	began := time.Now()
	if err := server.Start(); err != nil {
		return err
	}
	defer func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	}()
	var listens, ready time.Duration
	base := ""
	for ready == 0 {
		time.Sleep(5 * time.Millisecond)
		if err := ctx.Err(); err != nil {
			return err
		}
		if base == "" {
			if text, err := os.ReadFile(log.Name()); err == nil {
				if found := servingAt.FindSubmatch(text); found != nil {
					base, listens = "http://"+string(found[1]), time.Since(began)
				}
			}
			continue
		}
		if answer, err := http.Get(base + "/readyz"); err == nil { //nolint:noctx // of a server of ours
			_ = answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				ready = time.Since(began)
			}
		}
	}
	size, err := os.Stat(filepath.Join(data, embedded.File))
	if err != nil {
		return err
	}
	used, err := cpuOf("/proc", server.Process.Pid)
	if err != nil {
		return err
	}
	fmt.Printf("%d users, %d entries, embedded %t: listens after %.1f s, ready after %.1f s, %.1f s of CPU; "+
		"file %.1f MB, %s\n", m.users, m.users*m.entries, m.embedded, listens.Seconds(), ready.Seconds(), used.Seconds(),
		float64(size.Size())/1e6, memoryOfProcess(server))
	if !m.embedded {
		return nil
	}
	time.Sleep(3 * time.Second) // the first nightly run
	var took []time.Duration
	before, err := cpuOf("/proc", server.Process.Pid)
	if err != nil {
		return err
	}
	for i := range reads {
		began := time.Now()
		page := fmt.Sprintf("%s/v1/boards/activity/month?limit=%d&offset=%d", base, 30+i%2, i)
		answer, err := http.Get(page) //nolint:noctx,gosec // of a server of ours
		if err != nil {
			return err
		}
		_ = answer.Body.Close()
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	after, err := cpuOf("/proc", server.Process.Pid)
	fmt.Printf("  a page of the month's board: median %v, %v of CPU\n", took[reads/2].Round(10*time.Microsecond),
		((after - before) / reads).Round(10*time.Microsecond))
	return err
}

// memoryOfProcess returns the most memory that a process had.
func memoryOfProcess(process *exec.Cmd) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", process.Process.Pid))
	return string(regexp.MustCompile(`VmHWM:\s+\d+ kB`).Find(text))
}
