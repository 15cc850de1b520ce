package testserver_test

import (
	"bufio"
	"errors"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
)

// again runs this binary's test of that name in a process of its own, with further
// variables in its environment.
func again(t *testing.T, test string, environment ...string) *exec.Cmd {
	t.Helper()
	binary := harness.Must(os.Executable())(t)
	cmd := exec.CommandContext(t.Context(), binary, "-test.v", "-test.run=^"+test+"$")
	cmd.Env = append(os.Environ(), environment...)
	return cmd
}

func listens(addr string) bool {
	conn, err := net.Dial("tcp", addr)
	if err == nil {
		_ = conn.Close()
	}
	return err == nil
}

func gone(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, os.ErrNotExist)
}

func TestEveryTestHasAnEmptyKeyspace(t *testing.T) {
	t.Parallel()
	for range 20 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			client := testserver.Redis(t)
			if n := client.DBSize(t.Context()).Val(); n != 0 {
				t.Errorf("the database holds %d keys", n)
			}
			if set, err := client.SetNX(t.Context(), "key", "value", 0).Result(); err != nil || !set {
				t.Errorf("SETNX: %v, %v", set, err)
			}
		})
	}
}

// TestServersEndWithAKilledTest starts servers in a process of its own and kills that
// as the system would: nothing is cleaned up there.
func TestServersEndWithAKilledTest(t *testing.T) {
	t.Parallel()
	if os.Getenv("LAUREL_TEST_HOLD") != "" {
		own, dynamodb := testserver.OwnRedis(t), testserver.DynamoDB(t)
		dir := own.Client().ConfigGet(t.Context(), "dir").Val()["dir"]
		_, _ = os.Stdout.WriteString("holds " + own.Addr() + " " + strings.TrimPrefix(dynamodb, "http://") + " " + dir + "\n")
		time.Sleep(time.Minute)
		os.Exit(1)
	}
	holder := again(t, t.Name(), "LAUREL_TEST_HOLD=1")
	output := harness.Must(holder.StdoutPipe())(t)
	harness.OK(t, holder.Start())
	var held []string
	for lines := bufio.NewScanner(output); lines.Scan(); {
		if held = strings.Fields(lines.Text()); len(held) == 4 && held[0] == "holds" {
			break
		}
	}
	if len(held) != 4 || !listens(held[1]) || !listens(held[2]) || gone(held[3]) {
		t.Fatalf("the servers are not there: %q", held)
	}
	harness.OK(t, holder.Process.Kill())
	_ = holder.Wait()
	for end := time.Now().Add(10 * time.Second); listens(held[1]) || listens(held[2]) || !gone(held[3]); {
		if time.Sleep(5 * time.Millisecond); time.Now().After(end) {
			t.Fatal("the servers do not end")
		}
	}
}

// Every test that needs a server fails without one; the binary says so once.
func TestWithoutServersOneLineNamesSetup(t *testing.T) {
	cmd := again(t, "TestEveryTestHasAnEmptyKeyspace", "LAUREL_TEST_SERVER=", "PATH=/nonexistent")
	cmd.Args[1] = "-test.v=false"
	cmd.Dir = t.TempDir()
	output, err := cmd.CombinedOutput()
	const says = "testserver: no redis-server or valkey-server on PATH or in .tools/bin: run make setup\n"
	if err == nil || string(output) != says {
		t.Errorf("%v\n%s", err, output)
	}
}
