package embed

import (
	"fmt"
	"html/template"
	"io"
	"strings"
	"unicode"
)

// Sizes of a picture in its own units.
const (
	svgTop, svgRow = 48, 34
	svgText        = 230.0 // room for a name
	svgLetter      = 7.4   // width of a common letter
)

// A picture is a view as SVG.
type picture struct {
	view
	Colors        template.CSS
	Height, Inner int
	Description   string
	Lines         []line
}

// A line is a row of a picture.
type line struct {
	row
	Y, X, TextX  int
	Short, Color string
}

// Colors of pictures: text, quiet text, card, lines, up, down.
const (
	lightColors = "--t:#1f2328;--q:#59636e;--c:#fff;--l:#d1d9e0;--u:#1a7f37;--d:#c21c2b"
	darkColors  = "--t:#f0f6fc;--q:#9aa4af;--c:#0d1117;--l:#3d444d;--u:#3fb950;--d:#ff7b72"
)

func svgColors(theme string) template.CSS {
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
	p := picture{view: v, Colors: svgColors(o.Theme), Height: svgTop + svgRow*max(1, len(v.Rows)) + 6}
	p.Inner = p.Height - 1
	left, y := 66, svgTop
	for _, r := range v.Rows {
		if r.Way != "" {
			left = 92
		}
	}
	var lines []string
	for _, r := range v.Rows {
		if r.Gap {
			continue
		}
		lines = append(lines, fmt.Sprintf("%s. %s: %s", r.Rank, r.Name, r.Score))
		p.Lines = append(p.Lines, line{
			row: r, Y: y, X: left, TextX: left + 20, Color: fmt.Sprintf("hsl(%d 40%% 32%%)", r.Hue),
			Short: isolate(clip(r.Name, svgText+66-float64(left))),
		})
		y += svgRow
	}
	p.Description = strings.Join(lines, "; ")
	if v.Empty != "" {
		p.Description = v.Empty
	}
	return execute(w, "svg", p)
}

// badge is a place in two words.
type badge struct {
	Left, Right                string
	Width, Middle, Rest, TextX int
}

// Badge writes where a user is as a small picture.
func Badge(w io.Writer, b Board, o Options) error {
	standing := b.Standing
	b.Entries, b.Standing = nil, nil
	s, v := speak(o.Lang), o.view(b)
	at := badge{Left: v.Heading, Right: s.word("off")}
	if v.When != v.Heading {
		at.Left += " · " + v.When
	}
	if standing != nil && standing.Rank > 0 {
		at.Right = fmt.Sprintf("#%s · %s %s", s.number(standing.Rank), s.number(standing.Score), v.UnitWord)
	}
	at.Middle = int(wide(at.Left)*svgLetter*.87) + 18
	at.TextX, at.Rest = at.Middle+9, int(wide(at.Right)*svgLetter*.9)+13
	at.Width = at.Middle + at.Rest + 5
	return execute(w, "badge", at)
}

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
