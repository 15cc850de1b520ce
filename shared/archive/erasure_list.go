package archive

import (
	"context"
	"errors"
	"fmt"
)

// runningErasures is the partition of running erasures, with an item for each under the
// hash of its user. The data is the id, which is needed to continue.
const runningErasures = "ERASING"

func runningKey(user string) Key { return Key{runningErasures, userHash(user)} }

// List adds a user to the list of running erasures. It can be repeated.
func (a *Archive) List(ctx context.Context, user string) error {
	item := Item{Key: runningKey(user), Data: []byte(user)}
	if err := a.store.Put(ctx, item); err != nil && !errors.Is(err, ErrExists) {
		return fmt.Errorf("archive: list an erasure: %w", err)
	}
	return nil
}

// Unlist removes a user from the list of running erasures. It can be repeated.
func (a *Archive) Unlist(ctx context.Context, user string) error {
	if err := a.store.Delete(ctx, runningKey(user)); err != nil {
		return fmt.Errorf("archive: unlist an erasure: %w", err)
	}
	return nil
}

// Erasing returns the users of running erasures, in no order.
func (a *Archive) Erasing(ctx context.Context) ([]string, error) {
	var users []string
	for below := "g"; ; { // after every hash
		items, err := a.store.Descend(ctx, runningErasures, below, 100)
		if err != nil {
			return nil, fmt.Errorf("archive: list the erasures: %w", err)
		}
		if len(items) == 0 {
			return users, nil
		}
		for _, item := range items {
			users = append(users, string(item.Data))
			below = item.Sort
		}
	}
}
