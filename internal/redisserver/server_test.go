package redisserver_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/machine/machinetest"
	"laurel/internal/redisserver"
)

func TestServerEndsWithItsProcess(t *testing.T) {
	t.Parallel()
	words := machinetest.Hold(t, func() []string {
		server := start(t)
		return []string{server.Addr(), client(t, server).ConfigGet(t.Context(), "dir").Val()["dir"]}
	}, func(words []string) {
		if !machinetest.Listens(words[0]) || machinetest.Gone(words[1]) {
			t.Fatalf("it does not listen at %s or work in %s", words[0], words[1])
		}
	})
	machinetest.Eventually(t, "the server to end", func() bool { return !machinetest.Listens(words[0]) })
	machinetest.Eventually(t, "its directory to go", func() bool { return machinetest.Gone(words[1]) })
}

func TestStopEndsTheServer(t *testing.T) {
	t.Parallel()
	server := start(t)
	dir := client(t, server).ConfigGet(t.Context(), "dir").Val()["dir"]
	if filepath.Dir(dir) != filepath.Clean(os.TempDir()) {
		t.Errorf("it works in %s", dir)
	}
	server.Stop()
	if machinetest.Listens(server.Addr()) {
		t.Error("it listens still")
	}
	machinetest.Eventually(t, "its directory to go", func() bool { return machinetest.Gone(dir) })
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
