package embed_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"laurel/internal/harness"
	"laurel/shared/api/embed"
	"laurel/shared/core/profile"
)

// A form writes a board.
type form func(io.Writer, embed.Board, embed.Options) error

// written returns a form of a board.
func written(t *testing.T, write form, b embed.Board, o embed.Options) string {
	t.Helper()
	var out strings.Builder
	harness.OK(t, write(&out, b, o))
	return out.String()
}

// writers are the forms of a board; HTML is no XML by itself, but its characters are the same.
var writers = map[string]form{
	"svg": embed.SVG, "winners.svg": embed.WinnersSVG, "race.svg": embed.Race, "badge.svg": embed.Badge,
	"atom": embed.Atom, "html": embed.Page, "winners.html": embed.WinnersPage, "fragment.html": embed.Fragment,
}

// isXML returns why a text is no XML.
func isXML(text string) error {
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// board is one on which a text stands wherever a text may stand.
func board(text string) embed.Board {
	start := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	b := embed.Board{
		Name: "activity", Window: "month", Period: "2026-11", StartsAt: start, EndsAt: start.AddDate(0, 1, 0),
		AsOf: start.AddDate(0, 0, 2), Labels: map[string]string{"en": text}, Unit: map[string]string{"en": text}, Total: 3,
		Standing: &embed.Standing{Rank: 1, Score: 9},
	}
	people := []embed.Member{
		{ID: text},
		{ID: "1", Public: profile.Public{Name: text, Avatar: text, Link: text}},
		{ID: "2", Public: profile.Public{Name: "a" + text}},
	}
	for i, e := range people {
		e.Rank, e.Score, e.Firsts, e.Days = int64(i+1), 9, 1, []int64{1, 9}
		b.Entries = append(b.Entries, e)
	}
	b.Near, b.Won = b.Entries[:1], []embed.Board{b}
	return b
}

func TestFormsAreXMLWithAnyStoredText(t *testing.T) {
	t.Parallel()
	texts := []string{"<&>\"'", "]]>", "<!--", "a\xff", "\xed\xa0\x80", "&#xffff;", "&#0;"}
	for _, plane := range []rune{0, 1, 2, 14, 16} {
		for r := plane << 16; r < plane<<16+0x10000; r++ {
			if plane > 0 && r&0xfff > 0x20 && r&0xffff < 0xfff0 || unicode.IsLetter(r) && r > 0x17f {
				continue // each kind is there
			}
			texts = append(texts, string(r))
		}
	}
	for name, write := range writers {
		for some := range len(texts)/64 + 1 {
			text := strings.Join(texts[some*64:min(len(texts), some*64+64)], "")
			out := written(t, write, board(text), embed.Options{User: text, Forum: text, Address: "https://l.example/x"})
			bad := func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff }
			if !utf8.ValidString(out) || strings.ContainsFunc(out, bad) {
				t.Errorf("%s of %+q has an invalid character", name, text)
			}
			if err := isXML(out); err != nil && !strings.HasSuffix(name, "html") {
				t.Errorf("%s of %+q: %v", name, text, err)
			}
		}
	}
	if isXML("<a>\uffff</a>") == nil {
		t.Error("the test takes anything")
	}
}
