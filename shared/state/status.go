package state

import (
	"context"
	"iter"

	"laurel/shared/board"
)

const statuses = "STATUS"

// ChangeStatus replaces the status page of a user, "" for none, by what change makes of
// it; known is false if there has been none for a while. change may be called more than
// once.
func (s *Store) ChangeStatus(ctx context.Context, user string,
	change func(page string, known bool) (string, error),
) error {
	return s.change(ctx, numbered(statuses, user), 0, texts(change))
}

// EraseUser puts a tombstone of a user now, and removes all else that is kept: the status,
// the totals and the follow list. It returns the tombstone's moment.
func (s *Store) EraseUser(ctx context.Context, user string) (board.Moment, error) {
	at, err := s.PutTombstone(ctx, user, board.MomentOf(s.now()))
	if err != nil {
		return 0, err
	}
	return at, s.removeUser(ctx, user)
}

func (s *Store) removeUser(ctx context.Context, user string) error {
	for _, name := range []string{statuses, totals} {
		key := numbered(name, user)
		if err := s.table.Delete(ctx, key); err != nil {
			return wrap("delete from", key, err)
		}
	}
	return s.removeFollows(ctx, user)
}

// A Status is the status page of a user.
type Status struct{ User, Page string }

// Statuses returns the status pages of all users who have one.
func (s *Store) Statuses(ctx context.Context) iter.Seq2[Status, error] {
	return func(yield func(Status, error) bool) {
		for item, err := range s.each(ctx, statuses) {
			if !yield(Status{item.Sort, string(item.Data)}, err) {
				return
			}
		}
	}
}

// texts has a change of text change bytes.
func texts(change func(text string, known bool) (string, error)) func([]byte) ([]byte, error) {
	return func(data []byte) ([]byte, error) {
		next, err := change(string(data), data != nil)
		return []byte(next), err
	}
}
