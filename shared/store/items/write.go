package items

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/table"
)

// A Change is a write of one item, decided on the revision that was read: exactly one of the pointers is set, or
// Delete with the item's key.
type Change struct {
	Was int64 // the revision that was read; 0: none

	Ledger  *LedgerChange
	Person  *PersonChange
	Follows *FollowsChange
	Article *article.Page // by its id
	Void    *Void         // by its target
	Erasure *ErasureChange
	Merge   *MergeChange
	Event   *Event // by its key
	Act     *Act   // by its id
	Delete  bool   // the item is deleted; of its value only the key counts
}

// A Put is the new value of an item that the value does not name.
type Put[K, V any] struct {
	Key   K
	Value V
}

// The values that a Change puts: a ledger, a person's item, a sixteenth of a follow list, and how far an
// erasure or a merge is.
type (
	LedgerChange  = Put[LedgerKey, *ledger.MonthLedger]
	PersonChange  = Put[Key, *Person]
	FollowsChange = Put[FollowsKey, *FollowPart]
	ErasureChange = Put[Key, *Erasure]
	MergeChange   = Put[Key, *Merge]
)

// NextPerson returns the change of a person's item, decided on the row that was read.
func NextPerson(key Key, was Row[*Person], next *Person) Change {
	return Change{Was: was.Revision, Person: &PersonChange{Key: key, Value: next}}
}

// NextLedger returns the change of the ledger of a month of an account.
func (a *Account) NextLedger(m board.MonthOf, next *ledger.MonthLedger) Change {
	return Change{Was: a.Ledgers[m].Revision, Ledger: &LedgerChange{Key: LedgerKey{Person: a.Key, Month: m}, Value: next}}
}

// A Written is the result of a Change: nil Err means that it is stored under Revision. Else the error wraps
// table.ErrConflict (read again and decide again), or table.ErrUnavailable.
type Written struct {
	Revision int64 // 0 if it was deleted
	Err      error
}

// write returns the write of a change; that of one that names no item has no key, and is refused.
func (c Change) write() (w table.Write) {
	var encode func(table.Key) []byte
	switch {
	case c.Ledger != nil:
		w.Key, encode = c.Ledger.Key.item(), func(table.Key) []byte { return c.Ledger.Value.Encode() }
	case c.Person != nil:
		w.Key, encode = personKey(c.Person.Key), c.Person.Value.encode
	case c.Follows != nil:
		w.Key, encode = c.Follows.Key.item(), c.Follows.Value.encode
	case c.Article != nil:
		w.Key, encode = articleKey(c.Article.ID), func(table.Key) []byte { return []byte(c.Article.Encode()) }
	case c.Void != nil:
		w.Key, encode = voidKey(c.Void.Target), c.Void.encode
	case c.Event != nil:
		w.Key, encode = c.Event.item(), c.Event.encode
	case c.Act != nil:
		w.Key, encode = actKey(c.Act.ID), c.Act.encode
	case c.Erasure != nil:
		w.Key, encode = erasureKey(c.Erasure.Key), c.Erasure.Value.encode
	case c.Merge != nil:
		w.Key, encode = mergeKey(c.Merge.Key), c.Merge.Value.encode
	}
	w.Was, w.Gone = c.Was, c.Delete
	if encode != nil && !w.Gone {
		w.Data, w.Revision = encode(w.Key), table.Next(c.Was)
	}
	return w
}

// announce makes the head say, before new ledgers come, the first month of which there is one. It may take calls of its
// own, so Save, which may only write for some time after a read, announces first, and then looks at the time.
func (s *Store) announce(ctx context.Context, changes []Change) error {
	first := board.MonthOf(lastMonth)
	for _, c := range changes {
		if c.Ledger != nil && c.Was == 0 {
			first = min(first, c.Ledger.Key.Month)
		}
	}
	earlier := func(known board.MonthOf) bool { return first < cmp.Or(known, lastMonth) }
	if !earlier(board.MonthOf(s.first.Load())) {
		return nil
	}
	head, err := s.ChangeHead(ctx, func(h *Head) error {
		if !earlier(h.From) {
			return ErrUnchanged
		}
		h.From = first
		return nil
	})
	if err == nil {
		s.first.Store(int64(head.From))
	}
	return err
}

// Write applies each change by itself, many in a call, calls side by side.
func (s *Store) Write(ctx context.Context, changes ...Change) []Written {
	if err := s.announce(ctx, changes); err != nil {
		return slices.Repeat([]Written{{Err: err}}, len(changes))
	}
	return s.write(ctx, changes)
}

// write is Write of changes that were announced.
func (s *Store) write(ctx context.Context, changes []Change) []Written {
	if len(changes) == 0 {
		return nil
	}
	writes, written := prepare(changes)
	defer s.changed(changes)
	for i, outcome := range s.table.Write(ctx, writes...) {
		if outcome.Err != nil {
			written[i] = Written{Err: wrap("write", outcome.Err)}
		}
	}
	return written
}

// changed drops the kept copies of items that may have been changed. Of ledgers there are none.
func (s *Store) changed(changes []Change) {
	if slices.ContainsFunc(changes, func(c Change) bool { return c.Ledger == nil }) {
		s.circles.change(changes)
		s.lately.change(changes)
		s.standIns.change(changes)
	}
}

// WriteUnlessChanged applies each change whose item nobody has changed since: the others stay as they are. The error
// is another one, of any.
func (s *Store) WriteUnlessChanged(ctx context.Context, changes ...Change) error {
	for _, w := range s.Write(ctx, changes...) {
		if w.Err != nil && !errors.Is(w.Err, table.ErrConflict) {
			return w.Err
		}
	}
	return nil
}

// prepare returns the writes of changes, and the results of these if all are applied.
func prepare(changes []Change) ([]table.Write, []Written) {
	writes, written := make([]table.Write, len(changes)), make([]Written, len(changes))
	for i, c := range changes {
		writes[i] = c.write()
		written[i].Revision = writes[i].Revision
	}
	return writes, written
}

// Together applies all changes or none. The error wraps table.ErrConflict.
func (s *Store) Together(ctx context.Context, changes ...Change) ([]Written, error) {
	if err := s.announce(ctx, changes); err != nil {
		return nil, err
	}
	return s.together(ctx, changes)
}

// together is Together of changes that were announced.
func (s *Store) together(ctx context.Context, changes []Change) ([]Written, error) {
	writes, written := prepare(changes)
	defer s.changed(changes)
	if err := s.table.Together(ctx, writes...); err != nil {
		return nil, wrap("write together", err)
	}
	return written, nil
}

// WriteWith applies a change by itself, or with others, all or none. The error wraps table.ErrConflict.
func (s *Store) WriteWith(ctx context.Context, c Change, also ...Change) (Written, error) {
	if len(also) == 0 {
		written := s.Write(ctx, c)[0]
		return written, written.Err
	}
	written, err := s.Together(ctx, append([]Change{c}, also...)...)
	if err != nil {
		return Written{}, err
	}
	return written[0], nil
}

// writeOne writes one item that is not a Change's.
func (s *Store) writeOne(ctx context.Context, key table.Key, data []byte, was int64) (revision int64, err error) {
	w := table.Write{Item: table.Item{Key: key, Data: data, Revision: table.Next(was)}, Was: was}
	return w.Revision, wrap("write "+key.String(), s.table.Write(ctx, w)[0].Err)
}
