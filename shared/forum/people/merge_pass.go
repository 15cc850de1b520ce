package people

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

// A merging is a running merge.
type merging struct {
	user, into string // "" until the person's item is read
	key        items.Key
	state      items.Merge
	revision   int64
}

// count adds n to the number of joined items of a kind.
func (m *merging) count(item string, n int) {
	if n > 0 {
		m.state.Joined[item] += int64(n)
	}
}

// together writes changes with the state of the merge, all or none: so each item is taken once, by one process, and
// none after an erasure has ended the merge. A conflict leaves the state as it was.
func (s *Store) together(ctx context.Context, m *merging, counts map[string]int, changes ...items.Change) error {
	was := m.state
	m.state.Joined = map[string]int64{}
	maps.Copy(m.state.Joined, was.Joined)
	for item, n := range counts {
		m.count(item, n)
	}
	next := items.Change{Was: m.revision, Merge: &items.MergeChange{Key: m.key, Value: &m.state}}
	written, err := s.Items.WriteWith(ctx, next, changes...)
	if err != nil {
		m.state = was
		return err
	}
	m.revision = written.Revision
	return nil
}

// GoOnMerging continues all running merges, for as long as the context has time: it may be killed, repeated, and run
// beside another. Each begins Options.Wait after its mark. A month of which a night is making boards waits.
func (s *Store) GoOnMerging(ctx context.Context) (result items.Ongoing, err error) {
	head, err := s.Items.Head(ctx)
	if err != nil || head.Merges == 0 {
		return items.Ongoing{}, err
	}
	all, err := s.runningMerges(ctx)
	if err != nil {
		return items.Ongoing{}, err
	}
	if len(all) == 0 {
		return items.Ongoing{}, s.rest(ctx, head.Merges, func(h *items.Head) *int64 { return &h.Merges })
	}
	first := true
	for _, one := range all {
		if board.MomentOf(s.Real()) >= one.state.Since.Add(s.Wait) && (first || !over(ctx)) {
			first = false
			err = errors.Join(err, alone(s.continueMerge(ctx, one)))
		}
		if one.state.State == items.Done {
			result.Done++
		} else {
			result.Leave(one.state.At.Time())
		}
	}
	return result, err
}

// runningMerges returns the running merges, the oldest first.
func (s *Store) runningMerges(ctx context.Context) (all []*merging, err error) {
	for row, err := range s.Items.Merges(ctx) {
		if err := cmp.Or(err, row.Err); err != nil {
			return nil, err
		}
		if row.Value.State == items.Running {
			all = append(all, &merging{key: row.Key, state: *row.Value, revision: row.Revision})
		}
	}
	slices.SortStableFunc(all, func(a, b *merging) int { return cmp.Compare(a.state.Since, b.state.Since) })
	return all, nil
}

// continueMerge joins the items of one person, looks through everybody's items, and ends the merge if nothing waits.
func (s *Store) continueMerge(ctx context.Context, m *merging) error {
	waits, err := s.joinOwn(ctx, m)
	if err != nil {
		return err
	}
	began := m.state.Bucket
	bucket, err := items.ThroughBuckets(ctx, began, func(ctx context.Context, bucket int) error {
		for _, seek := range []func(*Store, context.Context, *merging, int) error{
			(*Store).mergePairs, (*Store).mergeFollowed, (*Store).mergeAuthor,
		} {
			if err := seek(s, ctx, m, bucket); err != nil {
				return fmt.Errorf("people: merge: %w", err)
			}
		}
		return nil
	})
	if bucket > began {
		m.state.Bucket = bucket
		if failed := s.together(ctx, m, nil); failed != nil {
			return errors.Join(err, failed)
		}
	}
	if err != nil || waits || bucket < items.Buckets || over(ctx) {
		return err
	}
	return s.endMerge(ctx, m)
}

// endMerge shows both people once more, as a process may have been killed between a write and its show, and says that
// the merge is done.
func (s *Store) endMerge(ctx context.Context, m *merging) error {
	for _, user := range []string{m.user, m.into} {
		if err := s.Projector.ShowUser(ctx, user); err != nil {
			return fmt.Errorf("people: a merge is not shown: %w", err)
		}
	}
	m.state.State = items.Done
	if err := s.together(ctx, m, nil); err != nil {
		m.state.State = items.Running
		return err
	}
	return nil
}

// ends says whether the merge was ended by an erasure.
func (m *merging) ends(person items.Person) error {
	if person.Into == "" {
		return fmt.Errorf("people: %w: the merged person was erased", table.ErrConflict)
	}
	return nil
}
