package embed

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	g "maragu.dev/gomponents"
)

// Sizes of a picture in its own units.
const (
	svgTop, svgRow = 48, 34
	svgText        = 230.0 // room for a name
	svgLetter      = 7.4   // width of a common letter
)

// Colors of pictures: text, quiet text, card, lines, up, down.
const (
	lightColors = "--t:#1f2328;--q:#59636e;--c:#fff;--l:#d1d9e0;--u:#1a7f37;--d:#c21c2b"
	darkColors  = "--t:#f0f6fc;--q:#9aa4af;--c:#0d1117;--l:#3d444d;--u:#3fb950;--d:#ff7b72"
)

func svgColors(theme string) string {
	switch theme {
	case "light":
		return "svg{" + lightColors + "}"
	case "dark":
		return "svg{" + darkColors + "}"
	default:
		return "svg{" + lightColors + "}@media(prefers-color-scheme:dark){svg{" + darkColors + "}}"
	}
}

// SVG writes a picture for an <img>, which loads no other: initials stand for avatars.
func SVG(w io.Writer, b Board, o Options) error {
	v := o.view(b)
	left, height := 66, svgTop+svgRow*max(1, len(v.Rows))+6
	for _, r := range v.Rows {
		if r.Way != "" {
			left = 92
		}
	}
	var spoken []string
	var rows g.Group
	for _, r := range v.Rows {
		if !r.Gap {
			spoken = append(spoken, fmt.Sprintf("%s. %s: %s", r.Rank, r.Name, r.Score))
			rows = append(rows, svgLine(r, left, svgTop+svgRow*len(rows)))
		}
	}
	description := strings.Join(spoken, "; ")
	if v.Empty != "" {
		description = v.Empty
	}
	when := g.If(v.Heading != v.When,
		g.El("tspan", class("q"), g.Attr("dx", "8"), g.Attr("font-weight", "400"), g.Text(v.When)))
	return render(w, drawing(440, height, g.Attr("aria-labelledby", "t d"), g.Attr("lang", v.Tag),
		g.El("title", g.Attr("id", "t"), g.Text(v.Heading+", "+v.When)),
		g.El("desc", g.Attr("id", "d"), g.Text(description)), g.El("style", g.Raw(svgColors(o.Theme)+svgStyle)),
		g.El("rect", at(".5", ".5"), g.Attr("width", "439"), number("height", height-1), g.Attr("rx", "8"),
			g.Attr("fill", "var(--c)"), g.Attr("stroke", "var(--l)")),
		g.El("text", class("b"), at("20", "31"), g.Text(v.Heading), when),
		g.El("text", class("q e"), at("420", "31"), g.Text(v.UnitWord)), rows,
		g.If(v.Empty != "", g.El("text", class("q"), at("20", "66"), g.Text(v.Empty)))))
}

const svgStyle = "text{font:14px system-ui,sans-serif;fill:var(--t)}.q{fill:var(--q)}.q,.m{font-size:12px}" +
	".b{font-weight:600}.e{text-anchor:end}.i{text-anchor:middle;fill:#fff;font-weight:600}" +
	".up{fill:var(--u)}.down{fill:var(--d)}"

// svgLine draws a row: the rank, the movement, the initial at x, the name and the score.
func svgLine(r row, x, y int) g.Node {
	movement := "m " + r.Way
	if r.Way == "new" {
		movement += " q"
	}
	return g.El("g", g.Attr("transform", fmt.Sprintf("translate(0 %d)", y)),
		g.El("path", g.Attr("d", "M20 .5H420"), g.Attr("stroke", "var(--l)")),
		g.El("text", class("e"), at("42", "22"), g.Text(r.Rank)),
		g.If(r.Way != "", g.El("text", class(movement), at("48", "22"), g.Text(r.Moved))),
		g.El("circle", number("cx", x), g.Attr("cy", "17"), g.Attr("r", "11"),
			g.Attr("fill", fmt.Sprintf("hsl(%d 40%% 32%%)", r.Hue))),
		g.El("text", class("i"), at(strconv.Itoa(x), "22"), g.Text(r.Initial)),
		g.El("text", g.If(r.Mine, class("b")), at(strconv.Itoa(x+20), "22"),
			g.Text(isolate(clip(r.Name, svgText+66-float64(x))))),
		g.El("text", class("e b"), at("420", "22"), g.Text(r.Score)))
}

// Badge writes where a user is as a small picture.
func Badge(w io.Writer, b Board, o Options) error {
	standing := b.Standing
	b.Entries, b.Standing = nil, nil
	s, v := speak(o.Lang), o.view(b)
	left, right := v.Heading, strings.TrimRight(s.word(map[bool]string{false: "off", true: "offover"}[b.over()]), ".。")
	if v.When != v.Heading {
		left += " · " + v.When
	}
	if standing != nil && standing.Rank > 0 {
		right = fmt.Sprintf("#%s · %s %s", s.number(standing.Rank), s.number(standing.Score), v.UnitWord)
	}
	middle := int(wide(left)*svgLetter*.87) + 18
	rest := int(wide(right)*svgLetter*.9) + 13
	outline := fmt.Sprintf("M%d 0h%da5 5 0 0 1 5 5v14a5 5 0 0 1-5 5h-%dz", middle, rest, rest)
	return render(w, drawing(middle+rest+5, 24, g.Attr("aria-label", left+": "+right),
		g.El("title", g.Text(left+": "+right)), g.El("style", g.Raw("text{font:12px system-ui,sans-serif;fill:#fff}")),
		g.El("rect", number("width", middle+rest+5), g.Attr("height", "24"), g.Attr("rx", "5"), g.Attr("fill", "#444d56")),
		g.El("path", g.Attr("d", outline), g.Attr("fill", "#2f6b34")), g.El("text", at("9", "16"), g.Text(left)),
		g.El("text", at(strconv.Itoa(middle+9), "16"), g.Attr("font-weight", "600"), g.Text(right))))
}

// drawing is a picture of a size.
func drawing(width, height int, inside ...g.Node) g.Node {
	return g.El("svg", g.Attr("xmlns", "http://www.w3.org/2000/svg"), number("width", width), number("height", height),
		g.Attr("viewBox", fmt.Sprintf("0 0 %d %d", width, height)), g.Attr("role", "img"), g.Group(inside))
}

func at(x, y string) g.Node { return g.Group{g.Attr("x", x), g.Attr("y", y)} }

func number(name string, n int) g.Node { return g.Attr(name, strconv.Itoa(n)) }

// isolate keeps the direction of a name from what is beside it.
func isolate(name string) string { return "\u2068" + name + "\u2069" }

// clip shortens a name to what has room.
func clip(name string, room float64) string {
	if wide(name)*svgLetter <= room {
		return name
	}
	var short strings.Builder
	width := 1.2 // of the ellipsis
	for _, c := range name {
		if width += width1(c); width*svgLetter > room {
			break
		}
		short.WriteRune(c)
	}
	return short.String() + "…"
}

// wide returns about how many common letters a text is wide.
func wide(text string) (width float64) {
	for _, c := range text {
		width += width1(c)
	}
	return width
}

func width1(c rune) float64 {
	switch {
	case unicode.In(c, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.In(c, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana), c >= 0x1f000,
		c >= 0xff00 && c < 0xff61, c >= 0x3000 && c < 0x3040:
		return 2
	case unicode.IsUpper(c), c == 'm', c == 'w', c == '@', c == '%':
		return 1.5
	case strings.ContainsRune("iljtf.,:;'|! ", c):
		return .6
	default:
		return 1.1
	}
}
