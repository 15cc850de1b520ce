package recovery

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/journal"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

const (
	// lostFor is for how long a failover may have lost a tombstone at most.
	lostFor   = 72 * time.Hour
	scanCount = 1_000 // members of a key that one call asks for
)

// eraseAgain erases once more whom a failover has brought back: it lost the erasure with its
// tombstone. The ids are those in Redis with the hash of a tombstone that was lost. What they did
// since is merged again. The tombstones are put after that, so that it is done again if it
// is cut off.
func (r *rebuild) eraseAgain(ctx context.Context) (users int64, err error) {
	lost, err := r.live.LostTombstones(ctx)
	if err != nil || len(lost) == 0 {
		return 0, err
	}
	ids, err := r.idsOf(ctx, lost)
	if err != nil {
		return 0, err
	}
	from, emptied := board.Latest, map[uint64]bool{} // since when, and of whom something may have to be merged again
	for hash, at := range lost {
		erased := at > r.Now.Add(-lostFor) // perhaps, by a run that was cut off
		if id, ok := ids[hash]; ok {
			users++
			again, err := r.live.EraseAgain(ctx, id, at)
			if err != nil {
				return users, err
			}
			erased = erased || again
		}
		if erased {
			from, emptied[hash] = min(from, at), true
		}
	}
	if len(emptied) == 0 {
		return users, nil
	}
	return users, r.mergeSince(ctx, from, func(user string) bool { return emptied[codec.Hash(user)] })
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

// mergeSince merges all that there is of users of whom nothing is older than a moment: their
// follow lists, which have the ids that sealed rows lack, and their rows.
func (r *rebuild) mergeSince(ctx context.Context, from board.Moment, of func(user string) bool) error {
	if err := r.readTombstones(ctx); err != nil {
		return err
	}
	r.lost, r.voting = r.live.Parts(), r.Now
	if err := r.followsOf(ctx, of); err != nil {
		return err
	}
	return r.reading(ctx, journal.DayOf(from)-1, func(days []journal.Sealed) error {
		m := r.merging(ctx, true, func(int64) {})
		err := r.Journal.ByUser(ctx, days, func(user string, rows []ledger.Row) error {
			if !of(user) {
				return nil
			}
			return m.add(user, slices.Clone(rows))
		})
		if waited := m.wait(); err == nil {
			err = waited
		}
		return err
	})
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
