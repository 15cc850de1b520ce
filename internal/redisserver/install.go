package redisserver

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// managers are the systems' package managers, and how each is asked for a server.
// A package's own service may start; nothing here uses it.
var managers = []struct {
	name     string
	asRoot   bool
	commands [][]string // run in turn, all of them must work
}{
	{"apt-get", true, [][]string{
		{"apt-get", "update", "-qq"},
		{"apt-get", "install", "-y", "-qq", "--no-install-recommends", "redis-server"},
	}},
	{"dnf", true, [][]string{{"dnf", "install", "-y", "-q", "/usr/bin/redis-server"}}},
	{"apk", true, [][]string{{"apk", "add", "--quiet", "redis"}}},
	{"brew", false, [][]string{{"brew", "install", "--quiet", "redis"}}},
}

func fromPackage(ctx context.Context, sys system) (*Source, error) {
	err := errors.New("no package manager")
	for _, manager := range managers {
		if _, missing := sys.Look(manager.name); missing != nil {
			continue
		}
		var source *Source
		if source, err = install(ctx, sys, manager.name, manager.asRoot, manager.commands); err == nil {
			return source, nil
		}
	}
	return nil, err
}

func install(ctx context.Context, sys system, name string, asRoot bool, commands [][]string) (*Source, error) {
	var prefix []string
	if asRoot && !sys.Root() {
		prefix = []string{"sudo", "-n"}
		if _, err := sys.Run(ctx, "sudo", "-n", "true"); err != nil {
			return nil, fmt.Errorf("%s needs root: %w", name, err)
		}
	}
	// Test binaries run side by side: one installs, the others wait and find it.
	unlock, err := sys.Lock(ctx, "install")
	if err != nil {
		return nil, err
	}
	defer unlock()
	origin := "the system's package (" + name + ")"
	if source := onPath(ctx, sys, origin); source != nil {
		return source, nil
	}
	for _, command := range commands {
		if _, err := sys.Run(ctx, slices.Concat(prefix, command)...); err != nil {
			return nil, err
		}
	}
	if source := onPath(ctx, sys, origin); source != nil {
		return source, nil
	}
	return nil, fmt.Errorf("%s installed no server on PATH", name)
}

func (machine) Lock(ctx context.Context, name string) (func(), error) { return Lock(ctx, name) }
