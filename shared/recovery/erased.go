package recovery

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"

	"laurel/shared/article"
	"laurel/shared/codec"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

const scanCount = 1_000 // members of a key that one call asks for

// eraseAgain erases once more whom a failover has brought back: it lost the erasure with its
// tombstone. The ids are those in Redis with the hash of a tombstone that was lost. All that the
// journal and the table have of whom a tombstone was lost is merged again, as a run that was cut
// off may have erased any of them. The tombstones are put after that, so that it is done again if
// it is cut off.
func (r *rebuild) eraseAgain(ctx context.Context) (users int64, err error) {
	lost, err := r.live.LostTombstones(ctx)
	if err != nil || len(lost) == 0 {
		return 0, err
	}
	ids, err := r.idsOf(ctx, lost)
	if err != nil {
		return 0, err
	}
	for hash, id := range ids {
		if err := r.live.EraseAgain(ctx, id, lost[hash]); err != nil {
			return users, err
		}
		users++
	}
	return users, r.mergeAgain(ctx, lost)
}

// voids puts the voids and tombstones. Parts that are not lost may have to be erased first.
func (r *rebuild) voids(ctx context.Context) error {
	if r.stamped || len(r.lost.Shards) < r.Shards {
		if _, err := open(r.Options).eraseAgain(ctx); err != nil {
			return err
		}
	}
	if _, err := r.live.MendVoids(ctx); err != nil {
		return err
	}
	return r.live.PutVoids(ctx)
}

// mergeAgain merges all that there is of users who were erased, since they were.
func (r *rebuild) mergeAgain(ctx context.Context, erased ledger.Erased) error {
	r.all()
	r.lost.Articles = true
	r.since = slices.Min(slices.Collect(maps.Values(erased)))
	r.only = func(user string) bool { return erased[codec.Hash(user)] > 0 }
	for _, step := range []func(context.Context) error{
		r.orphansVotes, r.readClosed, r.statuses, r.totals, r.follows, r.rows,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// orphansVotes makes votes of what those who are merged again have liked of articles without an
// author: one that an erasure took off may have been there again, whose own like is no vote.
func (r *rebuild) orphansVotes(ctx context.Context) error {
	var orphans []article.Page
	for page, err := range r.State.Articles(ctx) {
		if err != nil {
			if err := r.damaged(ctx, err); err != nil {
				return err
			}
			continue
		}
		if page.Author == "" && page.State == article.Voting {
			orphans = append(orphans, page)
		}
	}
	_, err := r.missedVotes(ctx, r.since, orphans)
	return err
}

// idsOf looks through everything in Redis for ids with the hashes.
func (r *rebuild) idsOf(ctx context.Context, hashes ledger.Erased) (map[uint64]string, error) {
	ids := map[uint64]string{}
	var mu sync.Mutex // the nodes of a cluster are scanned at once
	take := func(id string) {
		if hash := codec.Hash(id); hashes[hash] > 0 {
			mu.Lock()
			ids[hash] = id
			mu.Unlock()
		}
	}
	client := r.live.Redis().Client()
	err := r.live.EachKey(ctx, func(keys []string) error {
		pipe := client.Pipeline()
		kinds := make([]*redis.StatusCmd, len(keys))
		for i, key := range keys {
			kinds[i] = pipe.Type(ctx, key)
		}
		if _, err := pipe.Exec(ctx); err != nil && len(keys) > 0 {
			return redisstore.Unavailable("look for users", err)
		}
		for i, key := range keys {
			_, name, _ := strings.Cut(key, "}:")
			kind, user, _ := strings.Cut(name, ":")
			if take(user); kind == "pages" {
				continue // its fields are no ids
			}
			var members *redis.ScanIterator
			switch kinds[i].Val() {
			case "zset":
				members = client.ZScan(ctx, key, 0, "", scanCount).Iterator()
			case "set":
				members = client.SScan(ctx, key, 0, "", scanCount).Iterator()
			case "hash":
				members = client.HScan(ctx, key, 0, "", scanCount).Iterator()
			default:
				continue
			}
			for members.Next(ctx) {
				take(members.Val())
			}
			if err := members.Err(); err != nil {
				return redisstore.Unavailable("look for users", err)
			}
		}
		return nil
	})
	return ids, err
}
