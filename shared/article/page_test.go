package article_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"laurel/internal/harness"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/codec"
)

// pages draws a page as a store has it.
func pages() *rapid.Generator[article.Page] {
	return rapid.Custom(func(t *rapid.T) article.Page {
		p := article.Page{
			State: article.State(rapid.IntRange(0, int(article.Deleted)).Draw(t, "state")),
		}
		p.ID = rapid.StringN(1, 20, 128).Draw(t, "id")
		p.Author = rapid.StringN(0, 16, 64).Draw(t, "author")
		p.Title = rapid.StringN(0, 300, -1).Draw(t, "title")
		p.Link = rapid.StringN(0, 50, -1).Draw(t, "link")
		p.Unlisted = rapid.Bool().Draw(t, "unlisted")
		p.Removed = p.Unlisted && rapid.Bool().Draw(t, "removed")
		p.Changed = rapid.SampledFrom([]board.Moment{0, p.Published, board.Earliest, board.Latest - 1}).Draw(t, "changed")
		p.Published = board.Moment(rapid.Int64Range(int64(board.Earliest), int64(board.Latest)-1).Draw(t, "published"))
		if groups := rapid.SliceOfN(rapid.StringN(1, 16, 64), 0, 20).Draw(t, "groups"); len(groups) > 0 {
			p.Groups = article.SortGroups(groups)
		}
		return p
	})
}

// Hostile bytes, with a checksum that fits, are an error or a page that is
// written as the same bytes.
func FuzzDecodePage(f *testing.F) {
	p := article.Page{
		State: article.Left,
		Article: article.Article{
			ID: "1", Author: "ann", Published: noon, Title: "A title", Link: "http://a",
			Groups: []string{"a", "b"},
		},
	}
	f.Add(p.Encode())
	f.Add("")
	f.Add(p.Encode()[:len(p.Encode())-4] + "\x00") // changed at 0
	f.Fuzz(func(t *testing.T, body string) {
		for _, page := range []string{body, string(codec.Seal([]byte(body), "1"))} {
			got, err := article.DecodePage("1", page)
			if err == nil && got.Encode() != page {
				t.Errorf("%q is written as %q", page, got.Encode())
			}
			if err != nil && !errors.Is(err, codec.ErrDamaged) {
				t.Errorf("%v is not damage", err)
			}
		}
	})
}

// Sealed bytes of a page that is none are damage.
func TestDamagedPages(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*article.Page){
		"an unknown state":     func(p *article.Page) { p.State = article.Deleted + 1 },
		"removed, but listed":  func(p *article.Page) { p.Removed = true },
		"a moment past all":    func(p *article.Page) { p.Published = board.Latest },
		"changed past all":     func(p *article.Page) { p.Changed = board.Latest },
		"an author's long id":  func(p *article.Page) { p.Author = strings.Repeat("a", 65) },
		"a group too many":     func(p *article.Page) { p.Groups = article.SortGroups(groups(21)) },
		"groups out of order":  func(p *article.Page) { p.Groups = []string{"b", "a"} },
		"right, with 20 of 64": nil,
	} {
		p := article.Page{Article: article.Article{
			ID: "1", Author: strings.Repeat("a", 64), Published: noon, Groups: article.SortGroups(groups(20)),
		}}
		if change != nil {
			change(&p)
		}
		if _, err := article.DecodePage("1", p.Encode()); errors.Is(err, codec.ErrDamaged) != (change != nil) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A page reads back, with its votes once they are final, as that article alone.
func TestPageReadsBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := pages().Draw(t, "page")
		p.Votes = rapid.Int64Range(0, 1<<40).Draw(t, "votes")
		kept := p.Encode()
		if p.State == article.Voting || p.State == article.Deleted {
			p.Votes = 0
		}
		got := harness.Must(article.DecodePage(p.ID, kept))(t)
		if diff := cmp.Diff(p, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if _, err := article.DecodePage(p.ID+"x", kept); !errors.Is(err, codec.ErrDamaged) {
			t.Errorf("kept as another article: %v", err)
		}
	})
}
