// Command write makes the files of web/embed/dist afresh; go generate ./web runs it.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"laurel/internal/bundle"
)

func main() {
	if err := run("embed"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(folder string) error {
	files, err := bundle.Files(folder)
	if err != nil {
		return err
	}
	for name, content := range files {
		name = filepath.Join(folder, "dist", name)
		if err := os.WriteFile(name, content, 0o644); err != nil { //nolint:gosec // read by all
			return err
		}
	}
	return nil
}
