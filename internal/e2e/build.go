package e2e

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Build builds the functions of these names with the Makefile, for an architecture
// by Go's name, where Binary finds them. Root is the repository.
func Build(ctx context.Context, root, dir, arch string, names ...string) error {
	if err := visit(root); err != nil {
		return fmt.Errorf("e2e: %w", err)
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("e2e: %w", err)
	}
	args := []string{"-C", root, "DIST=" + dir, "LAMBDA_ARCH=" + arch}
	for _, name := range names {
		args = append(args, "dist/"+name)
	}
	cmd := exec.CommandContext(ctx, "make", args...)
	cmd.Env = slices.DeleteFunc(os.Environ(), ofMake)
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("e2e: make %s: %w\n%s", strings.Join(args, " "), err, output)
	}
	return nil
}

// Binary is the path of a function that Build has built.
func Binary(dir, name string) string { return filepath.Join(dir, name, "bootstrap") }

// ofMake reports whether a variable is from a make around this process: its
// settings would override the arguments.
func ofMake(variable string) bool {
	name, _, _ := strings.Cut(variable, "=")
	return slices.Contains([]string{"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "DIST", "LAMBDA_ARCH"}, name)
}

// visit stats every file that the functions are built from, so that the go command does not take a test's result from
// its cache when one of them has changed.
func visit(root string) error {
	for _, name := range []string{"Makefile", "go.mod", "go.sum", "functions", "shared", "web"} {
		err := filepath.WalkDir(filepath.Join(root, name), func(path string, _ fs.DirEntry, err error) error {
			if err == nil {
				_, err = os.Stat(path)
			}
			if errors.Is(err, fs.ErrNotExist) { // an editor's temporary file
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
