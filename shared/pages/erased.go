package pages

import (
	"context"
	"strconv"

	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// A tombstone is the moment of a user's erasure, kept in the table and, by the hash of the
// id, among the voids of every shard: recording reads those of its users and of whom they
// follow with the voids of its targets, and commits under the version of both, so that an
// erasure beside it is not missed. The articles have them too.

// bury puts a tombstone of a user, first into the table, and returns its moment and the one
// up to which others' follow lists are to forget the user.
func (s *Store) bury(ctx context.Context, user string) (at, until board.Moment, err error) {
	if s.statuses == nil {
		return 0, board.Latest, nil // nothing is filled again
	}
	if at, err = s.statuses.EraseUser(ctx, user); err != nil {
		return 0, 0, err
	}
	hash := codec.Hash(user)
	err = s.putTombstones(ctx, hash, func(was string) string {
		if there, err := strconv.ParseInt(was, 10, 64); err == nil && board.Moment(there) >= at {
			return was
		}
		return redisstore.TombstoneOf(at, false)
	})
	if err != nil {
		return 0, 0, err
	}
	return at, ledger.Erased{hash: at}.Followed(hash), s.articles.PutTombstone(ctx, hash, at, false)
}

// buried says of a tombstone that the erasure is done in all shards.
func (s *Store) buried(ctx context.Context, user string, at board.Moment) error {
	return s.putTombstones(ctx, codec.Hash(user), func(was string) string {
		if was == redisstore.TombstoneOf(at, false) {
			return redisstore.TombstoneOf(at, true)
		}
		return was
	})
}

// putTombstones changes a tombstone in every shard.
func (s *Store) putTombstones(ctx context.Context, hash uint64, change func(was string) string) (err error) {
	for shard := range s.redis.Shards() {
		for done := false; !done; {
			if done, err = s.putTombstone(ctx, shard, hash, change); err != nil {
				return err
			}
		}
	}
	return nil
}

// putTombstone changes a tombstone among the voids of a shard, which is "" if there is none; done
// is false when they changed meanwhile.
func (s *Store) putTombstone(ctx context.Context, shard int, hash uint64, change func(was string) string) (
	done bool, err error,
) {
	key, field := redisstore.VoidsKey(shard), redisstore.TombstoneField(hash)
	pipe := s.redis.Client().Pipeline()
	read := pipe.HMGet(ctx, key, redisstore.VoidsVersionField, field)
	if err := s.redis.ExecMarked(ctx, pipe, "read a tombstone", shard); err != nil {
		return false, err
	}
	version, _ := read.Val()[0].(string)
	was, _ := read.Val()[1].(string)
	now := change(was)
	if now == was {
		return true, nil
	}
	var w redisstore.Write
	next := redisstore.NewVersion()
	w.GuardVersion(key, redisstore.VoidsVersionField, version, next)
	w.HSet(key, redisstore.VoidsVersionField, next, field, now)
	s.redis.Apply(ctx, &w)
	done, _, err = w.Done("put a tombstone")
	return done, err
}

// tombstones returns the tombstones that are kept.
func (s *Store) tombstones(ctx context.Context) (ledger.Erased, error) {
	if s.statuses == nil {
		return ledger.Erased{}, nil
	}
	return s.statuses.Erased(ctx)
}
