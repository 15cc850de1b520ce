package simulation_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"strings"
	"testing"

	"laurel/internal/simulation"
)

// A picture is one, shows both kinds of articles and the page's end, and is the
// same for the same run.
func TestThePictureIsOne(t *testing.T) {
	t.Parallel()
	site := simulation.NewSite(small(2))
	samples := run(t, site, 200)
	draw := func(format string) string {
		t.Helper()
		var b bytes.Buffer
		if err := site.Draw(samples, format, &b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	svg := draw("svg")
	for words := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := words.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, piece := range []string{"30 articles a day, 5 of them good", "good: 40 votes or more", "others", "the first 100", "#1B7F4D", "#B8B8B8"} {
		if !strings.Contains(svg, piece) {
			t.Errorf("the picture lacks %q", piece)
		}
	}
	if svg != draw("svg") {
		t.Error("the same run is another picture")
	}
	picture, err := png.Decode(strings.NewReader(draw("png")))
	if err != nil || picture.Bounds().Dx() < 800 {
		t.Errorf("%v", err)
	}
	if _, err := simulation.Format("ranks.pdf"); !errors.Is(err, simulation.ErrFormat) {
		t.Error(err)
	}
	if format, err := simulation.Format("a.b/Ranks.SVG"); format != "svg" || err != nil {
		t.Error(format, err)
	}
}
