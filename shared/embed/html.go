package embed

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strings"
	"sync"

	"laurel/web"
)

//go:embed templates
var sources embed.FS

// templates are parsed when the first board is rendered: other requests do not wait for it.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.ParseFS(sources, "templates/*"))
})

// styled is a view with its style.
type styled struct {
	view
	Style, Colors template.CSS
	Parts         bool // for the style of a page around
}

// properties are those that a page may set on an element, with what holds when it does not.
var properties = regexp.MustCompile(`var\(--laurel-\w+, ?((?:[^()]|\([^()]*(?:\([^()]*\))?[^()]*\))*)\)`)

// reset is what keeps a board from the style of the page around it.
const reset = "all:initial;display:block;visibility:inherit;font:inherit;color:inherit"

// pageStyle is the style where there is no page around.
var pageStyle = sync.OnceValue(func() template.CSS {
	style := string(properties.ReplaceAll(web.Style(), []byte("$1")))
	for _, needless := range []string{":host{display:block}", reset, "font-variant-numeric:tabular-nums;"} {
		style = strings.Replace(style, needless, "", 1)
	}
	return template.CSS(style) //nolint:gosec // the repository's own
})

// colors are those of a page by its theme.
func colors(theme string) template.CSS {
	const page, dark = "body{margin:0 4px;font:15px system-ui}", "light dark"
	switch theme {
	case "light", "dark":
		return template.CSS(":root{color-scheme:" + theme + "}" + page) //nolint:gosec // one of two words
	default:
		return ":root{color-scheme:" + dark + "}" + page
	}
}

// Page writes a whole page for an iframe.
func Page(w io.Writer, b Board, o Options) error {
	return execute(w, "page", styled{view: o.view(b), Style: pageStyle(), Colors: colors(o.Theme)})
}

// Fragment writes the element with what it shows, for a page that is put together on a server.
func Fragment(w io.Writer, b Board, o Options) error {
	style := template.CSS(web.Style()) //nolint:gosec // the repository's own
	return execute(w, "fragment", styled{view: o.view(b), Style: style, Parts: true})
}

func execute(w io.Writer, name string, data any) error {
	if err := templates().ExecuteTemplate(w, name, data); err != nil {
		return fmt.Errorf("embed: %s: %w", name, err)
	}
	return nil
}
