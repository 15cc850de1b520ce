package httpapi

import (
	"fmt"
	"html"
	"strings"
)

// index is the name of the page of all problems.
const index = "index"

// problemPage returns the page of the problem whose type ends in a name, in HTML; that of index
// lists all problems and violations. ok is false for a name that no problem has.
func problemPage(name string) (text string, ok bool) {
	var b strings.Builder
	title, what := "Problems of Laurel", ViolationCodes()
	for _, p := range Kinds() {
		if name != index && p.Type() != problemPath+name {
			continue
		}
		ok = true
		if name != index {
			title = p.Title
			if p.Code != CodeInvalid && p.Code != CodeForbidden {
				what = nil
			}
		}
		fmt.Fprintf(&b, "<h2 id=\"%s\">%s</h2>\n<p>%d <code>%s</code></p>\n<p>%s</p>\n<p>%s</p>\n",
			p.Code, html.EscapeString(p.Title), p.Status, p.Code, html.EscapeString(p.Meaning), html.EscapeString(p.Action))
	}
	if len(what) > 0 {
		b.WriteString("<h2>Codes of violations</h2>\n<dl>\n")
		for _, v := range what {
			fmt.Fprintf(&b, "<dt><code>%s</code></dt><dd>%s</dd>\n", v.Code, html.EscapeString(v.Meaning))
		}
		b.WriteString("</dl>\n")
	}
	const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>%s</title></head>
<body><h1>%s</h1>
%s<p><a href="` + problemPath + index + `">All problems</a></p>
</body></html>
`
	return fmt.Sprintf(page, html.EscapeString(title), html.EscapeString(title), b.String()), ok
}
