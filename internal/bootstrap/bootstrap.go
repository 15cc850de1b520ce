// Package bootstrap builds the functions as they are deployed, with the Makefile's
// own flags, for tests and measurements of the binaries themselves.
//
// It promises the binary that the sources give now: Go's build cache decides what
// is built again, and the go command is told which files a test's result hangs on,
// though the test imports none of them.
package bootstrap

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Build makes the functions of these names for an architecture as Go calls it, in
// dir/name/bootstrap. Root is the repository.
func Build(ctx context.Context, root, dir, arch string, names ...string) error {
	if err := visit(root); err != nil {
		return fmt.Errorf("bootstrap: %w", err)
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("bootstrap: %w", err)
	}
	args := []string{"-C", root, "DIST=" + dir, "LAMBDA_ARCH=" + arch}
	for _, name := range names {
		args = append(args, "dist/"+name)
	}
	cmd := exec.CommandContext(ctx, "make", args...)
	cmd.Env = outer()
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("bootstrap: make %s: %w\n%s", strings.Join(args, " "), err, output)
	}
	return nil
}

// Binary is where Build has put a function.
func Binary(dir, name string) string { return filepath.Join(dir, name, "bootstrap") }

// outer is the environment without what a make around this process has left in it:
// its settings would go before those that are given here. What goes wrong is told in
// English.
func outer() []string {
	var kept []string
	for _, variable := range os.Environ() {
		switch name, _, _ := strings.Cut(variable, "="); name {
		case "MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "DIST", "LAMBDA_ARCH":
		default:
			kept = append(kept, variable)
		}
	}
	return append(kept, "LC_ALL=C")
}

// visit looks at every file that the functions are built from. The go command notes
// what a test has looked at, and runs it again when one of these has changed.
func visit(root string) error {
	for _, name := range []string{"Makefile", "go.mod", "go.sum", "functions", "shared"} {
		err := filepath.WalkDir(filepath.Join(root, name), func(path string, _ fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			_, err = os.Stat(path)
			if errors.Is(err, fs.ErrNotExist) { // an editor's file that has gone meanwhile
				return nil
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
