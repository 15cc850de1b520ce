package testserver_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/internal/testserver"
)

// nowhere makes the environment one of a machine without servers, in a repository
// that has only the go.mod that marks it, and returns the directories of .tools/bin
// and of PATH.
func nowhere(t *testing.T) (tools, path string) {
	t.Helper()
	repository := t.TempDir()
	tools, path = filepath.Join(repository, ".tools", "bin"), filepath.Join(repository, "bin")
	for _, dir := range []string{tools, path, filepath.Join(repository, "shared", "live")} {
		harness.OK(t, os.MkdirAll(dir, 0o750))
	}
	harness.OK(t, os.WriteFile(filepath.Join(repository, "go.mod"), nil, 0o600))
	sh := harness.Must(exec.LookPath("sh"))(t)
	link(t, sh, path, "sh")
	t.Chdir(filepath.Join(repository, "shared", "live"))
	t.Setenv("PATH", path)
	t.Setenv("LAUREL_TEST_SERVER", "")
	return tools, path
}

func link(t *testing.T, program, dir, name string) {
	t.Helper()
	harness.OK(t, os.Symlink(program, filepath.Join(dir, name)))
}

// installed returns a server's program on this machine.
func installed(t *testing.T, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Fatalf("%v: run make setup", err)
	}
	return path
}

const missing = "no redis-server or valkey-server on PATH or in .tools/bin: run make setup"

func TestProgramIsTakenFromToolsAndFromPath(t *testing.T) {
	redis, valkey := installed(t, "redis-server"), installed(t, "valkey-server")
	tools, path := nowhere(t)
	start := func(want string) {
		t.Helper()
		server, err := testserver.StartRedis(t.Context())
		if err != nil {
			if want == "" || !strings.Contains(err.Error(), want) {
				t.Fatal(err)
			}
			return
		}
		defer server.Stop()
		if server.Product() != want {
			t.Errorf("it is %s, want %s", server.Product(), want)
		}
	}
	start(missing)
	link(t, valkey, path, "valkey-server")
	start("Valkey")
	t.Setenv("LAUREL_TEST_SERVER", "redis")
	start("no redis-server on PATH")
	link(t, valkey, path, "redis-server") // some systems have one by the other's name
	start("not Redis")
	link(t, redis, tools, "redis-server")
	start("Redis")
	t.Setenv("LAUREL_TEST_SERVER", "valkey")
	start("Valkey")
	t.Setenv("LAUREL_TEST_SERVER", "memcached")
	start(`"memcached" is neither redis nor valkey`)
	if _, err := testserver.StartDynamoDB(t.Context()); err == nil || !strings.HasSuffix(err.Error(), "run make setup") {
		t.Errorf("DynamoDB Local: %v", err)
	}
}

// Every test that needs a server fails without one; the binary says so once.
func TestWithoutServersOneLineNamesSetup(t *testing.T) {
	cmd := again(t, "TestEveryTestHasAnEmptyKeyspace", "LAUREL_TEST_SERVER=", "PATH=/nonexistent")
	cmd.Args[1] = "-test.v=false"
	cmd.Dir = t.TempDir()
	output, err := cmd.CombinedOutput()
	if err == nil || string(output) != "testserver: "+missing+"\n" {
		t.Errorf("%v\n%s", err, output)
	}
}
