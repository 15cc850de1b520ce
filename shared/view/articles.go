package view

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"laurel/shared/article"
)

var readArticlesScript = newScript("read_articles.lua")

// List reads a piece of a list, with the names of authors, in one trip. A group that nobody is in has none.
func (s *Store) List(ctx context.Context, v article.View) (ArticleList, error) {
	return s.readArticles(ctx, s.listKey(v.Sort, v.Group), v.Offset, v.Limit, "")
}

// Article reads an article, in one trip. The error wraps ErrNoArticle if there is none, or it is gone.
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
		return s.ask(ctx, "read articles", &call{
			script: readArticlesScript, args: []string{is, number(offset), number(limit), id},
			keys: []string{
				s.markerKey(Articles), list, s.key(Articles, "pages"), s.key(Articles, "votes"), s.key(Articles, "authors"),
			},
			take: func(reply []any) (err error) {
				found, err = parseArticles(reply)
				return err
			},
		})
	})
	return found, err
}

func parseArticles(reply []any) (found ArticleList, err error) {
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
func (s *Store) Groups(ctx context.Context) ([]article.Group, error) {
	var counts *redis.MapStringStringCmd
	err := s.plain(ctx, "read the groups", []Slot{Articles}, false, func(pipe redis.Pipeliner) {
		counts = pipe.HGetAll(ctx, s.key(Articles, "groups"))
	})
	if err != nil {
		return nil, err
	}
	groups := make([]article.Group, 0, len(counts.Val()))
	for name, count := range counts.Val() {
		n, err := strconv.ParseInt(count, 10, 64)
		if err != nil {
			return nil, unreadable(fmt.Sprintf("%q articles in group %q", count, name))
		}
		groups = append(groups, article.Group{Name: name, Articles: n})
	}
	slices.SortFunc(groups, func(a, b article.Group) int { return strings.Compare(a.Name, b.Name) })
	return groups, nil
}

// An article is kept as a line, which scripts read, and the page of package article behind it:
//
//	revision TAB score without votes TAB own or final votes TAB 1 if votes count, else 0 TAB
//	11 hex digits of its members TAB author TAB lists LF page
//
// The lists are "" if it is on none; else a byte 0x1f and a group for each, first "" for all
// articles. One that is gone has neither page nor author, nor digits.
const listMark = "\x1f"

const articleFields = 7 // of a line

// lists are those that the article of a unit is on.
func (u ArticleUnit) lists() string {
	if u.Withheld {
		return ""
	}
	return listsOf(u.Page)
}

// listsOf are the lists that an article is on, if its author is not withheld.
func listsOf(p article.Page) string {
	if !p.Listed() {
		return ""
	}
	var b strings.Builder
	b.WriteString(listMark)
	for _, group := range p.Groups {
		b.WriteString(listMark + group)
	}
	return b.String()
}

// groupsIn are the groups of lists, with "" for all articles.
func groupsIn(lists string) []string {
	if lists == "" {
		return nil
	}
	return strings.Split(lists[len(listMark):], listMark)
}

// valueOf is an article as it is kept, "" if it is gone for good.
func (s *Store) valueOf(u ArticleUnit) string {
	if u.Revision == 0 {
		return ""
	}
	if u.Gone() {
		return number(u.Revision) + "\t0\t0\t0\t\t\t\n"
	}
	votes, open := u.Votes, 0
	if u.State == article.Voting {
		votes, open = s.options.Articles.OwnVotes(), 1
	}
	return fmt.Sprintf("%d\t%d\t%d\t%d\t%s\t%s\t%s\n%s", u.Revision, u.Seconds(), votes, open,
		u.Member()[:article.AgeLen], u.Author, u.lists(), u.Encode())
}

// parseValue reads an article as it is kept, with the votes that were counted; false says that it is gone.
func parseValue(id, value, counted string) (p article.Page, there bool, err error) {
	line, page, _ := strings.Cut(value, "\n")
	fields := strings.Split(line, "\t")
	if len(fields) != articleFields {
		return p, false, unreadable(fmt.Sprintf("article %q", id))
	}
	if page == "" {
		return p, false, nil
	}
	if p, err = article.DecodePage(id, page); err != nil {
		return p, false, fmt.Errorf("%w: %w", ErrStored, err)
	}
	if p.Votes, err = strconv.ParseInt(fields[2], 10, 64); err == nil && fields[3] == "1" && counted != "" {
		var n int64
		n, err = strconv.ParseInt(counted, 10, 64)
		p.Votes += n
	}
	if err != nil {
		return p, false, unreadable(fmt.Sprintf("the votes of article %q", id))
	}
	return p, true, nil
}

// revisionOf reads the revision that a value begins with, 0 if there is none.
func revisionOf(value string) int64 {
	rest := strings.TrimLeft(value, "0123456789")
	n, _ := strconv.ParseInt(strings.TrimSuffix(value, rest), 10, 64) // a damaged article was not seen
	return n
}
