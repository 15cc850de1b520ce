package recovery

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"laurel/shared/codec"
	"laurel/shared/ledger"
	"laurel/shared/state"
)

// keptStatuses goes over the status pages in the table. An error about a damaged one, which wraps
// state.ErrDamaged, comes with the user, and the others follow.
func (r *rebuild) keptStatuses(ctx context.Context) iter.Seq2[state.Status, error] {
	return opening(r.State.Statuses(ctx), func(s state.Status) (string, error) {
		_, err := ledger.OpenUserStatus(s.Page)
		return s.User, err
	})
}

// keptTotals is keptStatuses of totals pages.
func (r *rebuild) keptTotals(ctx context.Context) iter.Seq2[state.Total, error] {
	return opening(r.State.Totals(ctx), func(t state.Total) (string, error) {
		_, err := ledger.MonthTotals(t.Page)
		return t.User, err
	})
}

// keptFollows is keptStatuses of follow lists.
func (r *rebuild) keptFollows(ctx context.Context) iter.Seq2[state.FollowList, error] {
	return opening(r.State.Follows(ctx), func(l state.FollowList) (string, error) {
		_, err := ledger.OpenFollows(l.Page)
		return l.User, err
	})
}

// opening goes over items, and opens the page of each, which names its user.
func opening[T any](items iter.Seq2[T, error], open func(T) (user string, err error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for item, err := range items {
			if err == nil {
				var user string
				if user, err = open(item); errors.Is(err, codec.ErrDamaged) {
					err = fmt.Errorf("%w: of the user with the hash %016x: %w", state.ErrDamaged, codec.Hash(user), err)
				} else {
					err = nil // a format of the future is refused where the page is merged
				}
			}
			if !yield(item, err) {
				return
			}
		}
	}
}
