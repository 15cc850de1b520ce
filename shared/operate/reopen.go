package operate

import (
	"context"
	"strings"

	"laurel/shared/board"
	"laurel/shared/recovery"
)

// Reopen are the arguments of "reopen"; its result is a recovery.Reopened.
type Reopen struct {
	Board  string       `json:"board"`
	Period board.Period `json:"period"`
	Apply  bool         `json:"apply,omitempty"`
}

// reopen makes a final period live again. It is one slice.
func reopen(ctx context.Context, s *slice, a Reopen, _ *struct{}) (any, error) {
	if s.Rules.Windows(a.Board) == nil {
		return nil, usage("there is no board %q; the boards are %s", a.Board, strings.Join(s.Rules.Boards(), ", "))
	}
	if err := s.fresh(ctx); err != nil {
		return nil, err
	}
	told, err := s.Reopen(ctx, s.now, recovery.Reopening{Board: a.Board, Period: a.Period, Apply: a.Apply})
	if err != nil {
		return nil, err
	}
	return told, nil
}
