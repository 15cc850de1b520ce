//go:build !lean

package main

import "laurel/shared/run/app"

// furtherCommands are the commands that need clients of databases, of AWS or of Prometheus, by name.
func furtherCommands() map[string]any {
	return map[string]any{
		"serve":   &serveCommand{settingFlags: flagsOf(app.ServeGroups()...)},
		"pull":    &pullCommand{},
		"compare": &compareCommand{},
	}
}
