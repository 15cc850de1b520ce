package articles

import (
	"context"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"

	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/redisstore"
)

// articleChunk is how many articles the nightly run takes at once.
const articleChunk = 500

// DropVoters drops the voters of articles whose votes cannot change after now, and returns
// the number of these articles. From then on their votes are final, also for an import. An
// article that changes at the same time is read again.
func (s *Store) DropVoters(ctx context.Context, now board.Moment) (dropped int64, err error) {
	for {
		before := "(" + number(int64(s.rules.VotesFinalBefore(now)))
		ids, err := s.redis.Client().ZRangeArgs(ctx, redis.ZRangeArgs{
			Key: articleVoting, ByScore: true, Start: "-inf", Stop: before, Count: articleChunk,
		}).Result()
		if err != nil {
			return dropped, redisstore.Unavailable("list articles whose voting is over", err)
		}
		if len(ids) == 0 {
			return dropped, nil
		}
		pages, err := s.pages(ctx, ids)
		if err != nil {
			return dropped, err
		}
		if len(pages) < len(ids) {
			return dropped, fmt.Errorf("%w: %s lists articles without a page", redisstore.ErrStored, articleVoting)
		}
		done, err := s.changeAll(ctx, pages, now, func(p article.Page) (article.Page, error) {
			if p.State == article.Voting {
				p.State = article.VotesFinal
			}
			return p, nil
		})
		dropped += done
		if err != nil {
			return dropped, err
		}
	}
}

// Leave removes articles with final votes that are not among the first keep of any of their
// lists from all lists, and returns their number. Gone lists them for the archive; Get
// returns them until Forget.
func (s *Store) Leave(ctx context.Context, keep int64, now board.Moment) (left int64, err error) {
	for from := keep; ; {
		members, err := s.redis.Client().ZRange(ctx, listKey(article.Hot, ""), from, from+articleChunk-1).Result()
		if err != nil {
			return left, redisstore.Unavailable("list articles", err)
		}
		if len(members) == 0 {
			return left, nil
		}
		ids := make([]string, len(members))
		for i, m := range members {
			ids[i] = m[min(article.AgeLen, len(m)):]
		}
		pages, err := s.pages(ctx, ids)
		if err != nil {
			return left, err
		}
		leaving, err := s.leaving(ctx, pages, keep)
		if err != nil {
			return left, err
		}
		ranked := make(map[string][]string, len(leaving))
		for _, p := range leaving {
			ranked[p.ID] = p.Groups
		}
		done, err := s.changeAll(ctx, leaving, now, func(p article.Page) (article.Page, error) {
			if p.State == article.VotesFinal && p.Listed() && slices.Equal(p.Groups, ranked[p.ID]) {
				p.State = article.Left
			}
			return p, nil
		})
		left += done
		if err != nil {
			return left, err
		}
		from += int64(len(members)) - done
	}
}

// leaving returns those of some articles that may leave.
func (s *Store) leaving(ctx context.Context, pages []article.Page, keep int64) (leaving []article.Page, err error) {
	pipe := s.redis.Client().Pipeline()
	ranks := make([][]*redis.IntCmd, len(pages))
	for i, p := range pages {
		if p.State != article.VotesFinal {
			continue
		}
		for _, group := range append([]string{""}, p.Groups...) {
			for _, by := range []article.Sort{article.Hot, article.New} {
				ranks[i] = append(ranks[i], pipe.ZRank(ctx, listKey(by, group), p.Member()))
			}
		}
	}
	if pipe.Len() == 0 {
		return nil, nil
	}
	_, _ = pipe.Exec(ctx)
	for i, p := range pages {
		leaves := len(ranks[i]) > 0
		for _, rank := range ranks[i] {
			if err := redisstore.FirstError(rank); err != nil {
				return nil, redisstore.Unavailable("find articles on their lists", err)
			}
			leaves = leaves && rank.Err() == nil && rank.Val() >= keep // one that somebody took off meanwhile has no rank
		}
		if leaves {
			leaving = append(leaving, p)
		}
	}
	return leaving, nil
}

// A Gone is what is left of an article that is on no list: its final
// record, or the tombstone of a deleted one. It does not change any more but that
// its author is erased, or it is deleted.
type Gone struct {
	article.Page
	Since board.Moment
}

// Gone returns the articles that are on no list any more, those that have been off
// longest first, a chunk a round trip.
func (s *Store) Gone(ctx context.Context) ([]Gone, error) {
	all, err := s.redis.Client().ZRangeWithScores(ctx, articleGone, 0, -1).Result()
	if err != nil {
		return nil, redisstore.Unavailable("list what is gone", err)
	}
	gone := make([]Gone, 0, len(all))
	since := make(map[string]board.Moment, len(all))
	for len(all) > 0 {
		chunk := all[:min(articleChunk, len(all))]
		all = all[len(chunk):]
		ids := make([]string, len(chunk))
		for i, z := range chunk {
			ids[i], _ = z.Member.(string)
			since[ids[i]] = board.Moment(z.Score)
		}
		pages, err := s.pages(ctx, ids)
		if err != nil {
			return nil, err
		}
		for _, p := range pages {
			gone = append(gone, Gone{p, since[p.ID]})
		}
	}
	return gone, nil
}

// Forget removes what is left of an article that is in the archive, and says
// whether it did: not when it has changed since it was read. Who forgets waits a
// day after Since: so long it tells a creation of the same id, which has looked in
// the archive before the article came there, that the id is taken.
//
// What is kept goes first: an article that has changed since is kept again, or is
// forgotten the next time.
func (s *Store) Forget(ctx context.Context, g Gone) (bool, error) {
	if s.kept != nil {
		if err := s.kept.RemoveArticle(ctx, g.ID); err != nil {
			return false, err
		}
	}
	c := &redisstore.Call{
		Script: s.scripts.forget,
		Keys:   []string{articlePages, articleVotes, articleWrote, articleGone, authoredKey(g.Author), articleAuthors},
		Args:   []any{g.ID, g.Version, g.Author},
	}
	s.redis.Run(ctx, c)
	return redisstore.AllDone("forget an article", c)
}

// pages reads the pages and votes of articles, those that are there.
func (s *Store) pages(ctx context.Context, ids []string) ([]article.Page, error) {
	pipe := s.redis.Client().Pipeline()
	read, votes := pipe.HMGet(ctx, articlePages, withMark(ids)...), pipe.HMGet(ctx, articleVotes, ids...)
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, redisstore.Unavailable("read articles", err)
	}
	found, err := s.cutMark(read.Val())
	if err != nil {
		return nil, err
	}
	pages := make([]article.Page, 0, len(ids))
	for i, id := range ids {
		if found[i] == nil {
			continue
		}
		page, _ := found[i].(string)
		count, _ := votes.Val()[i].(string)
		p, err := parsePage(id, page, count)
		if err != nil {
			return nil, err
		}
		pages = append(pages, p)
	}
	return pages, nil
}
