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

// PutTombstone says that a user's erasure started at a moment; the latest stays. It is
// kept for so long after that moment.
func (s *Store) PutTombstone(ctx context.Context, user string, at board.Moment, keep time.Duration) error {
	hash := HashOf(user)
	key := table.Key{Partition: tombstones, Sort: hex.EncodeToString(hash[:])}
	return s.change(ctx, key, at.Add(keep).Time().Unix(), func(data []byte) ([]byte, error) {
		was, err := momentOf(key, data)
		return strconv.AppendInt(nil, int64(max(was, at)), 10), err
	})
}

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
