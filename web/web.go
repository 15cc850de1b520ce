// Package web has the files that browsers load: the module with Laurel's elements, and the
// demo page of the development server. They are HTML, CSS and JavaScript without a library
// and load nothing from other hosts. The module is bundled by go generate, and committed.
package web

//go:generate go test ../internal/bundle -run Committed -update

import (
	"embed"
	"io/fs"
)

var (
	//go:embed demo
	files embed.FS
	//go:embed embed/dist/laurel.js
	module []byte
	//go:embed embed/dist/board.css
	style []byte
	//go:embed embed/words.json
	words []byte
	//go:embed embed/page embed/laurel.d.ts embed/custom-elements.json
	embedded embed.FS
)

// Module returns the module with the elements.
func Module() []byte { return module }

// Style returns the style of a board without a script, minified.
func Style() []byte { return style }

// Words returns the words of boards by language, in JSON.
func Words() []byte { return words }

// Demo returns the demo page: index.html and the files that it loads.
func Demo() fs.FS {
	demo, err := fs.Sub(files, "demo")
	if err != nil {
		panic("web: the demo page is not embedded: " + err.Error())
	}
	return demo
}

// Embed returns a file that is served beside the module, and its media type: "" is the page on
// which a forum's owner makes snippets.
func Embed(name string) (content []byte, contentType string, ok bool) {
	file, ok := map[string][2]string{
		"":                     {"page/index.html", "text/html; charset=utf-8"},
		"page.js":              {"page/page.js", "text/javascript; charset=utf-8"},
		"page.css":             {"page/page.css", "text/css; charset=utf-8"},
		"laurel.d.ts":          {"laurel.d.ts", "text/plain; charset=utf-8"},
		"custom-elements.json": {"custom-elements.json", "application/json"},
	}[name]
	if !ok {
		return nil, "", false
	}
	content, err := embedded.ReadFile("embed/" + file[0])
	if err != nil {
		panic("web: " + err.Error()) // it is in the program
	}
	return content, file[1], true
}
