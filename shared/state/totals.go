package state

import (
	"context"
	"iter"
)

const totals = "TOTALS"

// SetTotals keeps the totals page of a user: what the user's months came to, which final
// boards do not tell.
func (s *Store) SetTotals(ctx context.Context, user, page string) error {
	return s.change(ctx, numbered(totals, user), 0, func([]byte) ([]byte, error) { return []byte(page), nil })
}

// Totals returns the totals pages that are kept. A page has the months up to one at whose
// close the user was suppressed; of later ones the final boards have the user.
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
