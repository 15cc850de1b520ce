// Command plugins packs the plugins for forums as each forum's own directory takes them:
//
//	go run ./internal/plugins [DIR]
//
// It runs at the root of the repository and writes into dist/plugins. The version is the newest in CHANGELOG.md, from
// which the plugins' changes are taken, too. The same sources give the same bytes. An archive that its directory would
// refuse is not written: the rules are those that can be read off the files (rules.txt, check.go).
package main

import (
	"bytes"
	"errors"
	"fmt"
	"image/png"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
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

// run packs and checks all plugins, and writes those without a fault.
func run(root fs.FS, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // it is for everybody
		return fmt.Errorf("plugins: %w", err)
	}
	var all []error
	packed := map[string]archive{}
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
		packed[p.forum] = a
		fmt.Printf("%8d  %s\n", len(a.bytes), filepath.Join(dir, a.name))
	}
	for _, found := range disagreements(packed) {
		all = append(all, fmt.Errorf("plugins: %s", found))
	}
	return errors.Join(errors.Join(all...), show(root, filepath.Join(dir, "wordpress-assets")))
}

// pictures are those of WordPress's directory, which are beside the plugin and not in it.
var pictures = map[string]string{
	"icon.svg":            "web/embed/page/icon.svg",
	"icon-128x128.png":    "integrations/wordpress/assets/icon-128x128.png",
	"icon-256x256.png":    "integrations/wordpress/assets/icon-256x256.png",
	"banner-772x250.png":  "integrations/wordpress/assets/banner-772x250.png",
	"banner-1544x500.png": "integrations/wordpress/assets/banner-1544x500.png",
	"screenshot-1.png":    "docs/wordpress.png",
}

// show checks the pictures, and writes them.
func show(root fs.FS, dir string) error {
	for as, source := range pictures {
		data, err := fs.ReadFile(root, source)
		if err == nil {
			err = drawn(as, data)
		}
		if err == nil {
			err = os.MkdirAll(dir, 0o755) //nolint:gosec // it is for everybody
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, as), data, 0o644) //nolint:gosec // it is for everybody
		}
		if err != nil {
			return fmt.Errorf("plugins: %s: %w", source, err)
		}
	}
	return nil
}

// drawn returns the reason why a file is no picture, or does not have the size in its name.
func drawn(name string, data []byte) error {
	if path.Ext(name) != ".png" {
		return nil
	}
	picture, err := png.DecodeConfig(bytes.NewReader(data))
	size := fmt.Sprintf("-%dx%d.", picture.Width, picture.Height)
	if err == nil && strings.Contains(name, "x") && !strings.Contains(name, size) {
		err = fmt.Errorf("its size is %dx%d", picture.Width, picture.Height)
	}
	return err
}
