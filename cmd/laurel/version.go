package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

type versionCommand struct{}

// Run prints the version, as far as the build knows it.
func (versionCommand) Run(std streams) error {
	version, commit := "(devel)", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" {
			version = info.Main.Version
		}
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				commit = " " + s.Value[:12]
			}
		}
	}
	_, err := fmt.Fprintf(std.out, "laurel %s%s %s %s/%s\n", version, commit, runtime.Version(), runtime.GOOS,
		runtime.GOARCH)
	return err
}
