package record

import (
	"context"
	"slices"

	"laurel/shared/article"
	"laurel/shared/records"
	"laurel/shared/view"
)

// articles compares the articles of a bucket.
func (c *comparison) articles(ctx context.Context, head *records.Head, bucket int) error {
	chunk := make([]records.ArticleRow, 0, compareChunk)
	for row, err := range c.records.Articles(ctx, bucket, "") {
		if err != nil {
			return err
		}
		if row.Err != nil {
			c.mu.Lock()
			c.done.Damaged++
			c.mu.Unlock()
			c.log.ErrorContext(ctx, "an article cannot be read", "article", row.ID, "cause", row.Err)
			continue
		}
		if chunk = append(chunk, row); len(chunk) == compareChunk {
			if err := c.articleChunk(ctx, head, chunk); err != nil {
				return err
			}
			chunk = chunk[:0]
		}
	}
	return c.articleChunk(ctx, head, chunk)
}

// articleChunk shows those of some articles of which the view has not seen the revision.
func (c *comparison) articleChunk(ctx context.Context, head *records.Head, rows []records.ArticleRow) error {
	if len(rows) == 0 {
		return nil
	}
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	// What was seen is read after the articles: one that is changed in between is no older.
	seen, err := c.view.SeenArticles(ctx, ids...)
	if err != nil {
		return err
	}
	behind := slices.DeleteFunc(slices.Clone(rows), func(row records.ArticleRow) bool {
		was := seen[row.ID]
		return !c.all && row.Row.Revision <= was || was == 0 && row.Row.Value.Gone()
	})
	c.count(rows)
	if len(behind) == 0 || c.Audit {
		return nil
	}
	authors, err := c.authorsOf(ctx, head, behind)
	if err != nil {
		return err
	}
	units := make([]view.ArticleUnit, len(behind))
	for i, row := range behind {
		units[i] = articleUnit(row.Row, authors[row.Row.Value.Author])
	}
	c.mu.Lock()
	c.done.Shown += int64(len(units))
	c.mu.Unlock()
	_, err = c.view.ShowArticles(ctx, head.Life.Number(), units...) // what is refused was shown by others
	return err
}

// authorsOf reads the people who wrote articles, by id.
func (c *comparison) authorsOf(ctx context.Context, head *records.Head, rows []records.ArticleRow) (
	map[string]records.Row[*records.Person], error,
) {
	var q records.Query
	for _, row := range rows {
		if author := row.Row.Value.Author; author != "" {
			q.People = append(q.People, head.KeyOf(author))
		}
	}
	found, err := c.records.Read(ctx, q)
	if err != nil {
		return nil, err
	}
	authors := map[string]records.Row[*records.Person]{}
	for _, row := range rows {
		author := row.Row.Value.Author
		authors[author] = found.People[head.KeyOf(author)]
	}
	return authors, nil
}

// count notes what lists are to have.
func (c *comparison) count(rows []records.ArticleRow) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, row := range rows {
		p := &row.Row.Value.Page
		if !c.Scores {
			continue
		}
		if p.Listed() {
			for _, group := range append([]string{""}, p.Groups...) {
				c.listed[group]++
			}
		}
		if p.State == article.Voting && !p.Gone() {
			c.voting = append(c.voting, p.ID)
		}
	}
}
