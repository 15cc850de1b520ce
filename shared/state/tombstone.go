package state

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"time"

	"laurel/shared/board"
	"laurel/shared/table"
)

const tombstones = "TOMBSTONES"

// A UserHash stands for a user who was erased: the first 16 bytes of the SHA-256 of the id.
type UserHash [16]byte

// HashOf returns the hash that stands for a user.
func HashOf(user string) UserHash {
	sum := sha256.Sum256([]byte(user))
	return UserHash(sum[:len(UserHash{})])
}

// Short returns what package codec's Hash returns of the user: the first bytes.
func (h UserHash) Short() uint64 { return binary.BigEndian.Uint64(h[:]) }

// defaultTombstones is for how long tombstones are kept: a month longer than a journal of
// 13 months.
const defaultTombstones = 14 * 31 * 24 * time.Hour

// KeepTombstones has tombstones kept for so long. It is called before the store is used.
func (s *Store) KeepTombstones(keep time.Duration) { s.keep = keep }

// PutTombstone says that a user is erased up to a moment, and returns the moment that
// stays: the latest.
func (s *Store) PutTombstone(ctx context.Context, user string, at board.Moment) (board.Moment, error) {
	hash := HashOf(user)
	key := table.Key{Partition: tombstones, Sort: hex.EncodeToString(hash[:])}
	err := s.change(ctx, key, s.expires(at), func(data []byte) ([]byte, error) {
		was, err := momentOf(key, data)
		at = max(was, at)
		return strconv.AppendInt(nil, int64(at), 10), err
	})
	return at, err
}

// expires returns when the tombstone of a moment expires, in Unix seconds.
func (s *Store) expires(at board.Moment) int64 { return at.Add(s.keep).Time().Unix() }

// Tombstones returns the moments of the erasures whose tombstones are kept.
func (s *Store) Tombstones(ctx context.Context) (map[UserHash]board.Moment, error) {
	all := map[UserHash]board.Moment{}
	for item, err := range s.items(ctx, tombstones) {
		if err != nil {
			return nil, err
		}
		hash, err := hex.DecodeString(item.Sort)
		if err != nil || len(hash) != len(UserHash{}) {
			return nil, damaged(item.Key, fmt.Errorf("%d bytes of a hash: %w", len(hash), err))
		}
		if all[UserHash(hash)], err = momentOf(item.Key, item.Data); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Erased returns what Tombstones does, by the short hashes.
func (s *Store) Erased(ctx context.Context) (map[uint64]board.Moment, error) {
	stones, err := s.Tombstones(ctx)
	all := make(map[uint64]board.Moment, len(stones))
	for hash, at := range stones {
		all[hash.Short()] = at
	}
	return all, err
}

func momentOf(key table.Key, data []byte) (board.Moment, error) {
	if len(data) == 0 {
		return 0, nil
	}
	n, err := strconv.ParseInt(string(data), 10, 64)
	if err != nil {
		return 0, damaged(key, err)
	}
	return board.Moment(n), nil
}
