// Package web has the files that browsers load: the module with Laurel's elements, and the
// demo page of the development server. They are HTML, CSS and JavaScript without a library
// and load nothing from other hosts. The module is bundled by go generate, and committed.
package web

//go:generate go test ../internal/bundle -run Committed -update

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"html"
	"io/fs"
	"net/url"
)

var (
	//go:embed demo
	demo embed.FS
	//go:embed embed/dist/*.js embed/dist/*.br embed/page embed/*.json embed/laurel.d.ts embed/room.css
	embedded embed.FS
	//go:embed embed/dist/board.css
	style []byte
)

// read returns a file that is in the program.
func read(files embed.FS, name string) []byte {
	content, err := files.ReadFile(name)
	if err != nil {
		panic("web: " + err.Error())
	}
	return content
}

// A Script is a part of the module with the elements, and its name without an ending.
type Script struct {
	Name            string
	Content, Brotli []byte
}

// Scripts returns the module: laurel, and the parts that it loads as NAME.HASH.js when an element needs it: more, extra
// and the words of other languages than English.
func Scripts() (all []Script) {
	for _, name := range []string{"laurel", "more", "extra", "vi", "zh"} {
		path := "embed/dist/" + name + ".js"
		all = append(all, Script{name, read(embedded, path), read(embedded, path+".br")})
	}
	return all
}

// HashOf returns the part of a name that a file has by its contents.
func HashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:3])
}

// Style returns the style of a board without a script, minified.
func Style() []byte { return style }

// Words returns the words of boards by language, in JSON: of each part of the module.
func Words() (all [][]byte) {
	for _, name := range []string{"words", "more", "extra"} {
		all = append(all, read(embedded, "embed/"+name+".json"))
	}
	return all
}

// Demo returns the demo page: index.html and the files that it loads.
func Demo() fs.FS {
	files, err := fs.Sub(demo, "demo")
	if err != nil {
		panic("web: the demo page is not embedded: " + err.Error())
	}
	return files
}

// Home returns the demo page, which shows a board without a script, too.
func Home(board, window string) []byte {
	address := url.PathEscape(board) + "/" + window
	return bytes.ReplaceAll(read(demo, "demo/index.html"), []byte("{{board}}"), []byte(html.EscapeString(address)))
}

// Embed returns a file that is served beside the module, and its media type: "" is the page on
// which a forum's owner makes snippets.
func Embed(name string) (content []byte, contentType string, ok bool) {
	file, ok := map[string][2]string{
		"":                     {"page/index.html", "text/html; charset=utf-8"},
		"frame.js":             {"page/frame.js", "text/javascript; charset=utf-8"},
		"page.js":              {"page/page.js", "text/javascript; charset=utf-8"},
		"sha256.js":            {"page/sha256.js", "text/javascript; charset=utf-8"},
		"snippets.js":          {"page/snippets.js", "text/javascript; charset=utf-8"},
		"words.js":             {"page/words.js", "text/javascript; charset=utf-8"},
		"room.css":             {"room.css", "text/css; charset=utf-8"},
		"icon.svg":             {"page/icon.svg", "image/svg+xml"},
		"page.css":             {"page/page.css", "text/css; charset=utf-8"},
		"laurel.d.ts":          {"laurel.d.ts", "text/plain; charset=utf-8"},
		"custom-elements.json": {"custom-elements.json", "application/json"},
	}[name]
	if !ok {
		return nil, "", false
	}
	return read(embedded, "embed/"+file[0]), file[1], true
}
