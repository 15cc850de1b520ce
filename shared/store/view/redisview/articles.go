package redisview

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"laurel/shared/core/article"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
)

var readArticlesScript = newScript("slot.lua", "read_articles.lua")

// List reads a piece of a list in one trip. A group that nobody is in has none.
func (s *Store) List(ctx context.Context, v article.View) (found view.ArticleList, err error) {
	err = s.identity(ctx, func(identity string) error {
		return s.ask(ctx, "read articles", &call{
			script: readArticlesScript, args: []string{identity, number(v.Offset), number(v.Limit)},
			keys: []string{s.markerKey(view.Articles), s.listKey(v.Sort, v.Group), s.articlesKey(), s.votesKey()},
			take: func(reply []any) (err error) {
				found.Total, _ = reply[0].(int64)
				found.Articles, err = parseListed(texts(reply[1]), texts(reply[2]), texts(reply[3]))
				return err
			},
		})
	})
	return found, err
}

// Articles reads articles by their ids, those that the view has, in one trip.
func (s *Store) Articles(ctx context.Context, ids ...string) (map[string]view.Listed, error) {
	found := map[string]view.Listed{}
	if len(ids) == 0 {
		return found, nil
	}
	var lines, votes *redis.SliceCmd
	err := s.plain(ctx, "read articles", []view.Slot{view.Articles}, false, func(pipe redis.Pipeliner) {
		lines, votes = pipe.HMGet(ctx, s.articlesKey(), ids...), pipe.HMGet(ctx, s.votesKey(), ids...)
	})
	if err != nil {
		return nil, err
	}
	all, err := parseListed(ids, texts(lines.Val()), texts(votes.Val()))
	for _, a := range all {
		found[a.ID] = a
	}
	return found, err
}

// Groups reads the groups that have articles, by name, in one trip.
func (s *Store) Groups(ctx context.Context) ([]article.Group, error) {
	var counts *redis.MapStringStringCmd
	err := s.plain(ctx, "read the groups", []view.Slot{view.Articles}, false, func(pipe redis.Pipeliner) {
		counts = pipe.HGetAll(ctx, s.key(view.Articles, "groups"))
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

// An article is kept as a line, of which article_line.lua reads all but the key:
//
//	revision TAB seconds of publishing TAB own or final votes TAB 1 if votes count, else 0 TAB
//	11 hex digits of its members TAB key of the author TAB lists
//
// The lists are "" if it is on none; else a byte 0x1f and a group for each, first "" for all
// articles.
const listMark = "\x1f"

const articleFields = 7 // of a line

// listsIn are those that the article of a unit is on.
func listsIn(u view.ArticleUnit) string {
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

// lineOf is an article as it is kept.
func (s *Store) lineOf(u view.ArticleUnit) string {
	votes, open, by := u.Votes, u.State == article.Voting, ""
	if open {
		votes = s.options.Articles.OwnVotes()
	}
	if u.By != (items.Key{}) {
		by = u.By.String()
	}
	return strings.Join([]string{
		number(u.Revision), number(u.Seconds()), number(votes), flag(open), u.Member()[:article.AgeLen], by, listsIn(u),
	}, "\t")
}

// parseListed reads articles as they are kept, with the votes that were counted, and leaves out those that are not.
func parseListed(ids, lines, counted []string) (all []view.Listed, err error) {
	for i, line := range lines {
		if line == "" {
			continue
		}
		a, err := parseLine(ids[i], line, counted[i])
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, nil
}

// parseLine reads an article as it is kept, with the votes that were counted.
func parseLine(id, line, counted string) (a view.Listed, err error) {
	fields := strings.Split(line, "\t")
	if len(fields) != articleFields {
		return a, unreadable(fmt.Sprintf("article %q", id))
	}
	a = view.Listed{ID: id, Revision: revisionOf(line), Open: fields[3] == "1"}
	if fields[5] != "" {
		if a.By, err = items.ParseKey(fields[5]); err != nil {
			return a, fmt.Errorf("%w: article %q: %w", ErrStored, id, err)
		}
	}
	if a.Votes, err = strconv.ParseInt(fields[2], 10, 64); err == nil && a.Open && counted != "" {
		var n int64
		n, err = strconv.ParseInt(counted, 10, 64)
		a.Votes += n
	}
	if err != nil {
		return a, unreadable(fmt.Sprintf("the votes of article %q", id))
	}
	return a, nil
}

// revisionOf reads the revision that a value begins with, 0 if there is none.
func revisionOf(value string) int64 {
	rest := strings.TrimLeft(value, "0123456789")
	n, _ := strconv.ParseInt(strings.TrimSuffix(value, rest), 10, 64) // a damaged article was not seen
	return n
}
