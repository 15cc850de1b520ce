package people

import (
	"context"
	"maps"
	"slices"
)

// Authors stores the copies of profiles that lists of articles show. A newer copy is
// never replaced by an older one.
type Authors interface {
	// FillAuthors sets copies of authors.
	FillAuthors(ctx context.Context, copies map[string]string) error
	// RefreshAuthors sets copies of those authors who have one already.
	RefreshAuthors(ctx context.Context, copies map[string]string) error
}

// Authors returns the profiles of articles' authors: from the copies that were read
// with the articles, and for a missing one, "", from the table, which also fills the
// copy. Like Names it does not fail and waits at most patience.
func (p *People) Authors(ctx context.Context, copies map[string]string) map[string]Profile {
	texts := maps.Clone(copies)
	maps.DeleteFunc(texts, func(_, text string) bool { return text == "" })
	found := p.parse(ctx, texts)
	missing := slices.Sorted(maps.Keys(copies))
	missing = slices.DeleteFunc(missing, func(user string) bool { _, known := found[user]; return known })
	g := p.gather(len(copies))
	for user, c := range found {
		if !c.None() {
			g.names[user] = c.Profile
		}
	}
	bounded, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	read := g.ask(bounded, missing)
	if p.Articles != nil && len(read) > 0 {
		if err := p.Articles.FillAuthors(bounded, textsOf(read)); err != nil {
			p.Log.WarnContext(ctx, "filling copies of authors failed", "users", len(read), "error", err.Error())
		}
	}
	return g.names
}
