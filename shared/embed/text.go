package embed

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"
)

// Text writes a board for terminals and mails.
func Text(w io.Writer, b Board, o Options) error {
	v := o.view(b)
	var out strings.Builder
	out.WriteString(v.Heading)
	if v.When != v.Heading {
		out.WriteString(" · " + v.When)
	}
	out.WriteString("\n\n")
	var ranks, moves, names, scores int
	for _, r := range v.Rows {
		ranks, moves = max(ranks, columns(r.Rank)), max(moves, columns(r.Moved))
		names, scores = max(names, columns(r.Name)), max(scores, columns(r.Score))
	}
	for _, r := range v.Rows {
		if r.Gap {
			out.WriteString(strings.Repeat(" ", ranks-1) + "⋯\n")
			continue
		}
		moved := ""
		if moves > 0 {
			moved = r.Moved + pad(moves, r.Moved) + "  "
		}
		fmt.Fprintf(&out, "%s%s  %s%s%s  %s%s\n",
			pad(ranks, r.Rank), r.Rank, moved, r.Name, pad(names, r.Name), pad(scores, r.Score), r.Score)
	}
	for _, line := range []string{v.Empty, v.Below, v.Since} {
		if line != "" {
			out.WriteString(line + "\n")
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
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
func pad(to int, text string) string { return strings.Repeat(" ", max(0, to-columns(text))) }

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

// Atom writes a feed of closed periods with their winners, the newest first. what is the board in
// its current period.
func Atom(w io.Writer, what Board, closed []Board, o Options) error {
	v, s := o.view(what), speak(o.Lang)
	id := "urn:laurel:" + o.Forum + ":" + what.Name + ":" + what.Window
	f := feed{
		Tag: v.Tag, ID: id, Title: v.Heading, Updated: what.StartsAt.Format(time.RFC3339), Author: "Laurel",
		Self: feedLink{Rel: "self", Href: o.Address + ".atom"},
	}
	for _, b := range closed {
		e := feedEntry{
			ID: id + ":" + b.Period, Title: v.Heading + ": " + s.period(b.Window, b.StartsAt),
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
