package docker

import (
	"context"

	"laurel/internal/machine"
)

// Directory is the one of an engine that was started here, and Name what its bridge
// and its control groups are called.
func (e *Engine) Directory() string { return e.own.dir }

func (e *Engine) Name() string { return e.own.name }

// Start starts an engine whether or not one is running.
var Start = start

// StaticShell looks for a shell on another machine.
func StaticShell(ctx context.Context, sys machine.System, static func(path string) bool) (string, error) {
	return staticShell(ctx, sys, static)
}
