package articles

import (
	"context"

	"github.com/redis/go-redis/v9"

	"laurel/shared/article"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// AskKnown puts the reading of some articles into a pipeline, and returns what takes in
// which of them there are. A damaged one is not known.
func (s *Store) AskKnown(ctx context.Context, pipe redis.Pipeliner, ids []string) func() (
	map[string]ledger.KnownArticle, error,
) {
	read := pipe.HMGet(ctx, articlePages, withMark(ids)...)
	return func() (map[string]ledger.KnownArticle, error) {
		values, err := read.Result()
		if err != nil {
			return nil, redisstore.Unavailable("read articles", err)
		}
		if values, err = s.cutMark(values); err != nil {
			return nil, err
		}
		known := map[string]ledger.KnownArticle{}
		for i, id := range ids {
			text, _ := values[i].(string)
			if page, err := article.DecodePage(id, text); err == nil {
				known[id] = ledger.KnownArticle{Author: page.Author, Deleted: page.State == article.Deleted}
			}
		}
		return known, nil
	}
}
