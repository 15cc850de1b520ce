package people_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/core/board"
	"laurel/shared/forum/people"
)

// The places that a merge would move are those that it moves: on the boards before, and after it has ended. It changes
// nothing to ask for them.
func TestMovesOfAMergeComeTrue(t *testing.T) {
	t.Parallel()
	moved := 0
	for i := range 12 {
		rng := rand.New(rand.NewPCG(uint64(i), 8))
		tale, f := newTale(rng), open(t, 1+i%2)
		tale.merge = -1
		f.tell(tale, false, nil)
		hidden := []string{"", "ann", "bob"}[i%3]
		if hidden != "" {
			f.setHidden(hidden)
		}
		before := f.places()
		moves := harness.Must(f.People.MergeMoves(t.Context(), "ann", "bob"))(f)
		if again := f.places(); len(again) != len(before) {
			t.Fatal("a look changes the boards")
		}
		f.merge()
		f.endMerges()
		after := f.places()
		told := map[people.Move]bool{}
		for _, m := range moves {
			moved++
			place := func(all map[onBoard]board.Place) (rank int64) { return all[onBoard{m.User, m.ID}].Rank }
			if place(before) != m.Rank || place(after) != m.NextRank {
				t.Errorf("tale %d, hidden %q: %+v, on the boards %d then %d", i, hidden, m, place(before), place(after))
			}
			told[people.Move{User: m.User, ID: m.ID}] = true
		}
		for _, user := range []string{"ann", "bob"} {
			for spot, place := range before {
				if spot.user == user && after[spot].Packed != place.Packed && !told[people.Move{User: user, ID: spot.ID}] {
					t.Errorf("tale %d, hidden %q: nothing tells of %s on %+v", i, hidden, user, spot.ID)
				}
			}
		}
		if moves, err := f.People.MergeMoves(t.Context(), "ann", "bob"); err != nil || len(moves) > 0 {
			t.Errorf("after the merge: %v, %v", moves, err)
		}
		if _, err := f.People.MergeMoves(t.Context(), "ann", "cid"); !errors.Is(err, people.ErrMergedElsewhere) {
			t.Error(err)
		}
	}
	if moved < 24 {
		t.Errorf("only %d places have moved", moved)
	}
}

// onBoard is a user on a board.
type onBoard struct {
	user string
	board.ID
}

// places returns the places on the boards of activity and steps, in the days and months of a tale.
func (f *forum) places() map[onBoard]board.Place {
	f.Helper()
	all := map[onBoard]board.Place{}
	for _, name := range []string{"activity", "steps"} {
		for _, w := range []board.Window{board.Day, board.Month} {
			for day := range board.Date(4) {
				p := board.PeriodOf(w, f.Ledger.Calendar().Date(f.now)-day)
				page := harness.Must(f.View.Read(f.Context(), board.View{Board: name, Period: p, Limit: 100}))(f)
				for _, place := range page.Places {
					all[onBoard{place.User, board.ID{Board: name, Period: p}}] = place
				}
			}
		}
	}
	return all
}

func (f *forum) setHidden(user string) {
	f.Helper()
	harness.OK(f, f.People.Hide(f.Context(), user, true, ""))
}
