package operate

import (
	"context"

	"laurel/shared/board"
)

// User are the arguments of "export", whose result is a people.WholeData, and of "erase",
// whose result is a people.ErasureData.
type User struct {
	ID string `json:"id"`
}

func export(ctx context.Context, s *slice, a User, _ *struct{}) (any, error) {
	whole, err := s.People.Whole(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	return whole, nil
}

// eraseCursor has when the erasure was asked for: a slice that is repeated erases nothing
// that the user did since.
type eraseCursor struct {
	Asked board.Moment `json:"asked"`
}

// erase begins to erase a user; ticks finish it.
func erase(ctx context.Context, s *slice, a User, c *eraseCursor) (any, error) {
	if c.Asked == 0 {
		c.Asked = board.MomentOf(s.now)
	}
	told, err := s.People.EraseAsked(ctx, a.ID, c.Asked)
	if err != nil {
		return nil, err
	}
	return told, nil
}
