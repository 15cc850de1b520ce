package articles

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
	"laurel/shared/redisstore"
)

// A Listed is an article as lists show it.
type Listed struct {
	article.Page
	Profile string // the copy of the author's profile, "" when it is not in Redis
}

// An List is a piece of a list of articles.
type List struct {
	Total    int64 // articles on the whole list
	Articles []Listed
}

// List reads a piece of a list, with the copies of the authors' profiles, in one
// round trip. A group that nobody is in is a list without articles.
func (s *Store) List(ctx context.Context, v article.View) (List, error) {
	c := &redisstore.Call{
		Script: s.scripts.list,
		Keys:   []string{listKey(v.Sort, v.Group), articlePages, articleVotes, articleAuthors},
		Args:   []any{v.Offset, v.Limit},
	}
	s.redis.Run(ctx, c)
	reply, err := c.Cmd.Slice()
	if err != nil {
		return List{}, redisstore.Unavailable("read a list of articles", err)
	}
	var list List
	var ok bool
	if list.Total, ok = reply[0].(int64); !ok {
		return List{}, fmt.Errorf("%w: a list's total %v", redisstore.ErrStored, reply[0])
	}
	list.Articles = make([]Listed, len(reply)-1)
	for i, row := range reply[1:] {
		if list.Articles[i], err = listedArticle(row); err != nil {
			return List{}, err
		}
	}
	return list, nil
}

// Get reads an article, in one round trip. The error wraps ErrNoArticle, which the
// archive may have, or ErrDeleted.
func (s *Store) Get(ctx context.Context, id string) (Listed, error) {
	c := &redisstore.Call{Script: s.scripts.get, Keys: []string{articlePages, articleVotes, articleAuthors}, Args: []any{id}}
	s.redis.Run(ctx, c)
	reply, err := c.Cmd.Slice()
	if err != nil {
		return Listed{}, redisstore.Unavailable("read an article", err)
	}
	a, err := listedArticle(reply[0])
	if err == nil && a.State == article.Deleted {
		err = fmt.Errorf("%w: %q", ErrDeleted, id)
	}
	return a, err
}

// listedArticle reads an article as article_list.lua and article_get.lua answer it.
func listedArticle(row any) (Listed, error) {
	parts, _ := row.([]any)
	if len(parts) != 4 {
		return Listed{}, fmt.Errorf("%w: an article's answer %v", redisstore.ErrStored, row)
	}
	id, _ := parts[0].(string)
	page, err := pageOf(id, parts[1], parts[2])
	profile, _ := parts[3].(string)
	return Listed{Page: page, Profile: profile}, err
}

// Groups reads the groups that have articles, by name, in one round trip.
func (s *Store) Groups(ctx context.Context) ([]article.Group, error) {
	counts, err := s.redis.Client().HGetAll(ctx, articleGroups).Result()
	if err != nil {
		return nil, redisstore.Unavailable("read the groups", err)
	}
	groups := make([]article.Group, 0, len(counts))
	for name, count := range counts {
		n, err := strconv.ParseInt(count, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%w: %q articles in group %q", redisstore.ErrStored, count, name)
		}
		groups = append(groups, article.Group{Name: name, Articles: n})
	}
	slices.SortFunc(groups, func(a, b article.Group) int { return strings.Compare(a.Name, b.Name) })
	return groups, nil
}

// Voted returns which of the articles a user has voted for, in their order and in
// one round trip: those whose voting is open at now. The author's own vote is one.
func (s *Store) Voted(ctx context.Context, user string, ids []string, now board.Moment) ([]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	pipe := s.redis.Client().Pipeline()
	pages := pipe.HMGet(ctx, articlePages, ids...)
	votes := make([]*redis.StringCmd, len(ids))
	for i, id := range ids {
		votes[i] = pipe.HGet(ctx, votersKey(id), user)
	}
	_, _ = pipe.Exec(ctx)
	if err := pages.Err(); err != nil {
		return nil, redisstore.Unavailable("read articles", err)
	}
	var voted []string
	for i, id := range ids {
		if err := redisstore.FirstError(votes[i]); err != nil {
			return nil, redisstore.Unavailable("read votes", err)
		}
		page, _ := pages.Val()[i].(string)
		if page == "" {
			continue
		}
		p, err := article.DecodePage(id, page)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", redisstore.ErrStored, err)
		}
		v, err := strconv.ParseInt(cmp.Or(votes[i].Val(), "0"), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%w: vote %q of user %q for article %q", redisstore.ErrStored, votes[i].Val(), user, id)
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
func (s *Store) FillAuthors(ctx context.Context, copies map[string]string) error {
	return s.authors(ctx, "all", copies)
}

// RefreshAuthors is FillAuthors for those users alone of whom a copy is there.
func (s *Store) RefreshAuthors(ctx context.Context, copies map[string]string) error {
	return s.authors(ctx, "known", copies)
}

func (s *Store) authors(ctx context.Context, which string, copies map[string]string) error {
	if len(copies) == 0 {
		return nil
	}
	keys := append(make([]string, 0, 1+len(copies)), articleAuthors)
	args := append(make([]any, 0, 1+2*len(copies)), which)
	for user, profile := range copies {
		keys = append(keys, authoredKey(user))
		args = append(args, user, profile)
	}
	c := &redisstore.Call{Script: s.scripts.authors, Keys: keys, Args: args}
	s.redis.Run(ctx, c)
	if err := c.Cmd.Err(); err != nil {
		return redisstore.Unavailable("keep copies of profiles", err)
	}
	return nil
}
