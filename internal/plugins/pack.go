package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A plugin is one for a forum: the folder of its files, and their names in an archive.
type plugin struct {
	forum   string
	folder  string // the folder with its files
	into    string // the folder that they have in the archive
	name    string // the archive's, with %s for the version
	license string // a file, and its name in the archive
	as      string
}

func plugins() []plugin {
	const gpl, apache = "integrations/licenses/GPL-2.0.txt", "LICENSE"
	return []plugin{
		{"WordPress", "integrations/wordpress/laurel", "laurel", "laurel-wordpress-%s.zip", gpl, "license.txt"},
		{"NodeBB", "integrations/nodebb/laurel", "package", "nodebb-plugin-laurel-%s.tgz", apache, "LICENSE"},
		{"Flarum", "integrations/flarum/laurel", "", "laurel-flarum-leaderboards-%s.zip", apache, "LICENSE"},
		{"phpBB", "integrations/phpbb/laurel", "laurel/leaderboards", "laurel-phpbb-%s.zip", gpl, "license.txt"},
		{"Discourse", "integrations/discourse/theme", "", "laurel-discourse-theme-%s.zip", apache, "LICENSE"},
	}
}

// An archive is a packed plugin: its files by their names in it.
type archive struct {
	name, version string
	files         map[string]string
	bytes         []byte
}

// unversioned is the version in the sources.
const unversioned = "0.0.0"

// The moment of all files: npm's, as archives of zip begin in 1980.
var moment = time.Date(1985, 10, 26, 8, 15, 0, 0, time.UTC)

// Headings of CHANGELOG.md, and links of a page to others of the repository.
var (
	released = regexp.MustCompile(`(?m)^## \[(\d+\.\d+\.\d+[^\]]*)\].*$`)
	link     = regexp.MustCompile(`!?\[([^\]]*)\]\((\.\.?/[^)]*|[a-z/]+(\.md)?(#[^)]*)?)\)`)
)

// changes returns the newest version in CHANGELOG.md and the lines about a forum under it; before the first release,
// those of the next one.
func changes(log, forum string) (version string, lines []string) {
	version = unversioned
	if _, text, found := strings.Cut(log, "## [Unreleased]"); found {
		log = text
	}
	if place := released.FindStringSubmatchIndex(log); place != nil {
		version, log = log[place[2]:place[3]], log[place[1]:]
		if next := released.FindStringIndex(log); next != nil {
			log = log[:next[0]]
		}
	}
	for line := range strings.Lines(log) {
		if strings.HasPrefix(line, "- ") && strings.Contains(line, forum) {
			lines = append(lines, link.ReplaceAllString(strings.TrimSpace(line[2:]), "$1"))
		}
	}
	return version, lines
}

// pack returns a plugin's archive.
func pack(root fs.FS, p plugin) (archive, error) {
	log, err := fs.ReadFile(root, "CHANGELOG.md")
	if err != nil {
		return archive{}, err
	}
	version, lines := changes(string(log), p.forum)
	a := archive{name: fmt.Sprintf(p.name, version), version: version, files: map[string]string{}}
	list := ""
	if len(lines) > 0 {
		list = "* " + strings.Join(lines, "\n* ") + "\n"
	}
	add := func(source, as string) error {
		text, err := fs.ReadFile(root, source)
		a.files[path.Join(p.into, as)] = strings.ReplaceAll(strings.ReplaceAll(string(text), unversioned, version),
			"= Changes =\n", "= "+version+" =\n"+list)
		return err
	}
	err = fs.WalkDir(root, p.folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return add(name, strings.TrimPrefix(name, p.folder+"/"))
	})
	if err != nil {
		return a, err
	}
	if err := add(p.license, p.as); err != nil {
		return a, err
	}
	if err := add(path.Join(path.Dir(p.folder), "README.md"), "README.md"); err != nil {
		return a, err
	}
	if err := a.translate(); err != nil {
		return a, err
	}
	readme := path.Join(p.into, "README.md")
	a.files[readme] = link.ReplaceAllString(a.files[readme], "$1")
	a.files[path.Join(p.into, "CHANGELOG.md")] = "# Changes\n\n## " + version + "\n\n" + list
	err = a.write()
	return a, err
}

// names returns the names of the files, in order.
func (a *archive) names() []string {
	return slices.Sorted(maps.Keys(a.files))
}

// write writes the archive's bytes, which depend on neither the machine nor the time.
func (a *archive) write() error {
	var out bytes.Buffer
	if strings.HasSuffix(a.name, ".zip") {
		z := zip.NewWriter(&out)
		for _, name := range a.names() {
			h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: moment}
			h.SetMode(0o644)
			w, err := z.CreateHeader(h)
			if err != nil {
				return err
			}
			if _, err := w.Write([]byte(a.files[name])); err != nil {
				return err
			}
		}
		err := z.Close()
		a.bytes = out.Bytes()
		return err
	}
	g := gzip.NewWriter(&out)
	t := tar.NewWriter(g)
	for _, name := range a.names() {
		h := &tar.Header{Name: name, Mode: 0o644, Size: int64(len(a.files[name])), ModTime: moment}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		if _, err := t.Write([]byte(a.files[name])); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	err := g.Close()
	a.bytes = out.Bytes()
	return err
}
