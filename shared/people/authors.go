package people

import (
	"context"
	"maps"
	"slices"
)

// Authors has the copies that lists of articles show; a live.Articles is one. A copy
// stays when an older one comes.
type Authors interface {
	// FillAuthors keeps copies of authors.
	FillAuthors(ctx context.Context, copies map[string]string) error
	// RefreshAuthors is FillAuthors for those alone of whom a copy is there.
	RefreshAuthors(ctx context.Context, copies map[string]string) error
}

// Authors returns what the authors of articles are called, whoever has a profile: by
// the copies that came with the articles, and where there was none, "", by the table,
// from which the copies are filled. As Names it does not fail, and does not wait long.
func (p *People) Authors(ctx context.Context, copies map[string]string) map[string]Profile {
	texts := maps.Clone(copies)
	maps.DeleteFunc(texts, func(_, text string) bool { return text == "" })
	found := p.parse(ctx, texts)
	missing := slices.Sorted(maps.Keys(copies))
	missing = slices.DeleteFunc(missing, func(user string) bool { _, known := found[user]; return known })
	g := p.gather()
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
			p.Log.WarnContext(ctx, "copies of authors are not filled", "users", len(read), "error", err.Error())
		}
	}
	return g.names
}
