package embed

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	g "maragu.dev/gomponents"
)

// Sizes of a picture in its own units.
const (
	svgTop, svgRow = 48, 34
	svgWidth       = 440
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
	var rows g.Group
	for _, r := range v.Rows {
		if !r.Gap {
			rows = append(rows, svgLine(r, svgLeft(v.Rows), svgTop+svgRow*len(rows)))
		}
	}
	return card(w, v, svgWidth, svgTop+svgRow*max(1, len(v.Rows))+6, v.spoken(), "", rows)
}

// WinnersSVG writes a picture of the first users of ended periods of a board.
func WinnersSVG(w io.Writer, b Board, o Options) error {
	v, s, y := o.view(b), speak(o.Lang), svgTop
	var inside g.Group
	var spoken []string
	for _, wreath := range b.Won {
		won := o.view(wreath)
		inside = append(inside, g.El("text", class("q"), position("20", strconv.Itoa(y+16)), g.Text(s.won(wreath))))
		y += 24
		for _, r := range won.Rows {
			inside = append(inside, svgLine(r, svgLeft(nil), y))
			y += svgRow
		}
		spoken = append(spoken, s.won(wreath)+": "+won.spoken())
	}
	v.When, v.Empty = v.Heading, ""
	if len(b.Won) == 0 {
		v.Empty, y = s.word("none"), y+svgRow
	}
	return card(w, v, svgWidth, y+6, strings.Join(spoken, ". "), "", inside)
}

// spoken are the rows in a line.
func (v view) spoken() string {
	var spoken []string
	for _, r := range v.Rows {
		if !r.Gap {
			spoken = append(spoken, fmt.Sprintf("%s. %s: %s", r.Rank, r.crowned(), r.Score))
		}
	}
	return strings.Join(spoken, "; ")
}

// card draws the part of a view below its heading, or that it is empty; spoken describes it in words.
func card(w io.Writer, v view, width, height int, spoken, style string, inside g.Node) error {
	end, title, when := strconv.Itoa(width-20), v.Heading, g.Node(nil)
	if v.When != title {
		title += ", " + v.When
		when = g.El("tspan", class("q"), g.Attr("dx", "8"), g.Attr("font-weight", "400"), g.Text(v.When))
	}
	return render(w, drawing(width, height, g.Attr("aria-labelledby", "t d"), g.Attr("lang", v.Tag),
		g.El("title", g.Attr("id", "t"), g.Text(title)),
		g.El("desc", g.Attr("id", "d"), g.Text(cmp.Or(v.Empty, spoken))),
		g.El("style", g.Raw(svgColors(v.Theme)+svgStyle+style)),
		g.El("rect", position(".5", ".5"), number("width", width-1), number("height", height-1), g.Attr("rx", "8"),
			g.Attr("fill", "var(--c)"), g.Attr("stroke", "var(--l)")),
		g.El("text", class("b"), position("20", "31"), g.Text(v.Heading), when),
		g.El("text", class("q e"), position(end, "31"), g.Text(v.UnitWord)), inside,
		g.If(v.Empty != "", g.El("text", class("q"), position("20", "66"), g.Text(v.Empty)))))
}

// svgLeft is the position of the rows' initials.
func svgLeft(rows []row) int {
	if slices.ContainsFunc(rows, func(r row) bool { return r.Way != "" }) {
		return 92
	}
	return 66
}

const svgStyle = "text{font:14px system-ui,sans-serif;fill:var(--t)}.q{fill:var(--q)}.q,.m{font-size:12px}" +
	".b{font-weight:600}.e{text-anchor:end}.i{text-anchor:middle;fill:#fff;font-weight:600}" +
	".up{fill:var(--u)}.down{fill:var(--d)}.w{fill:var(--q)}"

// svgWreath is the room of a wreath and its number.
const svgWreath = 36

// svgLine draws a row: the rank, the movement, the initial at x, the name and the score. An <svg> in another one cuts
// off the parts outside it, such as marks on marks.
func svgLine(r row, x, y int) g.Node {
	movement := "m " + r.Way
	if r.Way == "new" {
		movement += " q"
	}
	room, wreath := svgText+66-float64(x), g.Node(nil)
	if r.Firsts != "" {
		room -= svgWreath
		wreath = g.El("g", g.Attr("transform", "translate(284 9)"), g.El("title", g.Text(r.FirstsWord)),
			g.El("path", class("w"), g.Attr("d", leafPath)), g.El("text", class("q"), position("18", "13"), g.Text(r.Firsts)))
	}
	return g.El("svg", number("y", y), number("width", svgWidth), number("height", svgRow),
		g.El("path", g.Attr("d", "M20 .5H420"), g.Attr("stroke", "var(--l)")),
		g.El("text", class("e"), position("42", "22"), g.Text(r.Rank)),
		g.If(r.Way != "", g.El("text", class(movement), position("48", "22"), g.Text(r.Moved))),
		svgFace(r.Initial, r.Hue, x, 17),
		g.El("text", g.If(r.Mine, class("b")), position(strconv.Itoa(x+20), "22"),
			g.Text(isolate(clip(r.Name, room)))), wreath,
		g.El("text", class("e b"), position("420", "22"), g.Text(r.Score)))
}

// svgFace draws an initial in a circle.
func svgFace(initial string, hue, x, y int) g.Node {
	return g.Group{
		g.El("circle", number("cx", x), number("cy", y), g.Attr("r", "11"),
			g.Attr("fill", fmt.Sprintf("hsl(%d 40%% 32%%)", hue))),
		g.El("text", class("i"), position(strconv.Itoa(x), strconv.Itoa(y+5)), g.Text(initial)),
	}
}

// Badge writes a user's place as a small picture.
func Badge(w io.Writer, b Board, o Options) error {
	standing := b.Standing
	b.Entries, b.Standing = nil, nil
	s, v := speak(o.Lang), o.view(b)
	left, right := v.Heading, strings.TrimRight(s.word(map[bool]string{false: "off", true: "offover"}[b.over()]), ".。")
	if v.When != v.Heading {
		left += " · " + v.When
	}
	color := badgeOff
	if standing != nil && standing.Rank > 0 {
		right = fmt.Sprintf("#%s · %s %s", s.number(standing.Rank), s.number(standing.Score), v.UnitWord)
		if standing.TeamName != "" {
			right = isolate(clip(standing.TeamName, svgText)) + " " + right
		}
		color = badgeOn
	}
	return badge(w, left, right, color)
}

// Colors of a badge's right part: for a user on the board, and for any other.
const badgeOn, badgeOff = "#2f6b34", "#6a737d"

// badge draws two texts beside each other.
func badge(w io.Writer, left, right, color string) error {
	middle := int(wide(left)*svgLetter*.87) + 18
	rest := int(wide(right)*svgLetter*.9) + 13
	outline := fmt.Sprintf("M%d 0h%da5 5 0 0 1 5 5v14a5 5 0 0 1-5 5h-%dz", middle, rest, rest)
	return render(w, drawing(middle+rest+5, 24, g.Attr("aria-label", left+": "+right),
		g.El("title", g.Text(left+": "+right)), g.El("style", g.Raw("text{font:12px system-ui,sans-serif;fill:#fff}")),
		g.El("rect", number("width", middle+rest+5), g.Attr("height", "24"), g.Attr("rx", "5"), g.Attr("fill", "#444d56")),
		g.El("path", g.Attr("d", outline), g.Attr("fill", color)), g.El("text", position("9", "16"), g.Text(left)),
		g.El("text", position(strconv.Itoa(middle+9), "16"), g.Attr("font-weight", "600"), g.Text(right))))
}

// drawing is a picture of a size.
func drawing(width, height int, inside ...g.Node) g.Node {
	return g.El("svg", g.Attr("xmlns", "http://www.w3.org/2000/svg"), number("width", width), number("height", height),
		g.Attr("viewBox", fmt.Sprintf("0 0 %d %d", width, height)), g.Attr("role", "img"), g.Group(inside))
}

func position(x, y string) g.Node { return g.Group{g.Attr("x", x), g.Attr("y", y)} }

func number(name string, n int) g.Node { return g.Attr(name, strconv.Itoa(n)) }

// isolate separates the direction of a name from the text beside it.
func isolate(name string) string { return "\u2068" + name + "\u2069" }

const maxMarks = 4 // on a letter of a picture; a script's own words have at most three

// clip shortens a name to its room, and removes marks that are stacked on a letter.
func clip(name string, room float64) string {
	marks := 0
	name = strings.Map(func(c rune) rune {
		if marks++; !unicode.In(c, unicode.Mn, unicode.Me) {
			marks = 0
		} else if marks > maxMarks {
			return -1
		}
		return c
	}, name)
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
