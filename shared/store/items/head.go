package items

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"

	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/store/table"
)

// Format is the number of the formats of all items; a table of a greater one is from the
// future: nothing is written to it.
const Format = 1

// A Head is the state of the forum, one item, which reports read, and keep for seconds. It is written rarely, by
// ChangeHead.
type Head struct {
	Format int    `json:"format"`
	Zone   string `json:"zone"`   // IANA name; it never changes
	Table  string `json:"table"`  // random id of the table; another one makes every view a stranger
	Secret []byte `json:"secret"` // 32 random bytes, by which people's keys are made

	Begun     board.Moment `json:"begun"`               // when the table was first used
	HistoryIn bool         `json:"historyIn,omitempty"` // an operator has said that no more history comes

	Untitled board.Date `json:"untitled,omitempty"` // the last day on which something that guests cannot read was published

	From board.MonthOf `json:"from,omitempty"` // the first month of which there is a ledger; 0: none
	Life *board.Life   `json:"life,omitempty"` // of periods that are not live; with the months held by imports

	Voids    bool         `json:"voids,omitempty"`    // there are items of void targets
	Articles bool         `json:"articles,omitempty"` // there is, or was, an article; said before the first is written
	Pairs    bool         `json:"pairs,omitempty"`    // there are, or were, void pairs of people
	Imports  []Import     `json:"imports,omitempty"`  // in progress
	Erasures int64        `json:"erasures,omitempty"` // how many have begun since none was at work; 0: none is
	Merged   bool         `json:"merged,omitempty"`   // there are, or were, people merged into others; said before the first is
	Merges   int64        `json:"merges,omitempty"`   // how many have begun since none was running; 0: none is
	Behind   *Behind      `json:"behind,omitempty"`   // the view is behind the table: to be compared; nil: it is not
	Restored board.Moment `json:"restored,omitempty"` // since when the table is known to be older than the view; 0: it is not
	Beat     int64        `json:"beat,omitempty"`     // of the last tick; every slot of the view has at least it
	Night    board.Date   `json:"night,omitempty"`    // the day of the last night that left nothing; 0: none
}

// Behind says since when, and why, the view may lack something.
type Behind struct {
	Since  board.Moment `json:"since"`
	Reason string       `json:"reason"`
	Number int64        `json:"number"`          // new each time a process says so; one that has caught up clears its own
	Begun  int64        `json:"begun,omitempty"` // the number that a comparison began with last
}

// FallBehind makes the head say that the view may lack something, and reports whether that changes it: it does not if
// the head says so already, unless a comparison has begun since, which may have passed already the missing part.
func (h *Head) FallBehind(reason string, now board.Moment) bool {
	switch next := h.Behind; {
	case next == nil:
		h.Behind = &Behind{Since: now, Reason: reason, Number: int64(now)}
	case next.Begun == next.Number:
		next.Number = max(next.Number+1, int64(now))
	default:
		return false
	}
	return true
}

// RestoredReason says in words that the table is older than the view.
const RestoredReason = "the table was restored to an earlier moment: run laurel repair"

// NewTable gives the table a new id, after it was restored to an earlier moment: every view is a stranger to it then,
// and is filled.
func (s *Store) NewTable(ctx context.Context) error {
	_, err := s.ChangeHead(ctx, func(h *Head) error {
		h.Table, h.Restored = rand.Text(), 0
		return nil
	})
	return wrap("give the table a new id", err)
}

func (h *Head) encode() ([]byte, error) {
	data, err := json.Marshal(h) //nolint:gosec // the table has the forum's key
	return data, wrap("encode the head", err)
}

// decodeHead reads the head's item. The error wraps ErrLaterFormat or codec.ErrDamaged.
func decodeHead(data []byte) (*Head, error) {
	h := &Head{}
	err := json.Unmarshal(data, h)
	switch {
	case h.Format > Format: // it is written first, so it is known with any content after it
		return nil, fmt.Errorf("%w: %d, this program knows %d", ErrLaterFormat, h.Format, Format)
	case err != nil:
		return nil, fmt.Errorf("items: %w: the head: %w", codec.ErrDamaged, err)
	case h.Format < 1 || h.Zone == "" || h.Table == "" || len(h.Secret) == 0:
		return nil, fmt.Errorf("items: %w: the forum's head is incomplete", codec.ErrDamaged)
	}
	return h, nil
}

// Peek reads the head; nil if the table was never used.
func (s *Store) Peek(ctx context.Context) (*Head, error) {
	f, err := s.Read(ctx, Query{})
	if err != nil {
		return nil, err
	}
	return f.Head, nil
}

// Head reads the head, and begins a table that was never used. The error is that of Read.
func (s *Store) Head(ctx context.Context) (*Head, error) {
	h, err := s.Peek(ctx)
	if err == nil && h == nil {
		now := board.MomentOf(s.clock())
		h = &Head{Format: Format, Zone: s.zone, Table: rand.Text(), Secret: make([]byte, 32), Begun: now}
		_, _ = rand.Read(h.Secret) // it never fails
		if err = s.writeHead(ctx, h, 0); errors.Is(err, table.ErrConflict) {
			h, err = s.Peek(ctx)
		}
	}
	if err == nil && h == nil {
		err = ErrUnused // another process deletes it
	}
	return h, err
}

// LastHead returns the head as it was read last, nil if the process has read none: its secret, zone and table's id
// stay, all else may be out of date.
func (s *Store) LastHead() *Head { return s.head.Load().head }

// Known returns the head as it was read last, or reads it.
func (s *Store) Known(ctx context.Context) (head *Head, err error) {
	if head = s.LastHead(); head == nil {
		head, err = s.Head(ctx)
	}
	return head, err
}

// TableID returns the table's id for the view. again says that the known head may be out of date.
func (s *Store) TableID(ctx context.Context, again bool) (string, error) {
	get := s.Known
	if again {
		get = s.Head
	}
	head, err := get(ctx)
	if err != nil {
		return "", err
	}
	return head.Table, nil
}

func (s *Store) writeHead(ctx context.Context, h *Head, was int64) error {
	data, err := h.encode()
	if err == nil {
		_, err = s.writeOne(ctx, headKey(), data, was)
		s.wroteHead()
	}
	return err
}

// wroteHead notes that the heads that were read until now may be old ones.
func (s *Store) wroteHead() {
	s.written.Store(new(s.real()))
}

// writeHeadWith is writeHead together with other changes.
func (s *Store) writeHeadWith(ctx context.Context, h *Head, was int64, also []Change) ([]Written, error) {
	if len(also) == 0 {
		return nil, s.writeHead(ctx, h, was)
	}
	data, err := h.encode()
	if err != nil {
		return nil, err
	}
	head := table.Write{Item: table.Item{Key: headKey(), Data: data, Revision: table.Next(was)}, Was: was}
	writes, written := prepare(also)
	defer s.wroteHead()
	defer s.changed(also)
	return written, wrap("write the head", s.table.Together(ctx, append(writes, head)...))
}

// TogetherWithHead applies changes of items that were read together with one of the head that came along, all or none.
// The error wraps table.ErrConflict.
func (s *Store) TogetherWithHead(
	ctx context.Context, f *Found, change func(*Head), changes ...Change,
) ([]Written, error) {
	if err := s.announce(ctx, changes); err != nil {
		return nil, err
	}
	next := *f.Head
	change(&next)
	return s.writeHeadWith(ctx, &next, f.HeadRev, changes)
}

// ChangeHead changes the head: it reads, has change make the next one of a copy, and writes
// under the condition, again after a conflict, until the context ends. change returns
// ErrUnchanged to leave it. Other changes are written with it. It returns the head that there is then.
func (s *Store) ChangeHead(ctx context.Context, change func(*Head) error, also ...Change) (*Head, error) {
	return s.change(ctx, Query{}, func(f *Found) error {
		data, err := f.Head.encode()
		if err != nil {
			return err
		}
		next, err := decodeHead(data)
		if err == nil {
			err = change(next)
		}
		if err == nil {
			_, err = s.writeHeadWith(ctx, next, f.HeadRev, also)
		}
		if err == nil {
			f.Head = next
		}
		return err
	})
}

// ChangePerson changes a person's item likewise, and returns the row that there is then.
// change gets a copy, or a new Person of the id where there is none; of a tombstone whose
// erasure is done (ID is ""), it sets the ID to make it a person's again. Other changes are written with it.
func (s *Store) ChangePerson(
	ctx context.Context, key Key, id string, change func(*Head, *Person) error, also ...Change,
) (*Head, Row[*Person], error) {
	var row Row[*Person]
	head, err := s.change(ctx, Query{People: []Key{key}}, func(f *Found) error {
		if row = f.People[key]; row.Err != nil {
			return row.Err
		}
		next := &Person{ID: id}
		if row.Revision != 0 {
			copied := *row.Value
			next = &copied
		}
		if err := change(f.Head, next); err != nil {
			return err
		}
		written, err := s.WriteWith(ctx, NextPerson(key, row, next), also...)
		if err == nil {
			row = Row[*Person]{Value: next, Revision: written.Revision}
		}
		return err
	})
	if err != nil {
		return nil, Row[*Person]{}, err
	}
	return head, row, nil
}

// change reads and writes again after each conflict.
func (s *Store) change(ctx context.Context, q Query, write func(*Found) error) (head *Head, err error) {
	err = Again(ctx, func() error {
		f, err := s.Read(ctx, q)
		switch {
		case err != nil:
			return err
		case f.Head == nil:
			return ErrUnused
		}
		if err = write(f); err == nil || errors.Is(err, ErrUnchanged) {
			head, err = f.Head, nil
		}
		return err
	})
	return head, err
}

// Cursor reads the position from which a pass continues, "" for its beginning.
func (s *Store) Cursor(ctx context.Context, name string) (position string, revision int64, err error) {
	items, err := s.table.Get(ctx, cursorKey(name))
	if err != nil || len(items) == 0 {
		return "", 0, wrap("read a cursor", err)
	}
	return string(items[0].Data), items[0].Revision, nil
}

// SetCursor writes it, on the revision that was read; another process that has moved it is a table.ErrConflict.
func (s *Store) SetCursor(ctx context.Context, name, position string, was int64) (revision int64, err error) {
	return s.writeOne(ctx, cursorKey(name), []byte(position), was)
}
