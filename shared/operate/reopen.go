package operate

import (
	"context"

	"laurel/shared/board"
	"laurel/shared/night"
)

// Reopen are the arguments of "reopen"; its result is a night.Reopened.
type Reopen struct {
	Period board.Period `json:"period"`
	Apply  bool         `json:"apply,omitempty"`
}

// reopen makes a final period live again. It is one slice.
func reopen(ctx context.Context, s *slice, a Reopen, _ *struct{}) (any, error) {
	told, err := night.Reopen(ctx, s.Nights(), a.Period, a.Apply)
	if err != nil {
		return nil, err
	}
	return told, nil
}
