package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// A picture is one, shows both kinds of articles and the page's end, and is the
// same for the same run.
func TestThePictureIsOne(t *testing.T) {
	t.Parallel()
	site := NewSite(small(2))
	samples := replayed(t, site, 200)
	var first, again bytes.Buffer
	if err := errors.Join(site.Draw(samples, &first), site.Draw(samples, &again)); err != nil {
		t.Fatal(err)
	}
	svg := first.String()
	for words := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := words.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, piece := range []string{
		"30 articles a day, 5 of them good", "good: 40 votes or more", "others", "the first 100", "#1B7F4D", "#B8B8B8",
	} {
		if !strings.Contains(svg, piece) {
			t.Errorf("the picture lacks %q", piece)
		}
	}
	if svg != again.String() {
		t.Error("the same run is another picture")
	}
}
