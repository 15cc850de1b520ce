package main

import (
	"cmp"
	"runtime"
	"runtime/debug"
	"strings"
)

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run(std streams) error {
	v := thisVersion()
	return std.show(v, v.String()+"\n")
}

// version is which Laurel this is, as far as the build knows it.
type version struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func (v version) String() string {
	return strings.Join(strings.Fields("laurel "+v.Version+" "+v.Commit+" "+v.Go+" "+v.Platform), " ")
}

func thisVersion() version {
	v := version{Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	v.Version = cmp.Or(info.Main.Version, v.Version)
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			v.Commit = s.Value[:12]
		}
	}
	return v
}
