//go:build sam

package e2e_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
)

// The image for a server of one's own, of a program that was built outside, as no image can be pulled here: it runs
// as nobody, and its answered reports are in its volume after kill -9.
func TestStackImageOfServe(t *testing.T) {
	t.Parallel()
	const image = "laurel-serve-test"
	dir := t.TempDir()
	docker := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("docker", args...).CombinedOutput()
		if err != nil {
			t.Fatalf("docker %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return strings.TrimSpace(string(out))
	}
	harness.OK(t, os.MkdirAll(filepath.Join(dir, "bin", "data"), 0o750))
	replace(t, "../../Dockerfile", filepath.Join(dir, "Dockerfile"), "", "")
	harness.OK(t, os.Rename(harness.Build(t), filepath.Join(dir, "bin", "laurel")))
	docker("build", "--target", "binary", "-t", image, dir)
	docker("create", "--name", image, "-p", "127.0.0.1::8080", image)
	t.Cleanup(func() { _ = exec.Command("docker", "rm", "-f", "-v", image).Run() })
	service := "" // a token of the secrets that the first start has made
	ask := func(method, path, body string) harness.Answer {
		address := "http://" + docker("port", image, "8080/tcp") + path
		a, err := harness.Send(t.Context(), method, address, body, "Authorization", "Bearer "+service)
		if err != nil {
			a.Body = err.Error()
		}
		return a
	}
	for start, want := range []string{`"status":"counted"`, `"status":"duplicate"`} {
		docker("start", image)
		for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
			if ask(http.MethodGet, "/readyz", "").Status == http.StatusOK {
				break
			}
			if time.Now().After(end) {
				t.Fatalf("start %d: not ready\n%s", start, docker("logs", image))
			}
		}
		if service == "" {
			service = docker("exec", image, "/laurel", "token", "--service", "--secret-file", "/data/secrets")
		}
		if code := docker("exec", image, "/laurel", "pair"); !strings.Contains(code, "Pairing code: ") {
			t.Errorf("start %d: %s", start, code)
		}
		const report = `{"activities":[{"action":"publish","user":"ann","target":"a"}]}`
		receipt := ask(http.MethodPost, "/v1/activities", report).Body
		if !strings.Contains(receipt, want) {
			t.Errorf("start %d: %s", start, receipt)
		}
		docker("kill", image)
	}
	if user := docker("inspect", "-f", "{{.Config.User}}", image); user != "65532:65532" {
		t.Errorf("it runs as %q", user)
	}
}
