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
	t := &trial{
		o: o, other: o.Ledger, act: &act, tell: tell, scores: map[board.ID][]score{},
		day: o.Ledger.Calendar().Date(board.MomentOf(o.Clock())),
	}
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

// around returns the places of an account before the act and after it, and whether it is hidden then.
func (t *trial) around(a *ledger.Account) (places [2][]ledger.Shown, hidden [2]bool, err error) {
	enter := func(side int) (err error) {
		if hidden[side] = a.Status.Hidden; !a.Status.Withheld() {
			places[side], err = t.placesBy(t.o.Ledger, a)
		}
		return err
	}
	if err := enter(0); err != nil {
		return places, hidden, err
	}
	if t.act.User != "" && t.act.User != a.User {
		places[1], hidden[1] = places[0], hidden[0]
		return places, hidden, nil
	}
	if a, err = t.act.Change(a, t.head.Life); err == nil {
		err = enter(1)
	}
	return places, hidden, err
}
