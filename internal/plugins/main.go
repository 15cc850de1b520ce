// Command plugins packs the plugins for forums as each forum's own directory takes them:
//
//	go run ./internal/plugins [DIR]
//
// It runs at the root of the repository and writes into dist/plugins. The version is the newest in CHANGELOG.md, from
// which the plugins' changes are taken, too. The same sources give the same bytes. An archive that its directory would
// refuse is not written: the rules are those that can be read off the files (check.go).
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

func main() {
	dir := filepath.Join("dist", "plugins")
	if len(os.Args) > 1 {
		dir = os.Args[1]
	}
	if err := run(os.DirFS("."), dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run packs and checks all plugins, and writes those that are well.
func run(root rootFS, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // it is for everybody
		return fmt.Errorf("plugins: %w", err)
	}
	var all []error
	for _, p := range plugins() {
		a, err := pack(root, p)
		if err == nil {
			err = errors.Join(check(p, a)...)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, a.name), a.bytes, 0o644) //nolint:gosec // it is for everybody
		}
		if err != nil {
			all = append(all, fmt.Errorf("plugins: %s: %w", p.forum, err))
			continue
		}
		fmt.Printf("%8d  %s\n", len(a.bytes), filepath.Join(dir, a.name))
	}
	return errors.Join(errors.Join(all...), show(root, filepath.Join(dir, "wordpress-assets")))
}

// show writes the pictures of WordPress's directory, which are beside the plugin and not in it.
func show(root rootFS, dir string) error {
	pictures := map[string]string{"icon.svg": "web/embed/page/icon.svg", "screenshot-1.png": "docs/wordpress.png"}
	for as, from := range pictures {
		text, err := fs.ReadFile(root, from)
		if err == nil {
			err = os.MkdirAll(dir, 0o755) //nolint:gosec // it is for everybody
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, as), text, 0o644) //nolint:gosec // it is for everybody
		}
		if err != nil {
			return fmt.Errorf("plugins: %w", err)
		}
	}
	return nil
}
