package people

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"laurel/shared/core/board"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

// GoOn continues all running erasures, for as long as the context has time: it may be killed, repeated, and run beside
// another. The second half of each begins Options.Wait after its first. Erasures that are as far as each other look
// through everybody's items together, the farthest first: so none is held up by those that begin.
func (s *Store) GoOn(ctx context.Context) (items.Ongoing, error) {
	head, err := s.Items.Head(ctx)
	if err != nil || head.Erasures == 0 {
		return items.Ongoing{}, err
	}
	all, err := s.running(ctx)
	if err != nil {
		return items.Ongoing{}, err
	}
	if len(all) == 0 {
		return items.Ongoing{}, s.rest(ctx, head.Erasures, func(h *items.Head) *int64 { return &h.Erasures })
	}
	var due []*erasing
	for _, e := range all {
		if e.begins() && !over(ctx) {
			err = errors.Join(err, alone(s.firstHalf(ctx, e)))
		}
		if !e.begins() && board.MomentOf(s.Real()) >= e.state.Since.Add(s.Wait) {
			due = append(due, e)
		}
	}
	for first := true; len(due) > 0 && (first || !over(ctx)); first = false {
		farthest := slices.MaxFunc(due, func(a, b *erasing) int { return cmp.Compare(a.state.Bucket, b.state.Bucket) })
		far := farthest.state.Bucket
		group := slices.DeleteFunc(slices.Clone(due), func(e *erasing) bool { return e.state.Bucket != far })
		due = slices.DeleteFunc(due, func(e *erasing) bool { return e.state.Bucket == far })
		err = errors.Join(err, alone(s.secondHalf(ctx, group)))
	}
	var result items.Ongoing
	for _, e := range all {
		if e.state.State == items.Done {
			result.Done++
		} else {
			result.Leave(e.state.At.Time())
		}
	}
	return result, err
}

// alone returns an error, but nil for one that says that another process continues the same erasure.
func alone(err error) error {
	if errors.Is(err, table.ErrConflict) {
		return nil
	}
	return err
}

// rest makes a count of the head say that nothing is running, unless something has begun since the number was read.
func (s *Store) rest(ctx context.Context, number int64, count func(*items.Head) *int64) error {
	_, err := s.Items.ChangeHead(ctx, func(h *items.Head) error {
		if *count(h) != number {
			return items.ErrUnchanged
		}
		*count(h) = 0
		return nil
	})
	return err
}

// running returns the running erasures, with their users.
func (s *Store) running(ctx context.Context) (all []*erasing, err error) {
	var q items.Query
	for row, err := range s.Items.Erasures(ctx) {
		if err := cmp.Or(err, row.Err); err != nil {
			return nil, err
		}
		if row.Value.State == items.Running {
			all = append(all, &erasing{key: row.Key, state: *row.Value, revision: row.Revision})
			q.People = append(q.People, row.Key)
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	found, err := s.Items.Read(ctx, q)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(e *erasing) bool {
		row := found.People[e.key]
		if row.Revision != 0 && row.Value.Erased == e.state.At {
			e.user = row.Value.ID
		}
		if e.user == "" { // it was done, or begun again, meanwhile
			s.Log.WarnContext(ctx, "an erasure is left: its tombstone cannot be read", "key", e.key.String())
		}
		return e.user == ""
	}), nil
}

// secondHalf looks through everybody's items for a group that is equally far, as far as the time goes, and then
// ends it.
func (s *Store) secondHalf(ctx context.Context, group []*erasing) error {
	byID := make(map[string]*erasing, len(group))
	for _, e := range group {
		byID[e.user] = e
	}
	began := group[0].state.Bucket
	bucket, err := items.ThroughBuckets(ctx, began, func(ctx context.Context, bucket int) error {
		for _, k := range kinds() {
			if k.seek == nil {
				continue
			}
			if err := k.seek(s, ctx, byID, bucket); err != nil {
				return fmt.Errorf("people: erase from %s: %w", k.name, err)
			}
		}
		return nil
	})
	for _, e := range group {
		if e.state.Bucket = bucket; bucket > began {
			if failed := s.save(ctx, e); failed != nil {
				return errors.Join(err, failed)
			}
		}
	}
	for i, e := range group {
		if bucket == items.Buckets && (i == 0 || !over(ctx)) {
			err = errors.Join(err, alone(s.end(ctx, e)))
		}
	}
	return err
}

// over says whether a call has only time left to save how far it is.
func over(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ctx.Err() != nil || ok && time.Until(deadline) < items.SaveTime
}

// end empties the items under the person's key once more, as a process that had read before the tombstone may have
// written since, and shows that. Then the id is dropped from the tombstone, unless it is a new person's, who may be on
// final boards by now. While the view may still hold the id, it waits.
func (s *Store) end(ctx context.Context, e *erasing) error {
	o, err := s.clearOwn(ctx, e)
	if err != nil {
		return err
	}
	if err := s.Projector.ShowUser(ctx, e.user); err != nil {
		return fmt.Errorf("people: an erasure is not shown: %w", err)
	}
	head, err := s.Items.Head(ctx)
	held := func(p board.PeriodLife) bool { return p.State == board.PeriodFinal } // by the view; nobody shows it any more
	if err != nil || head.Behind != nil || slices.ContainsFunc(head.Life.Unsettled(), held) {
		return err
	}
	next := o.person()
	if next.Erasing = false; !o.lives() {
		next.ID = ""
	}
	e.state.State = items.Done
	if err := s.save(ctx, e, items.NextPerson(e.key, o.account.Person, &next)); err != nil {
		e.state.State = items.Running
		return err
	}
	s.show(ctx, e.user) // the view is to know this revision of the person
	return nil
}
