package importer

import (
	"context"
	"slices"
	"strings"

	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/ledger"
)

// groupSeparator is between the groups of an article.
const groupSeparator = "|"

// articleOf returns the article that a row publishes, nil when it is none.
func articleOf(r row, a activity.Activity) *article.Article {
	title, link, groups := r.values[fieldTitle], r.values[fieldLink], r.values[fieldGroups]
	if a.Action != activity.Publish || title+link+groups == "" {
		return nil
	}
	published := &article.Article{ID: a.Target, Author: a.User, Published: a.At, Title: title, Link: link}
	if groups != "" {
		published.Groups = strings.Split(groups, groupSeparator)
	}
	return published
}

// articleViolations returns what is wrong with an article of an import, by the names
// of a row's fields.
func articleViolations(a article.Article, now board.Moment) []activity.Violation {
	found := article.Violations(a, ledger.Arrival{Now: now, AnyAge: true})
	for i, v := range found {
		switch v.Location {
		case "id":
			found[i].Location = fieldNames[fieldTarget]
		case "author":
			found[i].Location = fieldNames[fieldUser]
		case "publishedAt":
			found[i].Location = fieldNames[fieldAt]
		}
	}
	return found
}

// creations is how many articles are created at a time.
const creations = 500

// creator creates the articles of one input. It is for one goroutine.
type creator struct {
	stores  Stores
	summary *Summary

	first   bool           // the first reading created them; else read creates each
	refused map[int]string // violations that the first reading found, by the line
	lines   []int          // of the pending ones
	pending []article.Article
}

// outcome returns why the article of a line is refused, "" when it exists.
func (c *creator) outcome(ctx context.Context, line int, a article.Article) (violation string, err error) {
	if c.first {
		return c.refused[line], nil
	}
	done, err := c.stores(ctx, Part{Articles: []article.Article{a}})
	if err != nil {
		return "", err
	}
	return c.count(done.Articles[0]), nil
}

// add adds the article of a line to the pending ones. Of two with the same id the first is
// created first.
func (c *creator) add(ctx context.Context, line int, a article.Article) error {
	same := func(other article.Article) bool { return other.ID == a.ID }
	if len(c.pending) == creations || slices.ContainsFunc(c.pending, same) {
		if err := c.flush(ctx); err != nil {
			return err
		}
	}
	c.lines, c.pending = append(c.lines, line), append(c.pending, a)
	return nil
}

// flush creates the pending articles.
func (c *creator) flush(ctx context.Context) error {
	if len(c.pending) == 0 {
		return nil
	}
	done, err := c.stores(ctx, Part{Articles: c.pending})
	for i, one := range done.Articles {
		if !one.Known {
			continue
		}
		if violation := c.count(one); violation != "" {
			c.refused[c.lines[i]] = violation
		}
	}
	c.lines, c.pending = c.lines[:0], c.pending[:0]
	return err
}

// count counts an article and returns why it was refused.
func (c *creator) count(one Creation) (violation string) {
	switch {
	case one.Violation != "":
		return one.Violation
	case one.Created:
		c.summary.Created++
	default:
		c.summary.Known++
	}
	return ""
}
