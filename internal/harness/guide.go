package harness

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// A Guide runs the commands of a page as they stand: below a folder instead of the machine's root, and with a process
// instead of systemd's.
type Guide struct {
	testing.TB

	Pages  string   // the folder of the pages
	Folder string   // where the commands run: a clone, or a release's archive
	Root   string   // /etc, /usr, /var and /backup are below it
	Places []string // texts of pages, each before that of the test
	Server *Laurel

	log strings.Builder // the output of its commands
}

// NewGuide returns a guide with an empty root.
func NewGuide(tb testing.TB, pages, folder string) *Guide {
	tb.Helper()
	root := Must(os.MkdirTemp("", "guide"))(tb) //nolint:usetesting // short: it has a socket
	tb.Cleanup(func() { _ = os.RemoveAll(root) })
	for _, dir := range []string{"/usr/local/bin", "/etc/systemd/system", "/var/lib", "/usr/bin", "/backup"} {
		OK(tb, os.MkdirAll(root+dir, 0o755))
	}
	return &Guide{TB: tb, Pages: pages, Folder: folder, Root: root}
}

// here returns a text of a page with the test's places in it.
func (g *Guide) here(text string) string {
	text = strings.ReplaceAll(text, "/var/lib/private/", "/var/lib/") // systemd's place of a user who is made up
	for _, dir := range []string{"/usr/local/bin", "/etc/laurel", "/etc/systemd", "/var/lib/laurel", "/backup"} {
		text = strings.ReplaceAll(text, dir, g.Root+dir)
	}
	places := g.Places
	if g.Server != nil {
		places = append(places, "http://localhost:8080", g.Server.URL, "https://laurel.example", g.Server.URL)
	}
	return strings.NewReplacer(places...).Replace(text)
}

// Section returns the text of a page under a heading, up to the next one.
func (g *Guide) Section(page, heading string) string {
	g.Helper()
	text := "\n" + string(Must(os.ReadFile(filepath.Join(g.Pages, page)))(g))
	_, rest, found := strings.Cut(text, "\n"+heading+"\n")
	if !found {
		g.Fatalf("%s has no %q", page, heading)
	}
	if i := nextHeading.FindStringIndex(rest); i != nil {
		rest = rest[:i[0]]
	}
	return rest
}

var (
	nextHeading = regexp.MustCompile(`\n##+ `)
	shellBlock  = regexp.MustCompile("(?s)```sh\n(.*?)```")
)

// Commands runs a section's commands, as a shell with -e reads them, and returns their output.
func (g *Guide) Commands(page, heading string) string {
	g.Helper()
	start := g.log.Len()
	blocks := shellBlock.FindAllStringSubmatch(g.Section(page, heading), -1)
	if len(blocks) == 0 {
		g.Fatalf("%s has no commands under %q", page, heading)
	}
	for _, block := range blocks {
		text := ""
		for line := range strings.Lines(block[1]) {
			if !strings.HasPrefix(line, "systemctl ") {
				text += line
				continue
			}
			g.shell(page, text)
			g.systemd(strings.TrimSpace(line))
			text = ""
		}
		g.shell(page, text)
	}
	said := g.log.String()[start:]
	g.Logf("%s, %s:\n%s", page, heading, said)
	return said
}

// shell runs commands of a page, and answers the question for the zone.
func (g *Guide) shell(page, text string) {
	g.Helper()
	c := exec.CommandContext(g.Context(), "sh", "-exc", g.here(text))
	c.Dir, c.Stdin = g.Folder, strings.NewReader("Europe/Berlin\n")
	c.Env = append(os.Environ(), "PATH="+g.Root+"/usr/local/bin:"+g.Root+"/usr/bin:"+os.Getenv("PATH"))
	out, err := c.CombinedOutput()
	if err != nil {
		g.Fatalf("%s: %v\n%s", page, err, out)
	}
	g.log.Write(out)
}

// systemd starts the unit's command, with its variables, or stops it.
func (g *Guide) systemd(line string) {
	g.Helper()
	switch {
	case line == "systemctl stop laurel" && g.Server != nil:
		if code := g.Server.Stop(syscall.SIGTERM); code != 0 {
			g.Fatalf("%s: exit status %d: %s", line, code, g.Server.Err.String())
		}
		return
	case line == "systemctl enable --now laurel" && g.Server == nil:
		OK(g, os.Mkdir(g.Root+"/var/lib/laurel", 0o700)) // StateDirectory
	case line == "systemctl start laurel" && g.Server != nil && g.Server.exited():
	default:
		g.Fatalf("the guide says %s", line)
	}
	unit := Must(os.ReadFile(g.Root + "/etc/systemd/system/laurel.service"))(g)
	_, command, _ := strings.Cut(string(unit), "\nExecStart=")
	command, _, _ = strings.Cut(command, "\n")
	words := strings.Fields(g.here(strings.ReplaceAll(command, "${STATE_DIRECTORY}", "/var/lib/laurel")))
	settings := Must(os.ReadFile(g.Root + "/etc/laurel/laurel.env"))(g)
	env := append(os.Environ(), strings.Fields(string(settings))...)
	g.Server = StartLaurel(g, words[:1], "/", env, words[1:]...)
}
