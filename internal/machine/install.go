package machine

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// A Manager is a package manager of a system, and how it is asked for what is
// wanted.
type Manager struct {
	Name     string
	AsRoot   bool
	Commands [][]string // run in turn, all of them must work
}

// Install asks the package managers that are here, in turn, until found says that
// what is wanted is there.
func Install(ctx context.Context, sys System, managers []Manager, found func(manager string) bool) error {
	err := errors.New("no package manager")
	for _, manager := range managers {
		if _, missing := sys.Look(manager.Name); missing != nil {
			continue
		}
		if err = install(ctx, sys, manager, found); err == nil {
			return nil
		}
	}
	return err
}

func install(ctx context.Context, sys System, manager Manager, found func(string) bool) error {
	var prefix []string
	if manager.AsRoot && !sys.Root() {
		prefix = []string{"sudo", "-n"}
		if _, err := sys.Run(ctx, "sudo", "-n", "true"); err != nil {
			return fmt.Errorf("%s needs root: %w", manager.Name, err)
		}
	}
	// Test binaries run side by side: one installs, the others wait and find it.
	unlock, err := sys.Lock(ctx, "install")
	if err != nil {
		return err
	}
	defer unlock()
	if found(manager.Name) {
		return nil
	}
	for _, command := range manager.Commands {
		if _, err := sys.Run(ctx, slices.Concat(prefix, command)...); err != nil {
			return err
		}
	}
	if !found(manager.Name) {
		return fmt.Errorf("%s did not install it", manager.Name)
	}
	return nil
}
