package articles

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/redis/go-redis/v9"

	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/redisstore"
)

// Erased is what erasing a user came to.
type Erased struct {
	Articles int64 // that the user was the author of
	Votes    int64 // of the user's that were kept, those taken back too
}

// Erase takes a user off the articles that are in Redis: those the user wrote keep
// their places without an author, and the user's votes are taken back where voting
// is still possible. Who erases sees to it that nothing of the user's is recorded
// meanwhile. It may be done again, and goes on where it was cut off.
func (s *Store) Erase(ctx context.Context, user string) (Erased, error) {
	was, err := s.tombstone(ctx, tombstoneOf(user))
	if err != nil {
		return Erased{}, err
	}
	erased, err := s.EraseUntil(ctx, user, board.Latest)
	if err == nil && was != "" {
		err = s.PutTombstone(ctx, codec.Hash(user), was.moment(), true)
	}
	return erased, err
}

// EraseUntil is Erase of articles that were published, and votes that were given, up to a moment.
func (s *Store) EraseUntil(ctx context.Context, user string, until board.Moment) (Erased, error) {
	ctx = redisstore.WhenFull(ctx)
	var erased Erased
	if err := s.redis.CheckStamp(ctx); err != nil {
		return erased, err // what is not there now would come back with the author
	}
	ids, err := s.redis.Client().SMembers(ctx, authoredKey(user)).Result()
	if err != nil {
		return erased, redisstore.Unavailable("list a user's articles", err)
	}
	for _, id := range ids {
		_, _, err := s.change(ctx, id, 0, func(p article.Page) (article.Page, error) {
			if p.Published <= until {
				p.Author = ""
			}
			return p, nil
		})
		if errors.Is(err, ErrNoArticle) {
			continue // the nightly run has removed it meanwhile
		}
		if err != nil {
			return erased, err
		}
		erased.Articles++
	}
	erased.Votes, err = s.eraseVotes(ctx, user, until)
	return erased, err
}

// eraseVotes goes over the articles whose voters are kept.
func (s *Store) eraseVotes(ctx context.Context, user string, until board.Moment) (erased int64, err error) {
	ids, err := s.redis.Client().ZRange(ctx, articleVoting, 0, -1).Result()
	if err != nil {
		return 0, redisstore.Unavailable("list articles with voters", err)
	}
	for chunk := range slices.Chunk(ids, articleChunk) {
		for attempts := 0; ; attempts++ { // again those that somebody changed meanwhile
			if chunk, err = s.votedOn(ctx, user, until, chunk); err != nil {
				return erased, err
			}
			if len(chunk) == 0 {
				break
			}
			if attempts == redisstore.MaxAttempts {
				return erased, fmt.Errorf("%w: %d articles voted on", redisstore.ErrBusy, len(chunk))
			}
			done, err := s.forgetVotes(ctx, user, chunk)
			erased += done
			if err != nil {
				return erased, err
			}
		}
	}
	return erased, nil
}

// votesIn reads what is kept of a user's votes for some articles, in one round trip.
func (s *Store) votesIn(ctx context.Context, user string, ids []string) ([]*redis.StringCmd, error) {
	pipe := s.redis.Client().Pipeline()
	votes := make([]*redis.StringCmd, len(ids))
	for i, id := range ids {
		votes[i] = pipe.HGet(ctx, votersKey(id), user)
	}
	if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
		return nil, redisstore.Unavailable("read a user's votes", err)
	}
	return votes, nil
}

// votedOn returns those of the articles that a vote of the user up to a moment is kept for.
func (s *Store) votedOn(ctx context.Context, user string, until board.Moment, ids []string) ([]string, error) {
	votes, err := s.votesIn(ctx, user, ids)
	if err != nil {
		return nil, err
	}
	var voted []string
	for i, id := range ids {
		vote, _ := strconv.ParseInt(votes[i].Val(), 10, 64) // what is damaged is no vote
		if votes[i].Err() == nil && article.Vote(vote).At() <= until {
			voted = append(voted, id)
		}
	}
	return voted, nil
}

func (s *Store) forgetVotes(ctx context.Context, user string, ids []string) (int64, error) {
	pages, err := s.pages(ctx, ids)
	if err != nil {
		return 0, err
	}
	calls := make([]*redisstore.Call, len(pages))
	for i, p := range pages {
		calls[i] = s.voteCallOf(p, []any{user, "", tombstoneOf(user)})
	}
	s.redis.Run(ctx, calls...)
	var forgotten int64
	for _, c := range calls {
		reply, err := c.Cmd.Result()
		if err != nil {
			return forgotten, redisstore.Unavailable("take a user's votes back", err)
		}
		if reply == redisstore.Done {
			forgotten++
		}
	}
	return forgotten, nil
}
