package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"laurel/shared/board"
)

// How the picture looks, in pixels. Curves are drawn of so many articles of each kind.
const (
	curves              = 12
	width, height       = 960.0, 480.0
	left, right         = 55.0, 945.0
	top, bottom         = 35.0, 435.0
	goodStyle           = `stroke="#1B7F4D" stroke-width="1.6"`
	commonStyle         = `stroke="#B8B8B8" stroke-width="1.2"`
	pageStyle           = `stroke="#C0392B" stroke-dasharray="6,4"`
	legendEnd, legendUp = right - 50, 18.0
)

// A picture is an SVG of ranks over hours; ranks have a logarithmic axis, the first
// on top.
type picture struct {
	bytes.Buffer
	hours float64 // where the axis ends
}

func (p *picture) x(hours float64) float64 { return left + (right-left)*hours/p.hours }

func (p *picture) y(rank int) float64 {
	return top + (bottom-top)*math.Log(float64(rank))/math.Log(Depth)
}

func (p *picture) text(x, y float64, anchor, text string) {
	_, _ = fmt.Fprintf(p, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, text)
}

func (p *picture) line(x1, y1, x2, y2 float64, style string) {
	_, _ = fmt.Fprintf(p, "<path d=\"M%.1f,%.1fL%.1f,%.1f\" %s/>\n", x1, y1, x2, y2, style)
}

// Draw writes an SVG of the ranks over time of some articles of the second day, good
// ones and others, as far down as a sample reaches.
func (s *Site) Draw(samples []Sample, out io.Writer) error {
	p := &picture{hours: float64(min(72, (s.Days-1)*24))}
	_, _ = fmt.Fprintf(p, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" ", width, height)
	p.WriteString("font-family=\"sans-serif\" font-size=\"13\" fill=\"none\">\n")
	_, _ = fmt.Fprintf(p, "<rect width=\"%g\" height=\"%g\" fill=\"#FFF\"/>\n<g fill=\"#000\">\n", width, height)
	const title = "Ranks of articles published on the second day: %d articles a day, %d of them good"
	p.labels(fmt.Sprintf(title, s.Scale.Articles, s.Good))
	legend := []struct{ name, style string }{
		{"others", commonStyle},
		{fmt.Sprintf("good: %d votes or more", s.Votes), goodStyle},
		{fmt.Sprintf("the first %d", Page), pageStyle},
	}
	for i, kind := range legend {
		p.text(legendEnd-8, top+legendUp*float64(i+1), "end", kind.name)
	}
	p.WriteString("</g>\n")
	for i, kind := range legend {
		y := top + legendUp*float64(i+1) - 4
		p.line(legendEnd, y, right, y, kind.style)
	}
	common, good := s.chosen()
	for _, a := range common {
		p.curve(samples, a.ID, commonStyle)
	}
	for _, a := range good {
		p.curve(samples, a.ID, goodStyle)
	}
	p.line(left, p.y(Page), right, p.y(Page), pageStyle)
	p.WriteString("</svg>\n")
	_, err := p.WriteTo(out)
	return err
}

// labels writes the title and both axes.
func (p *picture) labels(title string) {
	p.text(width/2, 20, "middle", title)
	p.text(width/2, height-8, "middle", "hours since the beginning of that day")
	const rotated = "<text transform=\"translate(14,%g) rotate(-90)\" text-anchor=\"middle\">rank on the hot list</text>\n"
	_, _ = fmt.Fprintf(p, rotated, (top+bottom)/2)
	const axis = `stroke="#000"`
	p.line(left, top, left, bottom, axis)
	p.line(left, bottom, right, bottom, axis)
	for hours := 0.0; hours <= p.hours; hours += 6 {
		p.line(p.x(hours), bottom, p.x(hours), bottom+5, axis)
		p.text(p.x(hours), bottom+18, "middle", fmt.Sprintf("%g", hours))
	}
	for _, rank := range []int{1, 2, 5, 10, 20, 50, Page, 200, Depth} {
		p.line(left-5, p.y(rank), left, p.y(rank), axis)
		p.text(left-8, p.y(rank)+4, "end", strconv.Itoa(rank))
	}
}

// curve draws the ranks of an article. It is interrupted where the article is further
// down than the samples reach.
func (p *picture) curve(samples []Sample, id, style string) {
	var path bytes.Buffer
	to := "M"
	for _, sample := range samples {
		hours, at := hoursOf(sample.At), slices.Index(sample.Hot, id)
		if at < 0 || hours > p.hours {
			to = "M"
			continue
		}
		_, _ = fmt.Fprintf(&path, "%s%.1f,%.1f", to, p.x(hours), p.y(at+1))
		to = "L"
	}
	if path.Len() > 0 {
		_, _ = fmt.Fprintf(p, "<path d=\"%s\" %s/>\n", &path, style)
	}
}

// hoursOf counts hours from the beginning of the second day.
func hoursOf(at board.Moment) float64 { return float64(at-start-day) / float64(hour) }

// chosen returns articles of the second day, spread over it.
func (s *Site) chosen() (common, good []Publication) {
	for _, a := range slices.Backward(s.Articles) {
		if a.Published < start+day || a.Published >= start+2*day {
			continue
		}
		if a.Good {
			good = append(good, a)
		} else {
			common = append(common, a)
		}
	}
	return spread(common), spread(good)
}

func spread(all []Publication) []Publication {
	step := max(1, len(all)/curves)
	var some []Publication
	for i := step / 2; i < len(all) && len(some) < curves; i += step {
		some = append(some, all[i])
	}
	return some
}
