//go:build sam

package e2e_test

import (
	"crypto/rand"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
)

// TestStackImageOfServe runs the image for a server of one's own by the commands of the docs. Its program was built
// outside, as no image can be pulled here: scripts/release makes the image so.
func TestStackImageOfServe(t *testing.T) {
	t.Parallel()
	image := "laurel-serve-test-" + strings.ToLower(rand.Text()[:8])
	dir := t.TempDir()
	harness.OK(t, os.Mkdir(filepath.Join(dir, "data"), 0o750))
	harness.OK(t, os.CopyFS(filepath.Join(dir, "rules"), os.DirFS(filepath.Join(root, "rules"))))
	harness.OK(t, exec.CommandContext(t.Context(), "make", "-C", root, "dist/Dockerfile", "DIST="+dir).Run())
	harness.OK(t, os.Rename(harness.Build(t), filepath.Join(dir, "laurel")))
	t.Cleanup(func() { _ = exec.Command("docker", "rmi", image).Run() })
	docker(t, "build", "-t", image, dir)
	t.Run("with its volume", func(t *testing.T) {
		t.Parallel()
		volumeOutlivesKills(t, dir, image)
	})
	t.Run("two on one table", func(t *testing.T) {
		t.Parallel()
		twoAreKilledInTurn(t, image)
	})
}

// docker runs a command of the container engine, and returns its output.
func docker(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "docker", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("docker %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// started runs the commands of a page that start a container, with a name and a port of the test's. The container is
// removed with the test.
func started(t *testing.T, g *harness.Guide, page, heading, image, name, port string) {
	t.Helper()
	t.Cleanup(func() {
		if t.Failed() {
			said, _ := exec.Command("docker", "logs", name).CombinedOutput()
			t.Logf("%s said:\n%s", name, said)
		}
		_ = exec.Command("docker", "rm", "-f", "-v", name).Run()
		_ = exec.Command("docker", "volume", "rm", "-f", name).Run()
	})
	g.Places = []string{
		"-t laurel .", "-t " + image + " .", "--name laurel ", "--name " + name + " ", "-v laurel:", "-v " + name + ":",
		"-p 127.0.0.1:8080:", "-p " + port + ":", "-p 8080:", "-p " + port + ":", "=ZONE", "=Europe/Berlin",
		" laurel\n", " " + image + "\n",
	}
	g.Commands(page, heading)
}

// volumeOutlivesKills checks that the image runs as nobody, and has its answered reports in its volume after kill -9.
func volumeOutlivesKills(t *testing.T, dir, image string) {
	t.Helper()
	name := image + "-volume"
	g := harness.NewGuide(t, filepath.Join(root, "docs"), dir)
	const page, heading = "serve.md", "### With Docker"
	started(t, g, page, heading, image, name, "127.0.0.1:")
	pair := regexp.MustCompile("`docker exec laurel ([^`]+)`").FindStringSubmatch(g.Section(page, heading))
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
		if start > 0 {
			docker(t, "start", name)
		}
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
		code := docker(t, append([]string{"exec", name}, strings.Fields(pair[1])...)...)
		if !strings.Contains(code, "Pairing code: ") {
			t.Errorf("start %d: %s", start, code)
		}
		const report = `{"activities":[{"action":"publish","user":"ann","target":"a"}]}`
		receipt := ask(http.MethodPost, "/v1/activities", report).Body
		if !strings.Contains(receipt, want) {
			t.Errorf("start %d: %s", start, receipt)
		}
		if day := ask(http.MethodGet, "/v1/boards/activity/day", "").Body; !strings.Contains(day, `"Europe/Berlin"`) {
			t.Errorf("start %d: %s", start, day)
		}
		docker(t, "kill", name)
	}
	if user := docker(t, "inspect", "-f", "{{.Config.User}}", name); user != "65532:65532" {
		t.Errorf("it runs as %q", user)
	}
}
