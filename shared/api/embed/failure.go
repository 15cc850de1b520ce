package embed

import (
	"io"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"
)

// A Failure is the reason why a form of a board is missing.
type Failure struct {
	Code          string // the problem's
	Status        int
	Details       []string // the fault of the address, in English, for its author
	Root          string   // the path from the page to the module
	Board, Window string   // as they were requested
}

// preconditionRequired is the first status after those of addresses that stay wrong.
const preconditionRequired = 428

// word returns the key of the sentence that readers get; the module has the same in states.js.
func (f Failure) word() string {
	switch {
	case f.Code == "filling":
		return "filling"
	case f.Code == "unknown_board":
		return "unknown"
	case f.Status < preconditionRequired:
		return "failed"
	default:
		return "busy"
	}
}

// passing reports whether the failure ends by itself.
func (f Failure) passing() bool { return f.word() == "filling" || f.word() == "busy" }

// view describes the failure in the language of the options.
func (f Failure) view(o Options) view {
	s := speak(o.Lang)
	said := s.word(f.word())
	return view{Options: o, Tag: s.tag, Heading: said, When: said}
}

// FailurePage writes a page with the reason why there is no board. frame.js reads it again if the failure ends by
// itself.
func FailurePage(w io.Writer, f Failure, o Options) error {
	v, again := f.view(o), g.Node(nil)
	if f.passing() {
		again = g.El("a", g.Attr("href", ""), g.Attr("target", "_self"), g.Attr("data-again", ""),
			g.Text(speak(o.Lang).word("again")))
	}
	details := g.Map(f.Details, func(text string) g.Node {
		return g.El("p", g.Attr("lang", "en"), g.El("small", g.Text(text)))
	})
	return page(w, v, f.Root, failureStyle, g.El("div", class("board"),
		g.El("h1", g.Text(v.Heading+" "), again), details))
}

const failureStyle = "h1{font:inherit}a{text-decoration:underline}small{margin:0}"

// FailureFragment writes the element with the reason why it is empty, which it reads again by itself.
func FailureFragment(w io.Writer, f Failure, o Options) error {
	v := f.view(o)
	limit := ""
	if o.Limit > 0 {
		limit = strconv.FormatInt(o.Limit, 10)
	}
	return render(w, g.El("laurel-board", g.Attr("board", f.Board), g.Attr("windows", f.Window),
		optional("period", o.Asked), optional("limit", limit), optional("user", o.User), g.Attr("lang", v.Tag),
		g.El("template", g.Attr("shadowrootmode", "open"),
			g.El("div", class("board"), g.Attr("part", "board"), g.El("p", g.Attr("part", "error"), g.Text(v.Heading))))))
}

// FailureSVG writes a picture with the reason why there is no board.
func FailureSVG(w io.Writer, f Failure, o Options) error {
	return card(w, f.view(o), 440, svgTop+8, strings.Join(f.Details, "; "), "", nil)
}

// FailureBadge writes a badge with the reason why it is empty.
func FailureBadge(w io.Writer, f Failure, o Options) error {
	return badge(w, "Laurel", strings.TrimRight(f.view(o).Heading, ".。"), badgeOff)
}

// FailureText writes the reason why there is no board.
func FailureText(w io.Writer, f Failure, o Options) error {
	_, err := io.WriteString(w, strings.Join(append([]string{f.view(o).Heading}, f.Details...), "\n")+"\n")
	return err
}
