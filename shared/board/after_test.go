package board_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"laurel/shared/board"
)

func TestAPlaceIsItsText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		p := board.Place{Rank: rapid.Int64Range(1, 1<<31-1).Draw(r, "rank"), Entry: board.Entry{
			User: rapid.StringN(1, 20, 64).Draw(r, "user"),
			Packed: board.Pack(rapid.Int64Range(1, board.MaxScore).Draw(r, "score"),
				rapid.Int64Range(0, 1<<27-1).Draw(r, "ticks")),
		}}
		if got, err := board.ParsePlace(p.Text()); err != nil || got != p {
			r.Errorf("%q is %v: %v", p.Text(), got, err)
		}
	})
	for _, text := range []string{
		"", "30", "30.34.5", "30.34.5.", "+3.34.5.ann", "30.-34.5.ann", "30.34.x.ann", "99999999999999999999.34.5.ann",
	} {
		if got, err := board.ParsePlace(text); !errors.Is(err, board.ErrPlace) {
			t.Errorf("%q is %v: %v", text, got, err)
		}
	}
}
