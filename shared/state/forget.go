package state

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/ledger"
	"laurel/shared/table"
)

// FollowPartitions is the number of calls of ForgetFollows that go over all follow lists.
const FollowPartitions = partitions

var errChanged = errors.New("state: follow list changed")

// ForgetFollows takes what was up to a moment of a user out of the follow lists that are
// kept in a partition, and returns how many that were. It can be repeated.
func (s *Store) ForgetFollows(ctx context.Context, n int, user string, until board.Moment) (lists int64, err error) {
	hash := codec.Hash(user)
	for head, err := range s.items(ctx, partition(follows, n)) {
		if err != nil {
			return lists, err
		}
		if strings.Contains(head.Sort, "\x00") {
			continue
		}
		for {
			list := FollowList{User: head.Sort}
			if err := s.openFollows(ctx, head, &list); err != nil && !errors.Is(err, ErrDamaged) {
				return lists, err
			}
			if !ledger.MayKnow(list.Page, hash) && !slices.Contains(list.IDs, user) {
				break
			}
			changed, err := s.forgetIn(ctx, head, list, user, until)
			if err == nil && changed {
				lists++
			}
			if !errors.Is(err, errChanged) {
				if err != nil {
					return lists, err
				}
				break
			}
			if head.Data, err = s.get(ctx, head.Key); err != nil || len(head.Data) == 0 {
				if err != nil {
					return lists, err
				}
				break
			}
		}
	}
	return lists, nil
}

// forgetIn takes a user out of a list as it was read. The error is errChanged if it is
// another one now.
func (s *Store) forgetIn(ctx context.Context, head table.Item, list FollowList, user string, until board.Moment) (
	changed bool, err error,
) {
	c, err := ledger.ForgetFollow(list.Page, user, until)
	if err != nil {
		return false, damaged(head.Key, err)
	}
	if len(c.Leave) > 0 {
		n := len(list.IDs)
		list.IDs = slices.DeleteFunc(list.IDs, func(id string) bool { return id == user })
		changed = len(list.IDs) < n
	}
	if len(c.Pages) > 0 {
		list.Page, changed = c.Pages[0].Data, true
	}
	if !changed {
		return false, nil
	}
	return true, s.setFollows(ctx, list, func(data []byte) error {
		if !bytes.Equal(data, head.Data) {
			return errChanged
		}
		return nil
	})
}
