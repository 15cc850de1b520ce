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
	return s.read(ctx, listKey(v.Sort, v.Group), v.Offset, v.Limit, "")
}

// Get reads an article, in one round trip. The error wraps ErrNoArticle, which the
// archive may have, or ErrDeleted.
func (s *Store) Get(ctx context.Context, id string) (Listed, error) {
	found, err := s.read(ctx, listKey(article.Hot, ""), 0, 0, id)
	switch {
	case err != nil:
		return Listed{}, err
	case len(found.Articles) == 0:
		return Listed{}, fmt.Errorf("%w: %q", ErrNoArticle, id)
	case found.Articles[0].State == article.Deleted:
		return found.Articles[0], fmt.Errorf("%w: %q", ErrDeleted, id)
	}
	return found.Articles[0], nil
}

// read reads a piece of a list, or the article with an id.
func (s *Store) read(ctx context.Context, list string, offset, limit int64, id string) (List, error) {
	c := &redisstore.Call{
		Script: s.scripts.read,
		Keys:   []string{list, articlePages, articleVotes, articleWrote, articleAuthors},
		Args:   []any{offset, limit, id},
	}
	s.redis.Run(ctx, c)
	reply, err := c.Cmd.Slice()
	if err != nil {
		return List{}, redisstore.Unavailable("read articles", err)
	}
	total, ok := reply[0].(int64)
	if !ok || len(reply) != 6 {
		return List{}, redisstore.Unreadable(fmt.Sprintf("articles %v", reply))
	}
	mark, _ := reply[5].(string)
	if err := s.redis.CheckMark(mark); err != nil {
		return List{}, err
	}
	ids, pages, votes, profiles := redisstore.Texts(reply[1]), redisstore.Texts(reply[2]), redisstore.Texts(reply[3]),
		redisstore.Texts(reply[4])
	found := List{Total: total, Articles: make([]Listed, len(ids))}
	for i, id := range ids {
		page, err := parsePage(id, pages[i], votes[i])
		if err != nil {
			return List{}, err
		}
		found.Articles[i] = Listed{Page: page, Profile: profiles[i]}
	}
	return found, nil
}

// Groups reads the groups that have articles, by name, in one round trip.
func (s *Store) Groups(ctx context.Context) ([]article.Group, error) {
	pipe := s.redis.Client().Pipeline()
	mark, counts := pipe.HGet(ctx, articlePages, redisstore.ArticleMarkField), pipe.HGetAll(ctx, articleGroups)
	_, _ = pipe.Exec(ctx)
	if err := redisstore.FirstError(mark, counts); err != nil {
		return nil, redisstore.Unavailable("read the groups", err)
	}
	if err := s.redis.CheckMark(mark.Val()); err != nil {
		return nil, err
	}
	groups := make([]article.Group, 0, len(counts.Val()))
	for name, count := range counts.Val() {
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
	pages := pipe.HMGet(ctx, articlePages, withMark(ids)...)
	votes := make([]*redis.StringCmd, len(ids))
	for i, id := range ids {
		votes[i] = pipe.HGet(ctx, votersKey(id), user)
	}
	_, _ = pipe.Exec(ctx)
	if err := pages.Err(); err != nil {
		return nil, redisstore.Unavailable("read articles", err)
	}
	read, err := s.cutMark(pages.Val())
	if err != nil {
		return nil, err
	}
	var voted []string
	for i, id := range ids {
		if err := redisstore.FirstError(votes[i]); err != nil {
			return nil, redisstore.Unavailable("read votes", err)
		}
		page, _ := read[i].(string)
		if page == "" {
			continue
		}
		p, err := article.DecodePage(id, page)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", redisstore.ErrStored, err)
		}
		v, err := strconv.ParseInt(cmp.Or(votes[i].Val(), "0"), 10, 64)
		if err != nil {
			return nil, redisstore.Damaged(user, fmt.Errorf("vote %q for article %q", votes[i].Val(), id))
		}
		own := user == p.Author && s.rules.OwnVote
		if !p.Gone() && s.rules.Open(p.Article, now) && (own || article.Vote(v).Stands()) {
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
