package embed

import (
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	g "maragu.dev/gomponents"

	"laurel/web"
)

// reset protects a board from the style of the page around it.
const reset = "all:initial;display:block;visibility:inherit;font:inherit;color:inherit"

// pageStyle is the style where there is no page around.
var pageStyle = sync.OnceValue(func() string {
	// The properties that a page may set on an element, with their default values.
	properties := regexp.MustCompile(`var\(--laurel-\w+, ?((?:[^()]|\([^()]*(?:\([^()]*\))?[^()]*\))*)\)`)
	style := string(properties.ReplaceAll(web.Style(), []byte("$1")))
	style = strings.Replace(style, "h2{", "h1{", 1)
	for _, needless := range []string{":host{display:block}", reset, "font-variant-numeric:tabular-nums;"} {
		style = strings.Replace(style, needless, "", 1)
	}
	return style
})

// Page writes a whole page for an iframe.
func Page(w io.Writer, b Board, o Options) error {
	v := o.view(b)
	return page(w, v, "..", "", markup{}.board(v))
}

// page writes a page with a style of its own and a content; root is the path of the module.
func page(w io.Writer, v view, root, style string, inside g.Node) error {
	theme := v.Theme
	if theme != "light" && theme != "dark" {
		theme = "light dark"
	}
	var body strings.Builder
	if err := inside.Render(&body); err != nil {
		return err
	}
	style = used(pageStyle(), body.String()) + style + ":root{color-scheme:" + theme +
		"}body{margin:0 4px;font:15px system-ui}"
	return render(w, g.Raw("<!doctype html>"), g.El("html", g.Attr("lang", v.Tag),
		g.El("meta", g.Attr("charset", "utf-8")),
		g.El("meta", g.Attr("name", "viewport"), g.Attr("content", "width=device-width")),
		g.El("script", g.Attr("src", root+"/frame.js"), g.Attr("defer", "")),
		g.El("base", g.Attr("target", "_top")), g.El("title", g.Text(v.Heading)),
		g.El("style", g.Raw(style)), g.El("main", g.Raw(body.String()))))
}

var (
	rule    = regexp.MustCompile(`([^{}]+)\{[^{}]*\}`)
	empty   = regexp.MustCompile(`@[^{}]+\{\}`)
	ofClass = regexp.MustCompile(`\.([a-z]+)`)
)

// used returns the rules of a style that some of the page's classes need: most pages have no wreaths or movement.
func used(style, page string) string {
	style = rule.ReplaceAllStringFunc(style, func(text string) string {
		for one := range strings.SplitSeq(rule.FindStringSubmatch(text)[1], ",") {
			if !slices.ContainsFunc(ofClass.FindAllStringSubmatch(one, -1), func(class []string) bool {
				return !strings.Contains(page, class[1])
			}) {
				return text
			}
		}
		return ""
	})
	return empty.ReplaceAllString(style, "")
}

// winnersStyle is the part of web/embed/more.css for winners.
const winnersStyle = "h2{font:inherit;color:var(--soft);margin:1em 0 0}ol{list-style:none;margin:.2em 0 0;padding:0;" +
	"display:grid;grid-template-columns:auto 1fr auto;gap:0 .6em}li{--face:1.6em;display:grid;grid:auto/subgrid;" +
	"grid-column:1/-1;align-items:center;min-height:2em}.person{min-width:0}"

// WinnersPage writes a page with the first users of ended periods of a board.
func WinnersPage(w io.Writer, b Board, o Options) error {
	v, s := o.view(b), speak(o.Lang)
	periods := g.Map(b.Won, func(won Board) g.Node {
		var first g.Group
		for i, r := range o.view(won).Rows {
			first = append(first, g.El("li", g.El("b", g.Text(s.place(won.Entries[i].Rank))), markup{}.person(r),
				g.El("span", class("score"), g.Text(r.Score))))
		}
		return g.Group{g.El("h2", g.Text(s.period(won))), g.El("ol", first)}
	})
	empty := ""
	if len(b.Won) == 0 {
		empty = s.word("none")
	}
	return page(w, v, "../..", winnersStyle, g.El("div", class("board"),
		g.El("h1", g.Text(s.word("won", "period", v.Heading))), periods,
		markup{}.paragraph("empty", empty)))
}

// Fragment writes the element with its content, for a page that is put together on a server.
func Fragment(w io.Writer, b Board, o Options) error {
	v := o.view(b)
	return render(w, g.El("laurel-board", g.Attr("board", v.Name), g.Attr("windows", v.Window),
		optional("period", v.Asked), g.Attr("limit", strconv.FormatInt(v.Limit, 10)), optional("user", v.User),
		g.Attr("lang", v.Tag), g.El("template", g.Attr("shadowrootmode", "open"),
			g.El("style", g.Raw(string(web.Style()))), markup{parts: true}.board(v))))
}

// markup writes a board; parts is whether a page around may style it.
type markup struct{ parts bool }

func (m markup) part(name string) g.Node { return g.If(m.parts, g.Attr("part", name)) }

func (m markup) board(v view) g.Node {
	heading := "h1"
	if m.parts { // a page around has its own
		heading = "h2"
	}
	return g.El("div", class("board"), m.part("board"), g.Attr("lang", v.Tag),
		g.El(heading, m.part("heading"), g.Text(v.Heading), g.If(v.Heading != v.When, g.El("small", g.Text(v.When)))),
		g.If(len(v.Rows) > 0, g.El("table", g.If(v.Long, class("long")), m.part("table"),
			g.Attr("aria-label", v.Heading+", "+v.When),
			g.El("thead", g.El("tr", column("rank", v.RankWord), column("name", v.NameWord), column("score", v.UnitWord))),
			g.El("tbody", m.part("rows"), g.Map(v.Rows, m.row)))),
		m.paragraph("empty", v.Empty), m.paragraph("standing", v.Below),
		m.paragraph("since", v.Since))
}

func (m markup) row(r row) g.Node {
	if r.Gap {
		return g.El("tr", g.El("td", g.Attr("colspan", "3"), g.Text("⋯")))
	}
	moved := g.El("span", class("movement "+r.Way), g.Attr("role", "img"), g.Attr("aria-label", r.MovedWord),
		g.Attr("title", r.MovedWord), g.Text(r.Moved))
	return g.El("tr", m.part("row"), g.If(r.Mine, g.Group{class("mine"), g.Attr("aria-current", "true")}),
		g.El("td", class("rank"), g.Text(r.Rank), g.If(r.Way != "", g.Group{g.Text(" "), moved})),
		g.El("td", class("name"), m.person(r)), g.El("td", class("score"), g.Text(r.Score)))
}

// person is a picture and a name that leads to the profile.
func (m markup) person(r row) g.Node {
	name := []g.Node{class("text"), g.Attr("dir", "auto"), g.Attr("title", r.Name), g.Text(r.Name)}
	person := g.El("span", name...)
	if r.Link != "" {
		person = g.El("a", append(name, g.Attr("href", r.Link))...)
	}
	return g.El("div", class("person"), m.avatar(r), person,
		g.If(r.You != "", g.El("span", class("you"), g.Text(r.You))),
		g.If(r.Members != "", g.El("small", g.Text(r.Members))), g.If(r.Firsts != "", m.wreath(r)))
}

// leafPath draws a leaf in a square of 16.
const leafPath = "M2 14C1 6 6 1 15 1C15 9 11 14 2 14Z"

// wreath shows how often a user was the first: by a number, and in words.
func (m markup) wreath(r row) g.Node {
	hidden := g.Attr("aria-hidden", "true")
	return g.El("span", class("wreath"), m.part("wreath"), g.Attr("title", r.FirstsWord),
		g.El("span", hidden, g.El("svg", g.Attr("viewBox", "0 0 16 16"), g.El("path", g.Attr("d", leafPath))),
			g.Text(r.Firsts)), g.El("span", class("status"), g.Text(r.FirstsWord)))
}

func (m markup) avatar(r row) g.Node {
	if r.Avatar != "" {
		return g.El("img", class("avatar"), g.Attr("src", r.Avatar), g.Attr("alt", ""),
			g.If(m.parts, g.Group{g.Attr("loading", "lazy"), g.Attr("referrerpolicy", "no-referrer")}))
	}
	return g.El("span", class("avatar"), g.Attr("style", "--h:"+strconv.Itoa(r.Hue)),
		g.Attr("aria-hidden", "true"), g.Text(r.Initial))
}

func (m markup) paragraph(part, text string) g.Node {
	return g.If(text != "", g.El("p", m.part(part), g.If(part == "since", class(part)), g.Text(text)))
}

func column(name, word string) g.Node { return g.El("th", class("th "+name), g.Text(word)) }

func class(names string) g.Node { return g.Attr("class", names) }

// optional is an attribute that exists if it has a value.
func optional(name, value string) g.Node { return g.If(value != "", g.Attr(name, value)) }

// render writes nodes and the end of the line. It writes U+FFFD in place of characters that no XML may have, even
// escaped: one stored name with such would make a whole picture unreadable.
func render(w io.Writer, nodes ...g.Node) error {
	var text strings.Builder
	if err := append(g.Group(nodes), g.Raw("\n")).Render(&text); err != nil {
		return err
	}
	_, err := io.WriteString(w, strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff {
			return utf8.RuneError
		}
		return r
	}, text.String()))
	return err
}
