package redisserver

import (
	"context"

	"laurel/internal/machine"
)

// managers are the systems' package managers, and how each is asked for a server.
// A package's own service may start; nothing here uses it.
var managers = []machine.Manager{
	{Name: "apt-get", AsRoot: true, Commands: [][]string{
		{"apt-get", "update", "-qq"},
		{"apt-get", "install", "-y", "-qq", "--no-install-recommends", "redis-server"},
	}},
	{Name: "dnf", AsRoot: true, Commands: [][]string{{"dnf", "install", "-y", "-q", "/usr/bin/redis-server"}}},
	{Name: "apk", AsRoot: true, Commands: [][]string{{"apk", "add", "--quiet", "redis"}}},
	{Name: "brew", AsRoot: false, Commands: [][]string{{"brew", "install", "--quiet", "redis"}}},
}

func fromPackage(ctx context.Context, sys system) (source *Source, err error) {
	err = machine.Install(ctx, sys, managers, func(manager string) bool {
		source = onPath(ctx, sys, "the system's package ("+manager+")")
		return source != nil
	})
	return source, err
}
