package trial

import (
	"context"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
)

// An Act of an operator changes one user's account, or, with User "", anybody's.
type Act struct {
	User string
	// Change returns the account after the act. It may change the given one.
	Change func(a *ledger.Account, life *board.Life) (*ledger.Account, error)
}

// Preview goes over the live ledgers, and returns the boards of the current periods on which an act would move anybody,
// as they are and as they would be. It writes nothing, and does not need the view.
func Preview(ctx context.Context, o Options, act Act, tell func(people int64)) (boards []Board, err error) {
	t := newTrial(o, o.Ledger, tell)
	t.act = &act
	if t.head, err = o.Items.Head(ctx); err != nil {
		return nil, err
	}
	if err := t.run(ctx); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(t.result.Boards, func(b Board) bool { return !b.moves() }), nil
}

// moves says whether the act moves anybody on a board, or changes a score.
func (b *Board) moves() bool {
	return len(b.Gain)+len(b.Lose) > 0 || !slices.Equal(b.Before.Entries, b.After.Entries)
}
