//go:build sam

package e2e_test

import (
	"crypto/rand"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
)

// TestStackImageOfServe runs the image for a server of one's own. Its program was built outside, as no image can be
// pulled here.
func TestStackImageOfServe(t *testing.T) {
	t.Parallel()
	image := "laurel-serve-test-" + strings.ToLower(rand.Text()[:8])
	dir := t.TempDir()
	harness.OK(t, os.MkdirAll(filepath.Join(dir, "bin", "data"), 0o750))
	replace(t, "../../Dockerfile", filepath.Join(dir, "Dockerfile"), "", "")
	harness.OK(t, os.Rename(harness.Build(t), filepath.Join(dir, "bin", "laurel")))
	t.Cleanup(func() { _ = exec.Command("docker", "rmi", image).Run() })
	docker(t, "build", "--target", "binary", "-t", image, dir)
	t.Run("with its volume", func(t *testing.T) {
		t.Parallel()
		volumeOutlivesKills(t, image)
	})
	t.Run("two on one table", func(t *testing.T) {
		t.Parallel()
		twoAreKilledInTurn(t, image)
	})
}

// docker runs a command of the container engine, and returns what it prints.
func docker(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "docker", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("docker %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// created makes a container, which is removed with the test.
func created(t *testing.T, name string, args ...string) {
	t.Helper()
	docker(t, append([]string{"create", "--name", name}, args...)...)
	t.Cleanup(func() {
		if t.Failed() {
			said, _ := exec.Command("docker", "logs", name).CombinedOutput()
			t.Logf("%s said:\n%s", name, said)
		}
		_ = exec.Command("docker", "rm", "-f", "-v", name).Run()
	})
}

// volumeOutlivesKills checks that the image runs as nobody, and has its answered reports in its volume after kill -9.
func volumeOutlivesKills(t *testing.T, image string) {
	t.Helper()
	name := image + "-volume"
	created(t, name, "-p", "127.0.0.1::8080", image)
	service := "" // a token of the secrets that the first start has made
	ask := func(method, path, body string) harness.Answer {
		address := "http://" + docker(t, "port", name, "8080/tcp") + path
		a, err := harness.Send(t.Context(), method, address, body, "Authorization", "Bearer "+service)
		if err != nil {
			a.Body = err.Error()
		}
		return a
	}
	for start, want := range []string{`"status":"counted"`, `"status":"duplicate"`} {
		docker(t, "start", name)
		for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
			if ask(http.MethodGet, "/readyz", "").Status == http.StatusOK {
				break
			}
			if time.Now().After(end) {
				t.Fatalf("start %d: not ready", start)
			}
		}
		if service == "" {
			service = docker(t, "exec", name, "/laurel", "token", "--service", "--secret-file", "/data/secrets")
		}
		if code := docker(t, "exec", name, "/laurel", "pair"); !strings.Contains(code, "Pairing code: ") {
			t.Errorf("start %d: %s", start, code)
		}
		const report = `{"activities":[{"action":"publish","user":"ann","target":"a"}]}`
		receipt := ask(http.MethodPost, "/v1/activities", report).Body
		if !strings.Contains(receipt, want) {
			t.Errorf("start %d: %s", start, receipt)
		}
		docker(t, "kill", name)
	}
	if user := docker(t, "inspect", "-f", "{{.Config.User}}", name); user != "65532:65532" {
		t.Errorf("it runs as %q", user)
	}
}
