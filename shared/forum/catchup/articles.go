package catchup

import (
	"context"
	"slices"

	"laurel/shared/core/article"
	"laurel/shared/forum/recording"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
)

// articles compares the articles of a bucket.
func (c *comparison) articles(ctx context.Context, bucket int) error {
	if !c.head.Articles {
		return nil
	}
	chunk := make([]items.ArticleRow, 0, chunkLen)
	for row, err := range c.o.Items.Articles(ctx, bucket) {
		if err != nil {
			return err
		}
		if row.Err != nil {
			c.locked(func() { c.done.Damaged++ })
			c.o.Log.ErrorContext(ctx, "an article cannot be read", "article", row.ID, "cause", row.Err)
			continue
		}
		if chunk = append(chunk, row); len(chunk) == chunkLen {
			if err := c.articleChunk(ctx, chunk); err != nil {
				return err
			}
			chunk = chunk[:0]
		}
	}
	return c.articleChunk(ctx, chunk)
}

// articleChunk shows the articles of a chunk that the view lacks; an audit reports them.
func (c *comparison) articleChunk(ctx context.Context, rows []items.ArticleRow) error {
	c.count(rows)
	behind, err := c.articlesBehind(ctx, rows)
	if err != nil || len(behind) == 0 {
		return err
	}
	if c.Audit {
		for _, row := range behind {
			c.tell([]Finding{{Article: row.ID, Part: PartPage}})
		}
		return nil
	}
	var q items.Query
	for _, row := range behind {
		q.People = append(q.People, c.head.KeyOf(row.Value.Author))
	}
	found, err := c.o.Items.Read(ctx, q)
	if err != nil {
		return err
	}
	units := make([]view.ArticleUnit, len(behind))
	for i, row := range behind {
		units[i] = recording.ArticleUnit(c.head, *row.Value, row.Revision, found.People[c.head.KeyOf(row.Value.Author)])
	}
	c.locked(func() { c.done.Shown += int64(len(units)) })
	// A refused article was shown by others.
	_, err = c.o.View.ShowAll(ctx, view.Showing{Table: c.head.Table, Life: c.head.Life.Number(), Articles: units})
	return err
}

// articlesBehind returns the articles whose revision the view has not seen.
func (c *comparison) articlesBehind(ctx context.Context, rows []items.ArticleRow) ([]items.ArticleRow, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	// The seen revisions are read after the articles: an article that is changed in between is no older.
	seen, err := c.o.View.SeenArticles(ctx, ids...)
	if err != nil {
		return nil, err
	}
	if err := c.olderArticles(ctx, rows, seen); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(rows), func(row items.ArticleRow) bool {
		was := seen[row.ID]
		return !c.all && row.Revision <= was || was == 0 && row.Value.Gone()
	}), nil
}

// olderArticles counts the articles of which the view has seen a later revision than the table has now: the seen
// revisions were read after the rows.
func (c *comparison) olderArticles(ctx context.Context, rows []items.ArticleRow, seen map[string]int64) error {
	var q items.Query
	for _, row := range rows {
		if row.Revision < seen[row.ID] {
			q.Articles = append(q.Articles, row.ID)
		}
	}
	if len(q.Articles) == 0 {
		return nil
	}
	found, err := c.o.Items.Read(ctx, q)
	if err != nil {
		return err
	}
	var older int64
	for _, id := range q.Articles {
		if found.Articles[id].Revision < seen[id] {
			older++
		}
	}
	c.restored(ctx, older)
	return nil
}

// count notes the articles that lists should have.
func (c *comparison) count(rows []items.ArticleRow) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, row := range rows {
		p := row.Value
		if !c.Scores {
			continue
		}
		if p.Listed() {
			c.listed = append(c.listed, p)
		}
		if p.State == article.Voting && !p.Gone() {
			c.voting = append(c.voting, p.ID)
		}
	}
}
