package main

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"laurel/internal/harness"
)

// clone copies the files of the repository that git has into a folder.
func clone(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	list := harness.Must(exec.CommandContext(t.Context(), "git", "-C", "../..", "ls-files", "-z").Output())(t)
	for name := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		from, to := "../../"+name, filepath.Join(folder, name)
		about, err := os.Stat(from)
		if err != nil {
			continue // deleted, and not committed
		}
		harness.OK(t, os.MkdirAll(filepath.Dir(to), 0o755))
		harness.OK(t, os.WriteFile(to, harness.Must(os.ReadFile(from))(t), about.Mode()))
	}
	return folder
}

// Owners of a forum build the program and the plugins in a clone, run Laurel on a server, see the board, and make a
// backup, by the commands of the pages alone, with one question for them: the forum's time zone.
func TestDoorOfForumsOwners(t *testing.T) {
	t.Parallel()
	folder := clone(t)
	g := harness.NewGuide(t, "../../docs", folder)
	g.Commands("README.md", "## I run a forum")
	plugins := harness.Must(filepath.Glob(folder + "/dist/plugins/*"))(t)
	for _, name := range []string{"wordpress", "flarum", "phpbb", "nodebb", "discourse"} {
		if !slices.ContainsFunc(plugins, func(file string) bool { return strings.Contains(file, name) }) {
			t.Errorf("no plugin for %s in %v", name, plugins)
		}
	}
	installs(t, g)
	g.Commands("serve.md", "## Install it")
	if said := g.Server.Out.String() + g.Server.Err.String(); !strings.Contains(said, "Pairing code: ") ||
		!strings.Contains(said, `"zone":"Europe/Berlin"`) {
		t.Errorf("the first start says %s", said)
	}
	g.Commands("serve.md", "## See the board")
	showsAda(t, g.Server.URL)
	g.Commands("serve.md", "## Backup and restore")
	showsAda(t, g.Server.URL)
	if kept := harness.Must(filepath.Glob(g.Root + "/backup/laurel-*.db"))(t); len(kept) != 1 {
		t.Errorf("backups: %v", kept)
	}
}

// installs follows the guides of plugins up to the forum's own commands, which stand-ins take: the files are where the
// forum looks for them.
func installs(t *testing.T, g *harness.Guide) {
	t.Helper()
	g.Places = []string{"VERSION", "0.0.0"}
	for _, c := range []struct{ page, heading, forum, command, file, name string }{
		{
			"phpbb.md", "## 2. The extension", "/var/www/phpbb", "php", "ext/laurel/leaderboards/composer.json",
			"laurel/leaderboards",
		},
		{"flarum.md", "## 2. The extension", "/srv/flarum", "composer", "laurel/composer.json", "laurel/flarum-leaderboards"},
		{
			"nodebb.md", "## 2. The plugin", "/srv/nodebb", "nodebb", "node_modules/nodebb-plugin-laurel/package.json",
			"nodebb-plugin-laurel",
		},
	} {
		g.Places = append(g.Places, c.forum, g.Root+c.forum)
		harness.OK(t, os.MkdirAll(g.Root+c.forum+"/node_modules", 0o755))
		for _, program := range []string{"/usr/bin/" + c.command, c.forum + "/" + c.command} {
			harness.OK(t, os.WriteFile(g.Root+program, []byte("#!/bin/sh\n"), 0o755))
		}
		g.Commands(c.page, c.heading)
		text := harness.Must(os.ReadFile(g.Root + c.forum + "/" + c.file))(t)
		if !strings.Contains(string(text), `"name": "`+c.name+`"`) {
			t.Errorf("%s: %s is not that of %s: %s", c.page, c.file, c.name, text)
		}
	}
}

// showsAda waits for the page of the board, on which ada has 2 points.
func showsAda(t *testing.T, address string) {
	t.Helper()
	shown := regexp.MustCompile(`\bada\b[\s\S]*\b2\b`)
	for range 200 {
		page := harness.NewClient(t, address).Get("/embed/activity/day.html", "")
		if page.Status == http.StatusOK && shown.MatchString(page.Body) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Error("the page of the board does not show ada with 2 points")
}

// The first command of the README shows a forum with a board; Ctrl-C ends it without an error.
func TestDoorOfEverybody(t *testing.T) {
	t.Parallel()
	readme := string(harness.Must(os.ReadFile("../../README.md"))(t))
	_, rest, _ := strings.Cut(readme, "\n## Try it\n")
	_, rest, _ = strings.Cut(rest, "```sh\n")
	command, _, _ := strings.Cut(rest, "\n```")
	c := exec.CommandContext(t.Context(), "sh", "-c", "exec "+command)
	c.Dir, c.Env = clone(t), append(os.Environ(), "ARGS=--addr 127.0.0.1:0")
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // as a shell has them, which Ctrl-C ends together
	var said harness.Log
	c.Stdout, c.Stderr = &said, &said
	harness.OK(t, c.Start())
	t.Cleanup(func() { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) })
	address := ""
	for end := time.Now().Add(5 * time.Minute); address == ""; time.Sleep(20 * time.Millisecond) {
		address = regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(said.String())
		if time.Now().After(end) {
			t.Fatalf("%s: %s", command, said.String())
		}
	}
	for path, want := range map[string]string{"/": "demo/demo.js", "/v1/boards/activity/month": `"rank":10,`} {
		if answer := harness.NewClient(t, address).Get(path, ""); !strings.Contains(answer.Body, want) {
			t.Errorf("%s has no %s: %s", path, want, answer.Body)
		}
	}
	harness.OK(t, syscall.Kill(-c.Process.Pid, syscall.SIGINT))
	if _ = c.Wait(); strings.Contains(said.String(), "***") || !strings.HasSuffix(said.String(), "\nstopped\n") {
		t.Errorf("after Ctrl-C: %s", said.String()) // make itself ends by the signal
	}
}
