//go:build forums

package integrations_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/api/httpapi"
)

// A guide is a page of docs whose commands an owner runs as they stand: in a folder in place of the machine's root,
// with a program in place of systemd's and the database of the test's forum.
type guide struct {
	*testing.T
	root     string // /etc, /usr and /var are below it
	release  string // the folder with the release's archive
	database string // its socket
	server   *harness.Laurel
	log      strings.Builder // the output of its commands
}

// openGuide unpacks a release with a program.
func openGuide(t *testing.T, program, database string) *guide {
	t.Helper()
	root := harness.Must(os.MkdirTemp("", "guide"))(t) //nolint:usetesting // short: it has a socket
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	g := &guide{T: t, root: root, release: t.TempDir(), database: database}
	for _, dir := range []string{"/usr/local/bin", "/etc/systemd/system", "/var/lib", "/usr/bin"} {
		harness.OK(t, os.MkdirAll(g.root+dir, 0o755))
	}
	here := harness.Must(filepath.Abs(".."))(t)
	for name, start := range map[string]string{
		"laurel": program, "rules": here + "/rules", "integrations": here + "/integrations",
	} {
		harness.OK(t, os.Symlink(start, filepath.Join(g.release, name)))
	}
	text := "#!/bin/sh\nexec /usr/bin/mariadb --socket=" + database + " --user=root \"$@\"\n" // as root on its own machine
	harness.OK(t, os.WriteFile(g.root+"/usr/bin/mariadb", []byte(text), 0o755))
	return g
}

// here returns a text of a page with the test's places in it.
func (g *guide) here(text string) string {
	for _, dir := range []string{"/usr/local/bin", "/etc/laurel", "/etc/systemd", "/var/lib/laurel"} {
		text = strings.ReplaceAll(text, dir, g.root+dir)
	}
	if g.server != nil {
		url := g.server.URL
		text = strings.NewReplacer("http://localhost:8080", url, "https://laurel.example", url).Replace(text)
	}
	return strings.ReplaceAll(text, "@localhost/wordpress", "@localhost/wordpress?socket="+g.database)
}

// section returns the text of a page under a heading, up to the next one.
func (g *guide) section(page, heading string) string {
	g.Helper()
	text := "\n" + string(harness.Must(os.ReadFile("../docs/"+page))(g))
	_, rest, found := strings.Cut(text, "\n"+heading+"\n")
	if !found {
		g.Fatalf("docs/%s has no %q", page, heading)
	}
	rest, _, _ = strings.Cut(rest, "\n## ")
	return rest
}

var shellBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")

// commands runs a section's commands, line by line, and returns their output.
func (g *guide) commands(page, heading string) string {
	g.Helper()
	start := g.log.Len()
	blocks := shellBlock.FindAllStringSubmatch(g.section(page, heading), -1)
	if len(blocks) == 0 {
		g.Fatalf("docs/%s has no commands under %q", page, heading)
	}
	for _, block := range blocks {
		for line := range strings.Lines(strings.ReplaceAll(block[1], "\\\n", "")) {
			if line = strings.TrimSpace(line); strings.HasPrefix(line, "systemctl ") {
				g.systemd(line)
				continue
			}
			c := exec.CommandContext(g.Context(), "sh", "-c", g.here(line))
			c.Dir, c.Stdin = g.release, strings.NewReader("Europe/Berlin\n") // the answer to the question for the zone
			c.Env = append(os.Environ(), "PATH="+g.root+"/usr/local/bin:"+g.root+"/usr/bin:"+os.Getenv("PATH"))
			out, err := c.CombinedOutput()
			if err != nil {
				g.Fatalf("docs/%s: %s: %v\n%s", page, line, err, out)
			}
			g.log.Write(out)
		}
	}
	said := g.log.String()[start:]
	g.Logf("docs/%s, %s:\n%s", page, heading, said)
	return said
}

// systemd starts the unit's command, with its variables.
func (g *guide) systemd(line string) {
	g.Helper()
	if line != "systemctl enable --now laurel" || g.server != nil {
		g.Fatalf("the guide says %s", line)
	}
	harness.OK(g, os.Mkdir(g.root+"/var/lib/laurel", 0o700)) // StateDirectory
	unit := harness.Must(os.ReadFile(g.root + "/etc/systemd/system/laurel.service"))(g)
	_, command, _ := strings.Cut(string(unit), "\nExecStart=")
	command, _, _ = strings.Cut(command, "\n")
	words := strings.Fields(g.here(strings.ReplaceAll(command, "${STATE_DIRECTORY}", "/var/lib/laurel")))
	env := os.Environ()
	file := harness.Must(os.Open(g.root + "/etc/laurel/laurel.env"))(g)
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		env = append(env, lines.Text())
	}
	g.server = harness.StartLaurel(g, words[:1], "/", env, words[1:]...)
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
