package operate

import (
	"context"
	"time"

	"laurel/shared/board"
	"laurel/shared/erasure"
)

// User are the arguments of "export", whose result is an export.WholeData, and of "erase",
// whose result is an Erased.
type User struct {
	ID string `json:"id"`
}

// Erased is how far an erasure is: running until the night has made closed periods final.
type Erased struct {
	State   string           `json:"state"`
	Removed map[string]int64 `json:"removed"`
}

func export(ctx context.Context, s *slice, a User, _ *struct{}) (any, error) {
	if err := s.fresh(ctx); err != nil {
		return nil, err
	}
	whole, err := s.Kept.Export.Whole(ctx, a.ID, board.MomentOf(s.now))
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

// eraseAtOnce is for how long a slice erases, which saves by itself where it is.
const eraseAtOnce = time.Minute

// erase erases a user; where the erasure is, the table keeps.
func erase(ctx context.Context, s *slice, a User, c *eraseCursor) (any, error) {
	if err := s.fresh(ctx); err != nil {
		return nil, err
	}
	if c.Asked == 0 {
		c.Asked = board.MomentOf(s.now)
	}
	within, cancel := context.WithTimeout(ctx, eraseAtOnce)
	defer cancel()
	state, err := s.Kept.Eraser.EraseAsked(within, a.ID, c.Asked)
	switch {
	case err != nil:
		return nil, err
	case !erasure.Idle(state):
		return nil, errPaused
	default:
		return Erased{state.State, state.Removed}, nil
	}
}
