// Package web has the files that browsers load: the demo page of the development
// server. It is plain HTML, CSS and JavaScript, loads nothing from other hosts and
// needs no build.
package web

import (
	"embed"
	"io/fs"
)

//go:embed demo
var files embed.FS

// Demo returns the demo page: index.html and the files that it loads.
func Demo() fs.FS {
	demo, err := fs.Sub(files, "demo")
	if err != nil {
		panic("web: the demo page is not embedded: " + err.Error())
	}
	return demo
}
