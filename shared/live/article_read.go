package live

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"laurel/shared/article"
	"laurel/shared/board"
)

// A ListedArticle is an article as lists show it.
type ListedArticle struct {
	article.Page
	Profile string // the copy of the author's profile, "" when it is not in Redis
}

// An ArticleList is a piece of a list of articles.
type ArticleList struct {
	Total    int64 // articles on the whole list
	Articles []ListedArticle
}

// List reads a piece of a list, with the copies of the authors' profiles, in one
// round trip. A group that nobody is in is a list without articles.
func (s *Articles) List(ctx context.Context, v article.View) (ArticleList, error) {
	c := &call{
		script: s.scripts.list,
		keys:   []string{listKey(v.Sort, v.Group), articlePages, articleVotes, articleAuthors},
		args:   []any{v.Offset, v.Limit},
	}
	s.store.run(ctx, []*call{c})
	reply, err := c.cmd.Slice()
	if err != nil {
		return ArticleList{}, unavailable("read a list of articles", err)
	}
	var list ArticleList
	var ok bool
	if list.Total, ok = reply[0].(int64); !ok {
		return ArticleList{}, fmt.Errorf("%w: a list's total %v", ErrStored, reply[0])
	}
	list.Articles = make([]ListedArticle, len(reply)-1)
	for i, row := range reply[1:] {
		if list.Articles[i], err = listedArticle(row); err != nil {
			return ArticleList{}, err
		}
	}
	return list, nil
}

// Get reads an article, in one round trip. The error wraps ErrNoArticle, which the
// archive may have, or ErrDeleted.
func (s *Articles) Get(ctx context.Context, id string) (ListedArticle, error) {
	c := &call{script: s.scripts.get, keys: []string{articlePages, articleVotes, articleAuthors}, args: []any{id}}
	s.store.run(ctx, []*call{c})
	reply, err := c.cmd.Slice()
	if err != nil {
		return ListedArticle{}, unavailable("read an article", err)
	}
	a, err := listedArticle(reply[0])
	if err == nil && a.State == article.Deleted {
		err = fmt.Errorf("%w: %q", ErrDeleted, id)
	}
	return a, err
}

// listedArticle reads an article as article_list.lua and article_get.lua answer it.
func listedArticle(row any) (ListedArticle, error) {
	parts, _ := row.([]any)
	if len(parts) != 4 {
		return ListedArticle{}, fmt.Errorf("%w: an article's answer %v", ErrStored, row)
	}
	id, _ := parts[0].(string)
	page, err := pageOf(id, parts[1], parts[2])
	profile, _ := parts[3].(string)
	return ListedArticle{Page: page, Profile: profile}, err
}

// Groups reads the groups that have articles, by name, in one round trip.
func (s *Articles) Groups(ctx context.Context) ([]article.Group, error) {
	counts, err := s.store.client.HGetAll(ctx, articleGroups).Result()
	if err != nil {
		return nil, unavailable("read the groups", err)
	}
	groups := make([]article.Group, 0, len(counts))
	for name, count := range counts {
		n, err := strconv.ParseInt(count, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%w: %q articles in group %q", ErrStored, count, name)
		}
		groups = append(groups, article.Group{Name: name, Articles: n})
	}
	slices.SortFunc(groups, func(a, b article.Group) int { return strings.Compare(a.Name, b.Name) })
	return groups, nil
}

// Voted returns which of the articles a user has voted for, in their order and in
// one round trip: those whose voting is open at now. The author's own vote is one.
func (s *Articles) Voted(ctx context.Context, user string, ids []string, now board.Moment) ([]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	pipe := s.store.client.Pipeline()
	pages := pipe.HMGet(ctx, articlePages, ids...)
	votes := make([]*redis.StringCmd, len(ids))
	for i, id := range ids {
		votes[i] = pipe.HGet(ctx, votersKey(id), user)
	}
	_, _ = pipe.Exec(ctx)
	if err := pages.Err(); err != nil {
		return nil, unavailable("read articles", err)
	}
	var voted []string
	for i, id := range ids {
		if err := cmpErr(votes[i]); err != nil {
			return nil, unavailable("read votes", err)
		}
		page, _ := pages.Val()[i].(string)
		if page == "" {
			continue
		}
		p, err := article.DecodePage(id, page)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrStored, err)
		}
		v, err := strconv.ParseInt(cmp.Or(votes[i].Val(), "0"), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%w: vote %q of user %q for article %q", ErrStored, votes[i].Val(), user, id)
		}
		own := user == p.Author && s.rules.OwnVote
		if p.Listed() && s.rules.Open(p.Article, now) && (own || article.Vote(v).Stands()) {
			voted = append(voted, id)
		}
	}
	return voted, nil
}

// FillAuthors keeps copies of profiles, by user, for lists to show: a copy begins
// with the number of its version, and an older one changes nothing. Of users who
// have no article here nothing is kept: so who has read the profile of an author and
// fills it after the author was erased, fills nothing.
func (s *Articles) FillAuthors(ctx context.Context, copies map[string]string) error {
	return s.authors(ctx, "all", copies)
}

// RefreshAuthors is FillAuthors for those users alone of whom a copy is there.
func (s *Articles) RefreshAuthors(ctx context.Context, copies map[string]string) error {
	return s.authors(ctx, "known", copies)
}

func (s *Articles) authors(ctx context.Context, which string, copies map[string]string) error {
	if len(copies) == 0 {
		return nil
	}
	keys := append(make([]string, 0, 1+len(copies)), articleAuthors)
	args := append(make([]any, 0, 1+2*len(copies)), which)
	for user, profile := range copies {
		keys = append(keys, authoredKey(user))
		args = append(args, user, profile)
	}
	c := &call{script: s.scripts.authors, keys: keys, args: args}
	s.store.run(ctx, []*call{c})
	if err := c.cmd.Err(); err != nil {
		return unavailable("keep copies of profiles", err)
	}
	return nil
}
