package articles

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// ErrErased is wrapped when the author of an article was erased since it was published.
var ErrErased = errors.New("articles: the author was erased")

// tombstoneOf is the field of a user's tombstone.
func tombstoneOf(user string) string { return tombstoneField(codec.Hash(user)) }

func tombstoneField(hash uint64) string { return fmt.Sprintf("%016x", hash) }

// PutTombstone puts a tombstone of a user, by codec.Hash of the id, unless a later one is
// there: from then on no vote and no article of before is taken. done says that the user is
// erased here.
func (s *Store) PutTombstone(ctx context.Context, hash uint64, at board.Moment, done bool) error {
	ctx = redisstore.WhenFull(ctx)
	for field := tombstoneField(hash); ; {
		was, err := s.tombstone(ctx, field)
		if err != nil || was.moment() > at || (was.moment() == at && (!done || was.done())) {
			return err
		}
		var w redisstore.Write
		w.GuardValue(articleErased, field, string(was))
		s.redis.GuardMark(&w)
		w.HSet(articleErased, field, redisstore.TombstoneOf(at, done))
		s.redis.Apply(ctx, &w)
		if done, _, err := w.Done("put a tombstone"); err != nil || done {
			return err
		}
	}
}

// PutTombstones makes the tombstones what kept returns, which is called after they were
// read: what is put in the meantime is in both.
func (s *Store) PutTombstones(ctx context.Context, kept func(context.Context) (ledger.Erased, error)) error {
	now, err := s.redis.Client().HGetAll(ctx, articleErased).Result()
	if err != nil {
		return redisstore.Unavailable("read the tombstones", err)
	}
	all, err := kept(ctx)
	if err != nil {
		return err
	}
	for hash, at := range all {
		field := tombstoneField(hash)
		if was := stored(now[field]); was.moment() < at || !was.done() {
			if err := s.PutTombstone(ctx, hash, at, true); err != nil {
				return err
			}
		}
		delete(now, field)
	}
	var expired []string
	for field := range now {
		expired = append(expired, field)
	}
	for some := range slices.Chunk(expired, articleChunk) {
		if err := s.redis.Client().HDel(ctx, articleErased, some...).Err(); err != nil {
			return redisstore.Unavailable("drop tombstones", err)
		}
	}
	return nil
}

// Tombstones returns the tombstones of erasures that are done.
func (s *Store) Tombstones(ctx context.Context) (ledger.Erased, error) {
	fields, err := s.redis.Client().HGetAll(ctx, articleErased).Result()
	if err != nil {
		return nil, redisstore.Unavailable("read the tombstones", err)
	}
	all := ledger.Erased{}
	for field, text := range fields {
		if hash, err := strconv.ParseUint(field, 16, 64); err == nil && stored(text).done() {
			all[hash] = stored(text).moment()
		}
	}
	return all, nil
}

// stored is a moment as it is in Redis, "" for none.
type stored string

func (t stored) moment() board.Moment {
	n, _ := strconv.ParseInt(string(t), 10, 64)
	return board.Moment(n)
}

// done says whether it is that of an erasure that is done.
func (t stored) done() bool { return t == stored(redisstore.TombstoneOf(t.moment(), true)) }

func (s *Store) tombstone(ctx context.Context, field string) (stored, error) {
	values, err := s.redis.Client().HMGet(ctx, articleErased, field).Result()
	if err != nil {
		return "", redisstore.Unavailable("read a tombstone", err)
	}
	text, _ := values[0].(string)
	return stored(text), nil
}

// erasedBefore says what a refused creation met: the tombstone of the author, in the
// answer's last part. The error wraps ErrErased if it is of the article's moment or
// later; what was kept first is removed then.
func (s *Store) erasedBefore(ctx context.Context, a article.Article, there []any) (stored, error) {
	part, _ := there[len(there)-1].([]any)
	if len(part) != 1 || part[0] == nil {
		return "", nil
	}
	text, _ := part[0].(string)
	if stored(text).moment() < a.Published {
		return stored(text), nil
	}
	err := fmt.Errorf("%w: article %q", ErrErased, a.ID)
	if page, _ := there[0].([]any); s.kept != nil && len(page) == 2 && page[1] == nil {
		err = errors.Join(err, s.kept.RemoveArticle(ctx, a.ID))
	}
	return "", err
}
