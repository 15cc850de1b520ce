package docker

import (
	"archive/tar"
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"laurel/internal/machine"
)

// shells are the programs that can be the one program of an image.
var shells = []string{"busybox.static", "busybox"}

// shellManagers are the systems' package managers, and how each is asked for a
// static busybox.
var shellManagers = []machine.Manager{
	{Name: "apt-get", AsRoot: true, Commands: [][]string{machine.AptInstall("busybox-static")}},
	{Name: "apt-get", AsRoot: true, Commands: [][]string{{"apt-get", "update", "-qq"}, machine.AptInstall("busybox-static")}},
	{Name: "dnf", AsRoot: true, Commands: [][]string{{"dnf", "install", "-y", "-q", "busybox"}}},
	{Name: "apk", AsRoot: true, Commands: [][]string{{"apk", "add", "--quiet", "busybox-static"}}},
}

// ImportShell makes an image of this machine's platform that has the directories,
// and in /bin a static shell under each of the names of its commands. It is made of
// this system's busybox, which it installs if need be, and asks no registry.
func (e *Engine) ImportShell(ctx context.Context, image string, commands, directories []string) error {
	shell, err := staticShell(ctx, machine.Here{}, isStatic)
	if err != nil {
		return fmt.Errorf("image %s: %w", image, err)
	}
	program, err := os.ReadFile(shell)
	if err != nil {
		return fmt.Errorf("image %s: %w", image, err)
	}
	var archive bytes.Buffer
	if err := pack(tar.NewWriter(&archive), program, commands, directories); err != nil {
		return fmt.Errorf("image %s: %w", image, err)
	}
	cmd := e.Command(ctx, "import", "-", image)
	cmd.Stdin = &archive
	_, err = run(cmd)
	return err
}

func pack(archive *tar.Writer, program []byte, commands, directories []string) error {
	for _, directory := range directories {
		if err := archive.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: directory + "/", Mode: 0o1777}); err != nil {
			return err
		}
	}
	if err := archive.WriteHeader(&tar.Header{Name: "bin/busybox", Mode: 0o755, Size: int64(len(program))}); err != nil {
		return err
	}
	if _, err := archive.Write(program); err != nil {
		return err
	}
	for _, command := range commands {
		link := &tar.Header{Typeflag: tar.TypeSymlink, Name: "bin/" + command, Linkname: "busybox", Mode: 0o777}
		if err := archive.WriteHeader(link); err != nil {
			return err
		}
	}
	return archive.Close()
}

func staticShell(ctx context.Context, sys machine.System, static func(path string) bool) (path string, err error) {
	found := func(string) bool {
		for _, shell := range shells {
			if path, err = sys.Look(shell); err == nil && static(path) {
				return true
			}
		}
		return false
	}
	if found("") {
		return path, nil
	}
	if err := machine.Install(ctx, sys, shellManagers, found); err != nil {
		return "", fmt.Errorf("install a static busybox: %w", err)
	}
	return path, nil
}

// isStatic says whether a program needs nothing but the system's kernel.
func isStatic(path string) bool {
	program, err := elf.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = program.Close() }()
	for _, segment := range program.Progs {
		if segment.Type == elf.PT_INTERP {
			return false
		}
	}
	return true
}

// Has says whether the image is here, or can be had.
func (e *Engine) Has(ctx context.Context, image string) bool {
	if _, err := e.Run(ctx, "image", "inspect", image); err == nil {
		return true
	}
	_, err := e.Run(ctx, "pull", "--quiet", image)
	return err == nil
}

// Remove removes images, and is content when they are not there.
func (e *Engine) Remove(ctx context.Context, images ...string) error {
	var faults []error
	for _, image := range images {
		if _, err := e.Run(ctx, "image", "inspect", image); err != nil {
			if _, exited := errors.AsType[*exec.ExitError](err); exited {
				continue
			}
		}
		_, err := e.Run(ctx, "image", "rm", "--force", image)
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}
