package recording

import (
	"context"
	"slices"

	"laurel/shared/core/article"
)

// Trim takes those articles whose votes are final off the lists that are not among the first keep of any of their
// lists, and returns how many. They stay in the table and can be read. It goes over all articles, if there are more
// than keep on the lists. Votes that are not final yet count as if there were none, which keeps more.
func (s *Articles) Trim(ctx context.Context, keep int64) (int64, error) {
	list, err := s.view.List(ctx, article.View{Sort: article.New})
	if err != nil || list.Total <= keep {
		return 0, err
	}
	var all []article.Page
	for row, err := range s.items.AllArticles(ctx) {
		if err != nil {
			return 0, err
		}
		if row.Err == nil && row.Value.Listed() {
			p := *row.Value
			p.Title, p.Link = "", ""
			all = append(all, p)
		}
	}
	return s.changeEach(ctx, s.beyond(all, keep), func(p *article.Page) bool {
		if p.Listed() {
			p.State = article.Left
		}
		return p.State == article.Left
	})
}

// beyond returns the articles of final votes that are not among the first keep of any list.
func (s *Articles) beyond(all []article.Page, keep int64) (ids []string) {
	rules := s.Rules()
	kept := make(map[string]bool, keep)
	for _, by := range []func(a, b article.Article) int{rules.CompareHot, article.CompareNew} {
		slices.SortFunc(all, func(a, b article.Page) int { return by(a.Article, b.Article) })
		taken := map[string]int64{}
		for _, p := range all {
			for _, group := range append([]string{""}, p.Groups...) {
				if taken[group]++; taken[group] <= keep {
					kept[p.ID] = true
				}
			}
		}
	}
	for _, p := range all {
		if p.State == article.VotesFinal && !kept[p.ID] {
			ids = append(ids, p.ID)
		}
	}
	return ids
}
