package state

import (
	"context"
	"iter"
)

const totals = "TOTALS"

// SetTotals keeps the totals page of a user: what the user's final months came to. "" removes
// it.
func (s *Store) SetTotals(ctx context.Context, user, page string) error {
	return s.ChangeTotals(ctx, user, func(string) (string, error) { return page, nil })
}

// ChangeTotals keeps what change makes of the totals page that is kept of a user, "" for none.
func (s *Store) ChangeTotals(ctx context.Context, user string, change func(page string) (string, error)) error {
	return s.change(ctx, numbered(totals, user), 0, func(data []byte) ([]byte, error) {
		page, err := change(string(data))
		return []byte(page), err
	})
}

// Totals returns the totals pages that are kept, of everybody who had pages of a month when
// they were removed.
func (s *Store) Totals(ctx context.Context) iter.Seq2[Total, error] {
	return func(yield func(Total, error) bool) {
		for item, err := range s.each(ctx, totals) {
			if !yield(Total{item.Sort, string(item.Data)}, err) {
				return
			}
		}
	}
}

// A Total is the totals page of a user.
type Total struct{ User, Page string }
