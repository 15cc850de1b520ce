package items

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"laurel/shared/store/table"
)

// A Saving is the writes for one person that were decided on one read.
type Saving struct {
	Together []Change // all are made or none
	Apart    []Change // each is made by itself, after Together

	// The results of the changes that were made, by index: of Together, then of Apart. A change without a Revision was
	// not made.
	Written []Written
	Err     error // wraps table.ErrConflict: others came first, or the read is too old, so it is to be made again
}

// savedAtOnce is how many people's changes that belong together are made side by side.
const savedAtOnce = 16

// Save makes the writes for some people, those of each apart from the others', as long as late does not say that the
// read that they were decided on is too old. The error is of a call before all writes.
func (s *Store) Save(ctx context.Context, late func() bool, all []Saving) error {
	if late() {
		for i := range all {
			all[i].Err = table.ErrConflict
		}
		return nil
	}
	changes := make([]Change, 0, len(all))
	for i := range all {
		changes = append(append(changes, all[i].Together...), all[i].Apart...)
	}
	if err := s.announce(ctx, changes); err != nil {
		return err
	}
	var group errgroup.Group
	group.SetLimit(savedAtOnce)
	for i := range all {
		if one := &all[i]; len(one.Together) > 0 {
			group.Go(func() error {
				if one.Err = table.ErrConflict; !late() {
					one.Written, one.Err = s.together(ctx, one.Together)
				}
				return nil
			})
		}
	}
	_ = group.Wait() // each has its error
	s.saveApart(ctx, late, all)
	return nil
}

// saveApart makes the changes that are made each by itself, of people whose others were made.
func (s *Store) saveApart(ctx context.Context, late func() bool, all []Saving) {
	changes, owners := make([]Change, 0, len(all)), make([]*Saving, 0, len(all))
	for i := range all {
		one := &all[i]
		if one.Err == nil && len(one.Apart) > 0 && late() {
			one.Err = table.ErrConflict
		}
		for _, c := range one.Apart {
			if one.Err == nil {
				changes, owners = append(changes, c), append(owners, one)
			}
		}
	}
	for i, written := range s.write(ctx, changes) {
		one := owners[i]
		one.Written = append(one.Written, written)
		if one.Err == nil || errors.Is(one.Err, table.ErrConflict) && written.Err != nil {
			one.Err = written.Err // one that may have been applied counts more than a conflict
		}
	}
}
