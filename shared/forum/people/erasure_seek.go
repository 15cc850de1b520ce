package people

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"laurel/shared/core/ledger"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

// seekFollows takes people off the follow lists of others, as far as they were followed before.
func (s *Store) seekFollows(ctx context.Context, people map[string]*erasing, bucket int) error {
	var sixteenths []byte
	for user := range people {
		if part := items.FollowPartOf(user); !slices.Contains(sixteenths, part) {
			sixteenths = append(sixteenths, part)
		}
	}
	for lists, err := range s.lists(ctx, bucket, sixteenths) {
		if err == nil {
			err = s.forget(ctx, people, lists)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// forget takes people off some lists, again those that others change meanwhile.
func (s *Store) forget(ctx context.Context, people map[string]*erasing, lists []list) error {
	return items.Again(ctx, func() (err error) {
		var changes []items.Change
		var gone [][]*erasing
		for _, l := range lists {
			if next, dropped := without(l.Value, people); len(dropped) > 0 {
				gone = append(gone, dropped)
				changes = append(changes, items.Change{
					Was: l.Revision, Follows: &items.FollowsChange{Key: l.key, Value: next}, Delete: len(next.Targets) == 0,
				})
			}
		}
		var again []items.FollowsKey
		for i, w := range s.Items.Write(ctx, changes...) {
			err = cmp.Or(err, w.Err)
			if w.Err != nil {
				again = append(again, changes[i].Follows.Key)
				continue
			}
			for _, e := range gone[i] {
				e.count("followLists", 1)
			}
		}
		if errors.Is(err, table.ErrConflict) {
			var failed error
			if lists, failed = s.readLists(ctx, again); failed != nil {
				return failed
			}
		}
		return err
	})
}

// without returns a part of a list without the follows of some people up to their erasures, and the erasures of the
// people who had such follows.
func without(part *items.FollowPart, people map[string]*erasing) (*items.FollowPart, []*erasing) {
	next := &items.FollowPart{}
	var dropped []*erasing
	for _, f := range part.Targets {
		e := people[f.ID]
		if e == nil {
			next.Targets = append(next.Targets, f)
			continue
		}
		was, until := f, e.state.At.Add(ledger.MaxAhead)
		if f.Last <= until {
			f.Last = 0
		}
		if f.Undone <= until {
			f.Undone = 0
		}
		if f != was {
			dropped = append(dropped, e)
		}
		if f.Last != 0 || f.Undone != 0 {
			next.Targets = append(next.Targets, f)
		}
	}
	return next, dropped
}

// seekArticles takes people off the articles that they published before.
func (s *Store) seekArticles(ctx context.Context, people map[string]*erasing, bucket int) error {
	ids := map[*erasing][]string{}
	for row, err := range s.Items.Articles(ctx, bucket) {
		if err != nil {
			return err
		}
		if row.Err != nil {
			continue
		}
		if e := people[row.Value.Author]; e != nil && row.Value.Published <= e.state.At {
			ids[e] = append(ids[e], row.ID)
		}
	}
	for e, articles := range ids {
		forgotten, err := s.Articles.Forget(ctx, e.user, e.state.At, articles...)
		if e.count("articles", int(forgotten)); err != nil {
			return err
		}
	}
	return nil
}
