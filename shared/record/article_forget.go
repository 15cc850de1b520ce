package record

import (
	"context"
	"errors"

	"laurel/shared/article"
	"laurel/shared/board"
)

// Forget takes an author who is erased off articles that were published up to a moment, and
// returns how many those are. It first says that the view is behind: one that is written, and not
// shown because the process ends, is nobody's to show again but a comparison's.
func (s *Articles) Forget(ctx context.Context, author string, until board.Moment, ids ...string) (n int, err error) {
	s.r.Behind(ctx, "an author is erased")
	changes := make([]*articleChange, len(ids))
	for i, id := range ids {
		changes[i] = &articleChange{id: id, decide: func(c *articleChange) (article.Page, error) {
			p := c.page
			if c.was != 0 && p.Author == author && p.Published <= until {
				p.Author = ""
			}
			return p, nil
		}}
	}
	s.change(ctx, changes...)
	for _, c := range changes {
		if c.err != nil {
			err = errors.Join(err, c.err)
			continue
		}
		if c.was != 0 && c.page.Author == "" {
			s.show(ctx, c)
			n++
		}
	}
	return n, err
}
