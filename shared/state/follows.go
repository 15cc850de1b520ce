package state

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"laurel/shared/codec"
	"laurel/shared/table"
)

const follows = "FOLLOWS"

// maxPart is how much of a follow list one item holds, below the limit of an item.
const maxPart = 380 << 10

// A FollowList is the follows page of a user, with the ids of those who are on the list:
// the page has hashes only.
type FollowList struct {
	User string
	Page string
	IDs  []string
}

// A list that is too large for one item is in several. The first, under the user, holds
//
//	+-------+------------+----------+-----------+
//	| parts | checksum   | piece    | CRC-32C   |
//	| 1 B   | 4 B, whole | of bytes | of this   |
//	+-------+------------+----------+-----------+
//
// and the others, under the user, NUL, checksum and number, a piece each. The pieces are
// the compressed page and ids. The first is written last; others that it does not name
// are not read.
const headLen = 1 + 4

func partKey(head table.Key, checksum uint32, n int) table.Key {
	return table.Key{Partition: head.Partition, Sort: fmt.Sprintf("%s\x00%08x%02d", head.Sort, checksum, n)}
}

// SetFollows replaces what is kept of a user's follow list; without page and ids nothing
// is kept.
func (s *Store) SetFollows(ctx context.Context, list FollowList) error {
	return s.setFollows(ctx, list, func([]byte) error { return nil })
}

// setFollows is SetFollows if check has nothing against the first item that is there.
func (s *Store) setFollows(ctx context.Context, list FollowList, check func(data []byte) error) error {
	if list.Page == "" && len(list.IDs) == 0 {
		return s.removeFollows(ctx, list.User)
	}
	body := binary.AppendUvarint(codec.AppendText(nil, list.Page), uint64(len(list.IDs)))
	for _, id := range list.IDs {
		body = codec.AppendText(body, id)
	}
	body = table.Compress(nil, body)
	key, sum := numbered(follows, list.User), codec.Checksum(body, "")
	parts := 1
	for from := maxPart; from < len(body); from += maxPart {
		part := table.Item{Key: partKey(key, sum, parts), Data: body[from:min(from+maxPart, len(body))]}
		if err := s.table.Put(ctx, part); err != nil {
			return wrap("write", part.Key, err)
		}
		parts++
	}
	head := append(binary.BigEndian.AppendUint32([]byte{byte(parts)}, sum), body[:min(maxPart, len(body))]...)
	head = codec.Seal(head, list.User)
	var old []byte
	err := s.change(ctx, key, 0, func(data []byte) ([]byte, error) {
		old = data
		return head, check(data)
	})
	if err != nil || len(old) < headLen || binary.BigEndian.Uint32(old[1:]) == sum {
		return err
	}
	return s.removeParts(ctx, key, old)
}

// removeFollows removes all that is kept of a user's follow list, also parts that no first
// item names, which a write has left that was interrupted.
func (s *Store) removeFollows(ctx context.Context, user string) error {
	key := numbered(follows, user)
	parts, err := s.table.Ascend(ctx, key.Partition, user+"\x00", user+"\x01", readLen)
	if err != nil {
		return wrap("list", key, err)
	}
	for _, part := range parts {
		if err := s.table.Delete(ctx, part.Key); err != nil {
			return wrap("delete from", key, err)
		}
	}
	return wrap("delete from", key, s.table.Delete(ctx, key))
}

// removeParts removes the items that the first item of a list names.
func (s *Store) removeParts(ctx context.Context, key table.Key, head []byte) error {
	for n := 1; len(head) >= headLen && n < int(head[0]); n++ {
		if err := s.table.Delete(ctx, partKey(key, binary.BigEndian.Uint32(head[1:]), n)); err != nil {
			return wrap("delete from", key, err)
		}
	}
	return nil
}

// Follows returns the follow lists of all users who have one. After an error about a
// damaged one, which comes with the user, the others follow.
func (s *Store) Follows(ctx context.Context) iter.Seq2[FollowList, error] {
	return func(yield func(FollowList, error) bool) {
		for item, err := range s.each(ctx, follows) {
			if err == nil && strings.Contains(item.Sort, "\x00") {
				continue
			}
			list := FollowList{User: item.Sort}
			if err == nil {
				err = s.openFollows(ctx, item, &list)
			}
			if !yield(list, err) {
				return
			}
		}
	}
}

// openFollows reads the list that an item begins.
func (s *Store) openFollows(ctx context.Context, head table.Item, list *FollowList) error {
	r, err := codec.Open(head.Data, head.Sort)
	if err != nil || r.Len() < headLen {
		return damaged(head.Key, fmt.Errorf("%d bytes: %w", len(head.Data), err))
	}
	parts, sum := int(head.Data[0]), binary.BigEndian.Uint32(head.Data[1:])
	body := head.Data[headLen:r.Len()]
	for n := 1; n < parts; n++ {
		part, err := s.get(ctx, partKey(head.Key, sum, n))
		if err != nil {
			return err
		}
		body = append(slices.Clip(body), part...)
	}
	if codec.Checksum(body, "") != sum {
		return damaged(head.Key, errors.New("checksum of the whole does not match"))
	}
	if body, err = table.Decompress(body); err != nil {
		return damaged(head.Key, err)
	}
	r = codec.NewReader(string(body))
	list.Page = r.Text()
	for n := r.Count(1); n > 0; n-- {
		list.IDs = append(list.IDs, r.Text())
	}
	if err := r.Done(); err != nil {
		return damaged(head.Key, err)
	}
	return nil
}
