package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// probe is the source of what a measured program reports of itself.
//
//go:embed probe.txt
var probe []byte

// programs are what is built of a version, with the flags of the Makefile.
var programs = map[string][]string{
	"cmd/laurel":       nil,
	"functions/record": {"-tags", "lambda.norpc,nethttpomithttp2", "-ldflags", "-s -w"},
	"functions/query":  {"-tags", "lambda.norpc,nethttpomithttp2", "-ldflags", "-s -w"},
}

// build builds the programs of the old commit into dir/old and those of the working
// tree into dir/new, by the last part of their names.
func build(ctx context.Context, base, dir string) error {
	sources, err := os.Getwd()
	if err != nil {
		return err
	}
	old := filepath.Join(dir, "source")
	unpack := []string{"-o", "pipefail", "-c", `git archive "$0" | tar -x -C "$1"`, base, old}
	if err := errors.Join(os.Mkdir(old, 0o750), command(ctx, "", "bash", unpack...)); err != nil {
		return err
	}
	return errors.Join(
		buildFrom(ctx, old, filepath.Join(dir, "old")),
		buildFrom(ctx, sources, filepath.Join(dir, "new")))
}

// buildFrom builds the programs with the probe, which is added to the build alone.
func buildFrom(ctx context.Context, source, dir string) error {
	if err := os.Mkdir(dir, 0o750); err != nil {
		return err
	}
	added := map[string]string{}
	for program := range programs {
		added[filepath.Join(source, program, "benchprobe.go")] = filepath.Join(dir, "probe.go")
	}
	overlay, err := json.Marshal(map[string]any{"Replace": added})
	if err != nil {
		return err
	}
	for name, text := range map[string][]byte{"probe.go": probe, "overlay.json": overlay} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return err
		}
	}
	for program, flags := range programs {
		args := []string{"build", "-trimpath", "-buildvcs=false", "-overlay", filepath.Join(dir, "overlay.json")}
		args = append(args, flags...)
		args = append(args, "-o", filepath.Join(dir, filepath.Base(program)), "./"+program)
		if err := command(ctx, source, "go", args...); err != nil {
			return err
		}
	}
	return nil
}

// command runs a program in a directory and returns what it printed as an error when
// it fails.
func command(ctx context.Context, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd, err, output)
	}
	return nil
}
