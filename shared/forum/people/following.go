package people

import (
	"context"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/recording"
	"laurel/shared/store/items"
)

// Following reads a piece of a user's follow list, by id, and how many are on the whole list.
func (s *Store) Following(ctx context.Context, user string, offset, limit int64) (
	users []string, total int64, err error,
) {
	o, err := s.read(ctx, user, noMonths, askFollows)
	if err != nil {
		return nil, 0, err
	}
	all, err := o.Followed()
	total = int64(len(all))
	start := min(max(offset, 0), total)
	return all[start:min(start+limit, total)], total, err
}

// askFollows asks for a user's follow list.
func askFollows(key items.Key, q *items.Query) {
	for part := range byte(items.FollowParts) {
		q.Follows = append(q.Follows, items.FollowsKey{Person: key, Part: part})
	}
}

// ReplaceFollowing replaces a user's follow list at a moment: every target is followed then, and the others that
// are known by then are not. Targets who were erased since are left out. It gives no points, and returns how many
// people the targets are, erased ones too: the answer does not tell these from others. The error wraps ErrSelf,
// ErrErased or ErrExcluded, and nothing has changed then.
func (s *Store) ReplaceFollowing(ctx context.Context, user string, targets []string, moment board.Moment) (
	total int64, err error,
) {
	if slices.Contains(targets, user) {
		return 0, ErrSelf
	}
	resolved, err := s.Items.Resolve(ctx, targets...)
	if err != nil {
		return 0, err
	}
	targets = slices.Compact(slices.Sorted(slices.Values(resolved))) // of a merged person's ids one
	err = items.Again(ctx, func() error {
		o, err := s.read(ctx, user, noMonths, askFollows)
		if err != nil {
			return err
		}
		user = o.account.ID
		targets = slices.DeleteFunc(slices.Clone(targets), func(id string) bool { return id == user })
		follows, err := s.replacement(ctx, o, targets, moment)
		if err != nil {
			return err
		}
		changes, err := recording.FollowChanges(o.Found, o.account.Key, user, follows)
		if err != nil || len(changes) == 0 {
			return err
		}
		if _, err = s.Items.Together(ctx, changes...); err == nil && changes[0].Person != nil {
			s.show(ctx, user) // the view is to know this revision of the person
		}
		return err
	})
	return int64(len(targets)), err
}

// replacement returns the changes that make a list of targets of the list that was read. New targets who were erased
// since are left out: a follow does not know when it arrived, so follows that were ahead of the clock are, too.
func (s *Store) replacement(ctx context.Context, o *personItems, targets []string, moment board.Moment) (
	follows []ledger.FollowChange, err error,
) {
	switch p := o.person(); {
	case o.damaged() != nil:
		return nil, o.damaged()
	case moment <= p.Erased:
		return nil, ErrErased
	case p.Status.Excluded:
		return nil, ErrExcluded
	}
	known, on := map[string]bool{}, map[string]bool{}
	for _, id := range targets {
		on[id] = true
	}
	for _, row := range o.Follows {
		if row.Revision == 0 {
			continue
		}
		for _, f := range row.Value.Targets {
			known[f.ID] = f.Last > f.Undone
			if !on[f.ID] {
				follows = append(follows, ledger.FollowChange{Target: f.ID, At: moment, Undone: true})
			}
		}
	}
	var q items.Query
	for _, id := range targets {
		if !known[id] {
			q.People = append(q.People, o.Head.KeyOf(id))
		}
	}
	found, err := s.Items.Read(ctx, q)
	if err != nil {
		return nil, err
	}
	for _, id := range targets {
		p := found.People[o.Head.KeyOf(id)].Value
		if p == nil || p.Erased == 0 || moment > p.Erased.Add(ledger.MaxAhead) {
			follows = append(follows, ledger.FollowChange{Target: id, At: moment})
		}
	}
	return follows, nil
}
