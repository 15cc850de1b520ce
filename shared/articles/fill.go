package articles

import (
	"context"

	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/redisstore"
)

// Fill puts articles that were kept into Redis, in one round trip, those that it does not
// have: with the lists that they are on, and the votes that are final. The other votes
// are merged. One that is on no list is gone from now on.
func (s *Store) Fill(ctx context.Context, kept []article.Page, now board.Moment) error {
	writes := make([]*redisstore.Write, len(kept))
	for i, p := range kept {
		if p.State == article.Voting {
			p.Votes = s.rules.OwnVotes()
		}
		w := s.guardPage(p.ID, "", p)
		w.HSet(articleVotes, p.ID, p.Votes)
		if p.Author != "" {
			w.SAdd(authoredKey(p.Author), p.ID)
			if p.State != article.Deleted {
				w.HSet(articleWrote, p.ID, p.Author)
			}
		}
		if p.State == article.Voting {
			w.ZAdd(articleVoting, int64(p.Published), p.ID)
		}
		if p.Listed() {
			s.enter(w, p.Article, "")
			for _, group := range p.Groups {
				s.enter(w, p.Article, group)
			}
		} else {
			w.ZAdd(articleGone, int64(now), p.ID)
		}
		writes[i] = w
	}
	s.redis.Apply(ctx, writes...)
	_, err := redisstore.Applied("fill articles", writes...)
	return err
}
