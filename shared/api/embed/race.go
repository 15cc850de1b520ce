package embed

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"
)

// The place of a race in its picture, from the first day to the last, its width, and its duration. Motion that starts
// by itself and lasts for more than five seconds would need a button.
const (
	raceFrom, raceTo = 36, 420
	raceWidth        = 720
	raceSeconds      = 5
)

// Race writes a picture of the way of a month's first users: their places among each other after each day, as lines,
// on which they move once for readers who accept motion. The names are at the last places.
func Race(w io.Writer, b Board, o Options) error {
	v := o.view(b)
	r := newRace(b, v)
	if r.days == 1 {
		return startList(w, v)
	}
	var inside g.Group
	for i := range v.Rows {
		inside = append(inside, g.El("path", class("n"), g.Attr("d", r.path(i)),
			g.Attr("stroke", fmt.Sprintf("hsl(%d 55%% 50%%)", raceHue(i)))))
	}
	inside = g.Group{
		r.axis(), g.El("clipPath", g.Attr("id", "c"), g.El("rect", class("x"), position("0", "0"),
			number("width", r.x(r.days-1)),
			number("height", r.height()))), g.El("g", g.Attr("clip-path", "url(#c)"), inside),
	}
	for i, row := range v.Rows {
		inside = append(inside, r.runner(i, row))
	}
	style := ".n{fill:none;stroke-width:3;stroke-linejoin:round}.a{fill:var(--q);font-weight:400}"
	if !o.Still && r.days > 1 {
		style += "@media(prefers-reduced-motion:no-preference){" + r.motion() + "}"
	}
	return card(w, v, raceWidth, r.height(), v.spoken(), style, inside)
}

// startList writes the picture of a race on its first day, which has no line yet: its users, and the time of the
// first line.
func startList(w io.Writer, v view) error {
	word, rows := speak(v.Lang).word("start"), g.Group{}
	for i, r := range v.Rows {
		rows = append(rows, svgLine(r, svgLeft(v.Rows), svgTop+svgRow*i))
	}
	height := svgTop + svgRow*len(v.Rows) + 28
	rows = append(rows, g.El("text", class("q"), position("20", strconv.Itoa(height-9)), g.Text(word)))
	return card(w, v, 440, height, v.spoken()+". "+word, "", rows)
}

// A race is the places of some people after each day of a month, from 0; -1 for nobody who has no points yet.
type race struct {
	places       [][]int // by person and day
	days, length int     // so far, and of the month
}

func newRace(b Board, v view) race {
	r := race{length: int(b.EndsAt.Sub(b.StartsAt).Hours()/24 + .5)} // a day may have 23 hours, or 25
	order := make([]int, len(v.Rows))
	for i, e := range b.Entries {
		order[i], r.days = i, len(e.Days)
		r.places = append(r.places, make([]int, r.days))
	}
	for day := range r.days {
		slices.SortFunc(order, func(i, j int) int {
			return cmp.Or(cmp.Compare(b.Entries[j].Days[day], b.Entries[i].Days[day]), cmp.Compare(i, j))
		})
		for place, i := range order {
			if r.places[i][day] = place; b.Entries[i].Days[day] == 0 {
				r.places[i][day] = -1
			}
		}
	}
	return r
}

func raceHue(i int) int { return i * 137 % 360 }

func (r race) height() int { return svgTop + svgRow*max(1, len(r.places)) + 28 }

// x is the position of a day.
func (r race) x(day int) int { return raceFrom + (raceTo-raceFrom)*max(0, day)/max(1, r.length-1) }

// y is the position of a place.
func y(place int) int { return svgTop + svgRow*place + svgRow/2 }

// path is a person's line.
func (r race) path(i int) string {
	var d strings.Builder
	command := "M"
	for day, place := range r.places[i] {
		if place >= 0 {
			fmt.Fprintf(&d, "%s%d %d", command, r.x(day), y(place))
			command = "L"
		}
	}
	return d.String()
}

// axis names some days of the month.
func (r race) axis() (all g.Group) {
	for day := 0; day < r.length && len(r.places) > 0; day += 7 {
		all = append(all, g.El("text", class("q i a"), position(strconv.Itoa(r.x(day)), strconv.Itoa(r.height()-12)),
			g.Text(strconv.Itoa(day+1))))
	}
	return all
}

// runner draws a person at the end of the race, in a group of its own that moves from place to place.
func (r race) runner(i int, row row) g.Node {
	const left, end = raceTo + 36, raceWidth - 20
	return g.El("g", class("k k"+strconv.Itoa(i)), g.Attr("transform", fmt.Sprintf("translate(0 %d)", y(i))),
		g.El("g", class("h"), svgFace(row.Initial, raceHue(i), r.x(r.days-1), 0)),
		g.El("text", class("e"), position(strconv.Itoa(left+10), "5"), g.Text(row.Rank)),
		g.El("text", position(strconv.Itoa(left+20), "5"), g.Text(isolate(clip(row.Name, end-left-80)))),
		g.El("text", class("e b s"), position(strconv.Itoa(end), "5"), g.Text(row.Score)))
}

// motion is the style that runs the race: lines grow, people move along them, scores appear in the end.
func (r race) motion() string {
	var style strings.Builder
	fmt.Fprintf(&style, ".k,.h,.x,.s{animation:%ds linear}.h{animation-name:h}.x{animation-name:x}.s{animation-name:s}"+
		"@keyframes h{0%%{transform:translateX(%dpx)}}@keyframes x{0%%{transform:scaleX(%.3f)}}"+
		"@keyframes s{0%%,95%%{opacity:0}}", raceSeconds, r.x(0)-r.x(r.days-1), float64(r.x(0))/float64(r.x(r.days-1)))
	for i, places := range r.places {
		fmt.Fprintf(&style, ".k%d{animation-name:k%d}@keyframes k%d{", i, i, i)
		for day, place := range places {
			if day > 0 && day < r.days-1 && place == places[day-1] && place == places[day+1] {
				continue // on a straight
			}
			opacity := ""
			if place < 0 {
				opacity, place = "opacity:0;", places[slices.IndexFunc(places, func(p int) bool { return p >= 0 })]
			} else if day > 0 && places[day-1] < 0 {
				opacity = "opacity:1;"
			}
			fmt.Fprintf(&style, "%.3g%%{%stransform:translateY(%dpx)}", 100*float64(day)/float64(r.days-1), opacity, y(place))
		}
		style.WriteString("}")
	}
	return style.String()
}
