package embed

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"
)

// Text writes a board for terminals and mails.
func Text(w io.Writer, b Board, o Options) error {
	v := o.view(b)
	heading := v.Heading
	if v.When != heading {
		heading += " · " + v.When
	}
	text := []string{heading, "\n\n", lines(v.Rows)}
	below := strings.NewReplacer("\u2068", "", "\u2069", "").Replace(v.Below) // terminals draw isolates as boxes
	for _, line := range []string{v.Empty, below, v.Since} {
		if line != "" {
			text = append(text, line, "\n")
		}
	}
	_, err := io.WriteString(w, strings.Join(text, ""))
	return err
}

// WinnersText writes the first users of ended periods of a board.
func WinnersText(w io.Writer, b Board, o Options) error {
	v, s := o.view(b), speak(o.Lang)
	text := []string{v.Heading, "\n"}
	for _, won := range b.Won {
		text = append(text, "\n", s.won(won), "\n", lines(o.view(won).Rows))
	}
	if len(b.Won) == 0 {
		text = append(text, "\n", s.word("none"), "\n")
	}
	_, err := io.WriteString(w, strings.Join(text, ""))
	return err
}

// lines are rows, each in a line.
func lines(rows []row) string {
	var out strings.Builder
	var ranks, moves, names, scores int
	for _, r := range rows {
		ranks, moves = max(ranks, columns(r.Rank)), max(moves, columns(r.Moved))
		names, scores = max(names, columns(r.crowned())), max(scores, columns(r.Score))
	}
	for _, r := range rows {
		if r.Gap {
			out.WriteString(strings.Repeat(" ", ranks-1) + "⋯\n")
			continue
		}
		moved, name := "", r.crowned()
		if moves > 0 {
			moved = r.Moved + pad(moves, r.Moved) + "  "
		}
		fmt.Fprintf(&out, "%s%s  %s%s%s  %s%s\n",
			pad(ranks, r.Rank), r.Rank, moved, name, pad(names, name), pad(scores, r.Score), r.Score)
	}
	return out.String()
}

// crowned is the name, and how often the user was the first, or how many members the team has.
func (r row) crowned() string {
	if said := cmp.Or(r.FirstsWord, r.Members); said != "" {
		return r.Name + " (" + said + ")"
	}
	return r.Name
}

// columns are those of a terminal.
func columns(text string) (n int) {
	for _, c := range text {
		switch width := width1(c); {
		case width >= 2:
			n += 2
		case width > 0:
			n++
		}
	}
	return n
}

// pad fills a text up to a number of columns.
func pad(width int, text string) string { return strings.Repeat(" ", max(0, width-columns(text))) }

// feed is boards of closed periods as Atom: RFC 4287.
type feed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	Tag     string      `xml:"xml:lang,attr"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Author  string      `xml:"author>name"`
	Self    feedLink    `xml:"link"`
	Entries []feedEntry `xml:"entry"`
}

type feedLink struct {
	Rel  string `xml:"rel,attr,omitempty"`
	Href string `xml:"href,attr"`
}

type feedEntry struct {
	ID      string   `xml:"id"`
	Title   string   `xml:"title"`
	Updated string   `xml:"updated"`
	Link    feedLink `xml:"link"`
	Content struct {
		Type string `xml:"type,attr"`
		Text string `xml:",chardata"`
	} `xml:"content"`
}

// Atom writes a feed of ended periods with their winners.
func Atom(w io.Writer, board Board, o Options) error {
	v, s := o.view(board), speak(o.Lang)
	id := "urn:laurel:" + o.Forum + ":" + board.Name + ":" + board.Window
	f := feed{
		Tag: v.Tag, ID: id, Title: v.Heading, Updated: board.StartsAt.Format(time.RFC3339), Author: "Laurel",
		Self: feedLink{Rel: "self", Href: o.Address + ".atom"},
	}
	for _, b := range board.Won {
		e := feedEntry{
			ID: id + ":" + b.Period, Title: v.Heading + ": " + s.period(b),
			Updated: b.EndsAt.Format(time.RFC3339), Link: feedLink{Href: o.Address + ".html?period=" + b.Period},
		}
		e.Content.Type = "text"
		for _, r := range o.view(b).Rows {
			e.Content.Text += fmt.Sprintf("%s. %s: %s %s\n", r.Rank, r.Name, r.Score, v.UnitWord)
		}
		f.Entries = append(f.Entries, e)
	}
	if err := xml.NewEncoder(w).Encode(f); err != nil {
		return fmt.Errorf("embed: the feed: %w", err)
	}
	return nil
}
