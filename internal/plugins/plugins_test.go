package main

import (
	"bytes"
	"errors"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"laurel/internal/harness"
)

// packed returns a plugin's archive of the repository.
func packed(t *testing.T, p plugin) archive {
	t.Helper()
	return harness.Must(pack(os.DirFS("../.."), p))(t)
}

func TestEachPluginIsAsItsDirectoryTakesIt(t *testing.T) {
	t.Parallel()
	for _, p := range plugins() {
		a, again := packed(t, p), packed(t, p)
		if err := errors.Join(check(p, a)...); err != nil {
			t.Errorf("%s: %v", p.forum, err)
		}
		if !bytes.Equal(a.bytes, again.bytes) {
			t.Errorf("%s: two archives of the same sources differ", p.forum)
		}
		if len(rulesOf(p.forum)) < 5 || strings.Contains(a.files[path.Join(p.into, "README.md")], "](../") {
			t.Errorf("%s: no rules, or links that lead nowhere", p.forum)
		}
	}
}

// Each rule is broken once: its text is taken out, or its file.
func TestEachRuleFindsItsViolation(t *testing.T) {
	t.Parallel()
	for _, p := range plugins() {
		for _, r := range rulesOf(p.forum) {
			a := packed(t, p)
			name := path.Join(p.into, r.file)
			a.files[name] = strings.Repeat(" ", len(a.files[name]))
			if len(check(p, a)) == 0 {
				t.Errorf("%s: %s without %s is taken", p.forum, r.file, r.pattern)
			}
			delete(a.files, name)
			if len(check(p, a)) == 0 {
				t.Errorf("%s: without %s it is taken", p.forum, r.file)
			}
		}
	}
}

func TestFilesThatHaveNoPlaceAreFound(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"run.sh": "#!/bin/sh", ".git/config": "", "more.php": "<?php echo 1;", "ends.php": "<?php\nnamespace x; ?>",
		"windows.txt": "a\r\nb", "bom.txt": "\ufefftext", "none.json": "{", ".hidden.txt": "", "a b.txt": "",
		"eval.php": "<?php\nnamespace x; eval( 1 );", "local.php": "<?php\nnamespace x; // http://localhost/",
	} {
		for _, p := range plugins() {
			a := packed(t, p)
			a.files[path.Join(p.into, name)] = text
			if len(check(p, a)) == 0 && (p.forum != "Flarum" || name != "more.php") {
				t.Errorf("%s: %s is taken", p.forum, name)
			}
		}
	}
	for forum, text := range map[string]string{
		"WordPress": "__( 'lost', 'laurel' )", "NodeBB": "[[laurel:lost]]",
		"phpBB": "{{ lang('LAUREL_LOST') }}", "Flarum": "trans('laurel-leaderboards.lost')", "Discourse": "settings.lost",
	} {
		for _, p := range plugins() {
			if a := packed(t, p); p.forum == forum {
				a.files[path.Join(p.into, "x.html")] = text
				harness.OK(t, a.translate())
				if err := errors.Join(check(p, a)...); err == nil || !strings.Contains(strings.ToLower(err.Error()), "lost") {
					t.Errorf("%s: a text that no language file has: %v", forum, err)
				}
			}
		}
	}
	a := packed(t, plugins()[3])
	a.files["laurel/leaderboards/x.php"] = "<?php\nnamespace x; htmlspecialchars(1);"
	if len(check(plugins()[3], a)) == 0 {
		t.Error("a file that EPV refuses is taken")
	}
	p := plugins()[1]
	a = packed(t, p)
	a.files["package/package.json"] = strings.Replace(a.files["package/package.json"], "{", `{"private": true,`, 1)
	if len(check(p, a)) == 0 {
		t.Error("a private package is taken")
	}
}

// The version and its changes are those of CHANGELOG.md.
func TestVersionAndChangesAreTheChangelogs(t *testing.T) {
	t.Parallel()
	const log = "# Changes\n\n## [Unreleased]\n\n- NodeBB: later.\n"
	const release = "\n## [1.2.3] - 2026-12-01\n\n- A plugin for NodeBB ([docs](docs/nodebb.md)).\n- For Flarum.\n" +
		"\n## [1.2.2] - 2026-11-30\n\n- NodeBB: before.\n"
	for given, want := range map[string]string{
		log:           "# Changes\n\n## 0.0.0\n\n* NodeBB: later.\n",
		log + release: "# Changes\n\n## 1.2.3\n\n* A plugin for NodeBB (docs).\n",
	} {
		root := fstest.MapFS{
			"CHANGELOG.md": {Data: []byte(given)}, "LICENSE": {}, "integrations/nodebb/README.md": {},
			"integrations/nodebb/laurel/package.json": {Data: []byte(`{"version": "0.0.0"}`)},
		}
		a, err := pack(root, plugins()[1])
		version := strings.Fields(want)[3]
		if err != nil || a.files["package/CHANGELOG.md"] != want ||
			a.files["package/package.json"] != `{"version": "`+version+`"}` || !strings.Contains(a.name, version) {
			t.Errorf("%v %s %q", err, a.name, a.files)
		}
	}
}

func TestAPluginThatIsNotWellIsNotWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	harness.OK(t, run(os.DirFS("../.."), dir))
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != len(plugins())+1 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	if icon, err := os.ReadFile(dir + "/wordpress-assets/icon.svg"); err != nil || !bytes.HasPrefix(icon, []byte("<svg")) {
		t.Errorf("%v, %.20s", err, icon)
	}
	empty := t.TempDir()
	if err := run(fstest.MapFS{}, empty); err == nil {
		t.Error("nothing is packed, and there is no error")
	}
	if files, err := os.ReadDir(empty); err != nil || len(files) != 0 {
		t.Errorf("%d files, %v", len(files), err)
	}
}
