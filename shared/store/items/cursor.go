package items

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/store/table"
)

// A Cursor is an item with the progress of work that takes several calls, and the claim of the process that does it.
// Every item of that kind that is no person's and no target's is one. It is written on the revision that was read.
type Cursor[T any] struct {
	State   T
	Claimed board.Moment // until when a process does the work, by real time; 0: none does

	store    *Store
	name     string
	revision int64
	read     string // the bytes
}

// cursorItem is a cursor's JSON.
type cursorItem[T any] struct {
	Claimed board.Moment `json:"claimed,omitempty"`
	State   T            `json:"state"`
}

// OpenCursor reads the cursor of a name; its State is the zero value if there is none. With an error that wraps
// codec.ErrDamaged it also returns such a cursor; saving it replaces the damaged item.
func OpenCursor[T any](ctx context.Context, s *Store, name string) (*Cursor[T], error) {
	c := &Cursor[T]{store: s, name: name}
	items, err := s.table.Get(ctx, cursorKey(name))
	if err != nil || len(items) == 0 {
		return c, wrap("read the cursor "+name, err)
	}
	c.revision, c.read = items[0].Revision, string(items[0].Data)
	var item cursorItem[T]
	if err := json.Unmarshal(items[0].Data, &item); err != nil {
		return c, fmt.Errorf("items: %w: the cursor %s: %w", codec.ErrDamaged, name, err)
	}
	c.State, c.Claimed = item.State, item.Claimed
	return c, nil
}

// Begun reports whether the cursor was ever saved.
func (c *Cursor[T]) Begun() bool { return c.revision != 0 }

// Save writes the cursor, if it has changed. The error wraps table.ErrConflict if another process has written it since.
func (c *Cursor[T]) Save(ctx context.Context) error {
	text, err := json.Marshal(cursorItem[T]{c.Claimed, c.State})
	if err != nil || string(text) == c.read {
		return err
	}
	revision, err := c.store.writeOne(ctx, cursorKey(c.name), text, c.revision)
	if err == nil {
		c.revision, c.read = revision, string(text)
	}
	return err
}

// SaveUnlessTaken is Save that leaves the item to another process that has written it since.
func (c *Cursor[T]) SaveUnlessTaken(ctx context.Context) error {
	if err := c.Save(ctx); !errors.Is(err, table.ErrConflict) {
		return err
	}
	return nil
}

// ChangeCursor opens a cursor and saves it after a change, again after a conflict; change returns ErrUnchanged to leave
// it as it is.
func ChangeCursor[T any](ctx context.Context, s *Store, name string, change func(*T) error) (state T, err error) {
	err = Again(ctx, func() error {
		c, err := OpenCursor[T](ctx, s, name)
		if err == nil {
			err = change(&c.State)
		}
		if state = c.State; errors.Is(err, ErrUnchanged) {
			return nil
		}
		if err == nil {
			err = c.Save(ctx)
		}
		return err
	})
	return state, err
}
