package articles

import (
	"context"
	"errors"

	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/redisstore"
)

// Fill puts articles that were kept into Redis, in one round trip, those that it does not
// have: with the lists that they are on, and the votes that are final. The other votes
// are merged. One that has left them for good is gone from now on.
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
		if p.Gone() {
			w.ZAdd(articleGone, int64(now), p.ID)
		}
		s.enterAll(w, p)
		writes[i] = w
	}
	s.redis.Apply(ctx, writes...)
	_, err := redisstore.Applied("fill articles", writes...)
	return err
}

// Mend makes articles in Redis what is kept of them: it puts those that are missing there,
// and changes those of another version. It returns how many. It calls missed with those that
// are missing, before it puts them there. An article that is being changed may be one of them.
func (s *Store) Mend(ctx context.Context, kept []article.Page, now board.Moment,
	missed func([]article.Page) error,
) (mended int64, err error) {
	ids := make([]string, len(kept))
	for i, p := range kept {
		ids[i] = p.ID
	}
	versions, err := s.versions(ctx, ids)
	if err != nil {
		return 0, err
	}
	var missing []article.Page
	for _, p := range kept {
		switch version, known := versions[p.ID]; {
		case !known:
			missing = append(missing, p)
		case version != p.Version:
			as := func(p article.Page) (article.Page, error) { return p, nil }
			if _, _, err := s.change(ctx, p.ID, now, as); err != nil && !errors.Is(err, ErrNoArticle) {
				return mended, err
			}
			mended++
		}
	}
	if len(missing) == 0 {
		return mended, nil
	}
	if err := missed(missing); err != nil {
		return mended, err
	}
	return mended + int64(len(missing)), s.Fill(ctx, missing, now)
}

// versions reads the versions of articles, of those that are there. It reads no votes, as
// they may be lost while the pages are there: then only a rebuild brings them back.
func (s *Store) versions(ctx context.Context, ids []string) (map[string]string, error) {
	read, err := s.redis.Client().HMGet(ctx, articlePages, withMark(ids)...).Result()
	if err != nil {
		return nil, redisstore.Unavailable("read articles", err)
	}
	if read, err = s.cutMark(read); err != nil {
		return nil, err
	}
	versions := make(map[string]string, len(ids))
	for i, id := range ids {
		if page, there := read[i].(string); there {
			versions[id] = page[:min(redisstore.VersionLen, len(page))]
		}
	}
	return versions, nil
}
