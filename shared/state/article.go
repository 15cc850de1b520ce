package state

import (
	"context"
	"iter"

	"laurel/shared/article"
)

const articles = "ARTICLES"

// ChangeArticle replaces what is kept of an article by what change makes of it; known is
// false if nothing is kept. change may be called more than once.
func (s *Store) ChangeArticle(ctx context.Context, id string,
	change func(kept string, known bool) (string, error),
) error {
	return s.change(ctx, numbered(articles, id), 0, texts(change))
}

// RemoveArticle removes all that is kept of an article: the archive has it.
func (s *Store) RemoveArticle(ctx context.Context, id string) error {
	key := numbered(articles, id)
	return wrap("delete from", key, s.table.Delete(ctx, key))
}

// Articles returns all articles that are kept: those on lists, and those that have left
// them and are not forgotten. They have no votes while voting is open. After an error
// about a damaged one the others follow.
func (s *Store) Articles(ctx context.Context) iter.Seq2[article.Page, error] {
	return func(yield func(article.Page, error) bool) {
		for item, err := range s.each(ctx, articles) {
			var page article.Page
			if err == nil {
				if page, err = article.DecodeKept(item.Sort, string(item.Data)); err != nil {
					err = damaged(item.Key, err)
				}
			}
			if !yield(page, err) {
				return
			}
		}
	}
}
