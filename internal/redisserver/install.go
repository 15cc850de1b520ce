package redisserver

import (
	"context"

	"laurel/internal/machine"
)

// redisManagers are the systems' package managers, and how each is asked for a
// Redis.
var redisManagers = []machine.Manager{
	{Name: "apt-get", AsRoot: true, Commands: [][]string{{"apt-get", "update", "-qq"}, machine.AptInstall("redis-server")}},
	{Name: "dnf", AsRoot: true, Commands: [][]string{{"dnf", "install", "-y", "-q", "/usr/bin/redis-server"}}},
	{Name: "apk", AsRoot: true, Commands: [][]string{{"apk", "add", "--quiet", "redis"}}},
	{Name: "brew", AsRoot: false, Commands: [][]string{{"brew", "install", "--quiet", "redis"}}},
}

// valkeyManagers are the same for a Valkey, which Debian 12 has among its backports
// only.
var valkeyManagers = []machine.Manager{
	{Name: "apt-get", AsRoot: true, Commands: [][]string{{"apt-get", "update", "-qq"}, machine.AptInstall("valkey-server")}},
	{Name: "apt-get", AsRoot: true, Commands: [][]string{machine.AptBackport("valkey-server")}},
	{Name: "dnf", AsRoot: true, Commands: [][]string{{"dnf", "install", "-y", "-q", "valkey"}}},
	{Name: "apk", AsRoot: true, Commands: [][]string{{"apk", "add", "--quiet", "valkey"}}},
	{Name: "brew", AsRoot: false, Commands: [][]string{{"brew", "install", "--quiet", "valkey"}}},
}

func fromPackage(ctx context.Context, sys system, k kind) (source *Source, err error) {
	err = machine.Install(ctx, sys, k.managers, func(manager string) bool {
		source = onPath(ctx, sys, k, "the system's package ("+manager+")")
		return source != nil
	})
	return source, err
}
