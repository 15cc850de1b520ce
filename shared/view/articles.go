package view

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"laurel/shared/article"
)

//go:embed read_articles.lua
var readArticlesSource string

var readArticlesScript = newScript(readArticlesSource)

// List reads a piece of a list, with the names of authors, in one trip. A group that nobody is in
// is a list without articles.
func (s *Store) List(ctx context.Context, v article.View) (ArticleList, error) {
	return s.readArticles(ctx, s.listKey(v.Sort, v.Group), v.Offset, v.Limit, "")
}

// Article reads an article, in one trip. The error wraps ErrNoArticle if there is none, or it is
// gone.
func (s *Store) Article(ctx context.Context, id string) (Listed, error) {
	found, err := s.readArticles(ctx, s.listKey(article.Hot, ""), 0, 1, id)
	if err == nil && len(found.Articles) == 0 {
		err = fmt.Errorf("%w: %q", ErrNoArticle, id)
	}
	if err != nil {
		return Listed{}, err
	}
	return found.Articles[0], nil
}

// readArticles reads a piece of a list, or the article with an id.
func (s *Store) readArticles(ctx context.Context, list string, offset, limit int64, id string,
) (found ArticleList, err error) {
	err = s.identity(ctx, func(is string) error {
		c := &call{
			script: readArticlesScript, args: []string{is, number(offset), number(limit), id},
			keys: []string{
				s.markerKey(Articles), list, s.key(Articles, "pages"), s.key(Articles, "votes"), s.key(Articles, "authors"),
			},
		}
		s.run(ctx, []*call{c})
		reply, err := c.cmd.Slice()
		if err != nil {
			return unavailable("read articles", err)
		}
		found, err = parseArticles(reply)
		return err
	})
	return found, err
}

func parseArticles(reply []any) (found ArticleList, err error) {
	if len(reply) != 5 {
		return found, unreadable("an answer about articles is not of five parts")
	}
	found.Total, _ = reply[0].(int64)
	ids, values, votes, names := texts(reply[1]), texts(reply[2]), texts(reply[3]), texts(reply[4])
	for i, id := range ids {
		if values[i] == "" {
			continue
		}
		page, there, err := parseValue(id, values[i], votes[i])
		if err != nil {
			return ArticleList{}, err
		}
		if there {
			_, name, _ := strings.Cut(names[i], " ")
			found.Articles = append(found.Articles, Listed{Page: page, Name: name})
		}
	}
	return found, nil
}

// Groups reads the groups that have articles, by name, in one trip.
func (s *Store) Groups(ctx context.Context) (groups []article.Group, err error) {
	err = s.identity(ctx, func(is string) error {
		var counts *redis.MapStringStringCmd
		err := s.plain(ctx, is, []Slot{Articles}, false, func(pipe redis.Pipeliner) {
			counts = pipe.HGetAll(ctx, s.key(Articles, "groups"))
		})
		if err = cmp.Or(err, firstError(counts)); err != nil {
			return unavailable("read the groups", err)
		}
		groups = make([]article.Group, 0, len(counts.Val()))
		for name, count := range counts.Val() {
			n, err := strconv.ParseInt(count, 10, 64)
			if err != nil {
				return unreadable(fmt.Sprintf("%q articles in group %q", count, name))
			}
			groups = append(groups, article.Group{Name: name, Articles: n})
		}
		slices.SortFunc(groups, func(a, b article.Group) int { return strings.Compare(a.Name, b.Name) })
		return nil
	})
	return groups, err
}
