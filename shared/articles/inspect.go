package articles

import (
	"context"
	"slices"

	"laurel/shared/article"
	"laurel/shared/redisstore"
)

// WrittenBy reads the articles of an author that are in Redis, those that are leaving it too, by
// id.
func (s *Store) WrittenBy(ctx context.Context, author string) ([]article.Page, error) {
	ids, err := s.redis.Client().SMembers(ctx, authoredKey(author)).Result()
	if err != nil {
		return nil, redisstore.Unavailable("list a user's articles", err)
	}
	slices.Sort(ids)
	var all []article.Page
	for some := range slices.Chunk(ids, articleChunk) {
		pages, err := s.pages(ctx, some)
		if err != nil {
			return nil, err
		}
		all = append(all, pages...)
	}
	return all, nil
}

// A Ballot is a user's vote for an article, taken back or not.
type Ballot struct {
	Article string
	Vote    article.Vote
}

// VotesOf reads the votes of a user that are kept, the oldest article first: of the articles
// whose voting is open, in a round trip for each few hundred of them.
func (s *Store) VotesOf(ctx context.Context, user string) ([]Ballot, error) {
	ids, err := s.redis.Client().ZRange(ctx, articleVoting, 0, -1).Result()
	if err != nil {
		return nil, redisstore.Unavailable("list articles with voters", err)
	}
	var all []Ballot
	for some := range slices.Chunk(ids, articleChunk) {
		votes, err := s.votesIn(ctx, user, some)
		if err != nil {
			return nil, err
		}
		for i, vote := range votes {
			if vote.Val() == "" {
				continue
			}
			n, err := vote.Int64()
			if err != nil {
				return nil, redisstore.Damaged(user, err)
			}
			all = append(all, Ballot{some[i], article.Vote(n)})
		}
	}
	return all, nil
}
