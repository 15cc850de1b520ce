package redisserver_test

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/redisserver"
)

// holdVariable makes this test binary a process that starts a server and holds it
// until it is killed.
const holdVariable = "LAUREL_TEST_HOLD"

func TestServerEndsWithItsProcess(t *testing.T) {
	t.Parallel()
	if os.Getenv(holdVariable) != "" {
		server := start(t)
		dir, err := client(t, server).ConfigGet(t.Context(), "dir").Result()
		fmt.Println(server.Addr(), dir["dir"], err)
		time.Sleep(time.Minute)
		return
	}
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	holder := exec.CommandContext(t.Context(), binary, "-test.run=^TestServerEndsWithItsProcess$")
	holder.Env = append(os.Environ(), holdVariable+"=1")
	output, err := holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	var addr, dir, fault string
	if _, err := fmt.Fscanln(bufio.NewReader(output), &addr, &dir, &fault); err != nil || fault != "<nil>" {
		t.Fatal(addr, dir, fault, err)
	}
	if !listens(addr) {
		t.Fatalf("%s does not listen", addr)
	}
	if err := holder.Process.Kill(); err != nil { // as the system would: nothing is cleaned up
		t.Fatal(err)
	}
	_ = holder.Wait()
	eventually(t, "the server to end", func() bool { return !listens(addr) })
	eventually(t, "its directory to go", func() bool { _, err := os.Stat(dir); return os.IsNotExist(err) })
}

func TestStopEndsTheServer(t *testing.T) {
	t.Parallel()
	server := start(t)
	dir := client(t, server).ConfigGet(t.Context(), "dir").Val()["dir"]
	if filepath.Dir(dir) != filepath.Clean(os.TempDir()) {
		t.Errorf("it works in %s", dir)
	}
	server.Stop()
	if listens(server.Addr()) {
		t.Error("it listens still")
	}
	eventually(t, "its directory to go", func() bool { _, err := os.Stat(dir); return os.IsNotExist(err) })
}

func TestServerThatEndsByItselfIsNoticed(t *testing.T) {
	t.Parallel()
	server := start(t)
	_ = client(t, server).ShutdownNoSave(t.Context()) // the connection breaks
	select {
	case <-server.Done():
	case <-time.After(10 * time.Second):
		t.Fatal("it has ended, and Done is open")
	}
	server.Stop()
}

func TestABadArgumentIsTold(t *testing.T) {
	t.Parallel()
	_, err := find(t).Start(t.Context(), "--maxmemory-policy", "nonsense")
	if err == nil || !strings.Contains(err.Error(), "ended at once") {
		t.Errorf("got %v", err)
	}
}

func find(t *testing.T) *redisserver.Source {
	t.Helper()
	source, err := redisserver.Find(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return source
}

func start(t *testing.T) *redisserver.Server {
	t.Helper()
	server, err := find(t).Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	return server
}

func client(t *testing.T, server *redisserver.Server) *redis.Client {
	t.Helper()
	client := redis.NewClient(redisserver.Options(server.Addr()))
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func listens(addr string) bool {
	conn, err := net.Dial("tcp", addr)
	if err == nil {
		_ = conn.Close()
	}
	return err == nil
}

func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}
