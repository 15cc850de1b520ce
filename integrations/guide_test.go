//go:build forums

package integrations_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/api/httpapi"
)

// openGuide unpacks a release with a program, for an owner whose database of WordPress has a socket.
func openGuide(t *testing.T, program, database string) *harness.Guide {
	t.Helper()
	g := harness.NewGuide(t, "../docs", t.TempDir())
	here := harness.Must(filepath.Abs(".."))(t)
	for name, start := range map[string]string{
		"laurel": program, "rules": here + "/rules", "integrations": here + "/integrations",
	} {
		harness.OK(t, os.Symlink(start, filepath.Join(g.Folder, name)))
	}
	text := "#!/bin/sh\nexec /usr/bin/mariadb --socket=" + database + " --user=root \"$@\"\n" // as root on its own machine
	harness.OK(t, os.WriteFile(g.Root+"/usr/bin/mariadb", []byte(text), 0o755))
	g.Places = []string{"@localhost/wordpress", "@localhost/wordpress?socket=" + database}
	return g
}

// droppedNothing fails if a report was refused, or something in one ignored or too late.
func (p *plugin) droppedNothing(program, secrets string) {
	p.Helper()
	token := strings.TrimSpace(run(p.T, nil, program, "token", "--service", "--secret-file", secrets))
	var status httpapi.Status
	answer := harness.NewClient(p, p.url).Get("/v1/status", token)
	if err := json.Unmarshal([]byte(answer.Body), &status); err != nil || len(status.Hooks) < 10 {
		p.Fatalf("%d %s", answer.Status, answer.Body)
	}
	for _, h := range status.Hooks {
		dropped := h.Status != http.StatusOK || len(h.Ignored) > 0
		for _, why := range []string{"too_late", "too_early", "unavailable", "excluded", "erased"} {
			dropped = dropped || h.Receipts[why] > 0
		}
		if dropped {
			p.Errorf("a report was answered by %+v", h)
		}
	}
	if !status.HistoryIn {
		p.Error("history is not said to be in")
	}
}
