package article_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
)

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

// A page reads back, with its votes once they are final, as that article alone; sealed bytes of none are damage.
func TestPages(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*article.Page)
		votes  int64
		want   error
	}{
		"voting":            {func(*article.Page) {}, 0, nil},
		"final":             {func(p *article.Page) { p.State, p.Changed = article.VotesFinal, noon }, 1 << 40, nil},
		"trimmed, unlisted": {func(p *article.Page) { p.State, p.Unlisted = article.Left, true }, 1 << 40, nil},
		"deleted, removed": {func(p *article.Page) {
			p.State, p.Unlisted, p.Removed = article.Deleted, true, true
		}, 0, nil},
		"an unknown state":    {func(p *article.Page) { p.State = article.Deleted + 1 }, 0, codec.ErrDamaged},
		"removed, but listed": {func(p *article.Page) { p.Removed = true }, 0, codec.ErrDamaged},
		"a moment past all":   {func(p *article.Page) { p.Published = board.Latest }, 0, codec.ErrDamaged},
		"changed past all":    {func(p *article.Page) { p.Changed = board.Latest }, 0, codec.ErrDamaged},
		"an author's long id": {func(p *article.Page) { p.Author += "a" }, 0, codec.ErrDamaged},
		"a group too many":    {func(p *article.Page) { p.Groups = article.SortGroups(groups(21)) }, 0, codec.ErrDamaged},
		"groups out of order": {func(p *article.Page) { p.Groups = []string{"b", "a"} }, 0, codec.ErrDamaged},
	} {
		p := article.Page{Article: article.Article{
			ID: "1", Author: strings.Repeat("a", 64), Published: noon, Title: "語", Link: "https://a", Votes: 1 << 40,
			Groups: article.SortGroups(groups(20)),
		}}
		c.change(&p)
		kept := p.Encode()
		got, err := article.DecodePage("1", kept)
		p.Votes = c.votes
		if diff := cmp.Diff(p, got); !errors.Is(err, c.want) || diff != "" && err == nil {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
		if _, err := article.DecodePage("2", kept); !errors.Is(err, codec.ErrDamaged) {
			t.Errorf("%s, kept as another article: %v", name, err)
		}
	}
}
