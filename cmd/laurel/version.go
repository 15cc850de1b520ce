package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run(std streams) error {
	return std.show(thisVersion())
}

// version is which Laurel this is, as far as the build knows it.
type version struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func (v version) write(out io.Writer) error {
	_, err := fmt.Fprintln(out, v)
	return err
}

func (v version) String() string {
	return strings.Join(slices.DeleteFunc([]string{"laurel", v.Version, v.Commit, v.Go, v.Platform},
		func(part string) bool { return part == "" }), " ")
}

func thisVersion() version {
	v := version{Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" {
			v.Version = info.Main.Version
		}
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				v.Commit = s.Value[:12]
			}
		}
	}
	return v
}
