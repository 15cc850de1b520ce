package simulation

import (
	"errors"
	"fmt"
	"image/color"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

	"laurel/shared/board"
)

// ErrFormat is wrapped when a picture's name ends otherwise than on a format.
var ErrFormat = errors.New("simulation: a picture is .svg or .png")

// Format returns the format of a picture by its file's name.
func Format(path string) (string, error) {
	format := strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
	if format != "svg" && format != "png" {
		return "", fmt.Errorf("%w: %q", ErrFormat, path)
	}
	return format, nil
}

// How the picture looks. Curves are drawn of so many articles of each kind.
const (
	curves = 12
	width  = 24 * vg.Centimeter
	height = 12 * vg.Centimeter
)

var (
	goodColor   = color.RGBA{R: 0x1b, G: 0x7f, B: 0x4d, A: 0xff}
	commonColor = color.RGBA{R: 0xb8, G: 0xb8, B: 0xb8, A: 0xff}
	pageColor   = color.RGBA{R: 0xc0, G: 0x39, B: 0x2b, A: 0xff}
)

// Draw draws the ranks over time of some articles of the second day, good ones and
// others, as far down as a sample reaches.
func (s *Site) Draw(samples []Sample, format string, out io.Writer) error {
	p := plot.New()
	p.Title.Text = fmt.Sprintf("Ranks of articles published on the second day: %d articles a day, %d of them good", s.Scale.Articles, s.Good)
	p.X.Label.Text = "hours since the beginning of that day"
	p.Y.Label.Text = "rank on the hot list"
	p.X.Min, p.X.Max = 0, float64(min(72, (s.Days-1)*24))
	p.Y.Min, p.Y.Max = 1, Depth
	p.X.Tick.Marker = plot.ConstantTicks(hourTicks(int(p.X.Max)))
	p.Y.Scale = plot.InvertedScale{Normalizer: plot.LogScale{}}
	p.Y.Tick.Marker = plot.ConstantTicks(ticks(1, 2, 5, 10, 20, 50, Page, 200, Depth))
	p.Legend.Top = true
	for _, style := range []*text.Style{&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle} {
		style.Font.Variant = "Sans"
	}

	common, good := s.chosen()
	for _, kind := range []struct {
		name  string
		of    []Publication
		color color.Color
		width vg.Length
	}{{"others", common, commonColor, 1}, {"good: " + strconv.Itoa(s.Votes) + " votes or more", good, goodColor, 1.2}} {
		for i, a := range kind.of {
			added, err := addCurves(p, ranks(samples, a.ID), kind.color, kind.width)
			if err != nil {
				return fmt.Errorf("simulation: draw: %w", err)
			}
			if i == 0 && len(added) > 0 {
				p.Legend.Add(kind.name, added[0])
			}
		}
	}
	edge, err := plotter.NewLine(plotter.XYs{{X: 0, Y: Page}, {X: p.X.Max, Y: Page}})
	if err != nil {
		return fmt.Errorf("simulation: draw: %w", err)
	}
	edge.Color, edge.Dashes = pageColor, []vg.Length{vg.Points(4), vg.Points(3)}
	p.Add(edge)
	p.Legend.Add(fmt.Sprintf("the first %d", Page), edge)

	picture, err := p.WriterTo(width, height, format)
	if err != nil {
		return fmt.Errorf("simulation: draw: %w", err)
	}
	_, err = picture.WriteTo(out)
	return err
}

// chosen are articles of the second day, spread over it.
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

// ranks are the stretches of an article's curve: between them it is further down
// than the samples reach.
func ranks(samples []Sample, id string) []plotter.XYs {
	var stretches []plotter.XYs
	broken := true
	for _, sample := range samples {
		at := slices.Index(sample.Hot, id)
		if broken = broken || at < 0; at < 0 {
			continue
		}
		if broken {
			stretches = append(stretches, nil)
			broken = false
		}
		last := &stretches[len(stretches)-1]
		*last = append(*last, plotter.XY{X: hours(sample.At), Y: float64(at + 1)})
	}
	return stretches
}

// hours are counted from the beginning of the second day.
func hours(at board.Moment) float64 { return float64(at-start-day) / float64(hour) }

func addCurves(p *plot.Plot, stretches []plotter.XYs, c color.Color, w vg.Length) ([]*plotter.Line, error) {
	lines := make([]*plotter.Line, 0, len(stretches))
	for _, points := range stretches {
		points = slices.DeleteFunc(points, func(xy plotter.XY) bool { return xy.X > p.X.Max })
		if len(points) == 0 {
			continue
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return nil, err
		}
		line.Color, line.Width = c, w
		p.Add(line)
		lines = append(lines, line)
	}
	return lines, nil
}

func ticks(at ...int) []plot.Tick {
	marks := make([]plot.Tick, len(at))
	for i, n := range at {
		marks[i] = plot.Tick{Value: float64(n), Label: strconv.Itoa(n)}
	}
	return marks
}

func hourTicks(most int) []plot.Tick {
	var at []int
	for n := 0; n <= most; n += 6 {
		at = append(at, n)
	}
	return ticks(at...)
}
