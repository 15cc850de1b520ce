package pages_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/stream"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/ledger/reference"
	"laurel/shared/live"
)

// After a period is closed nothing changes on its board, whatever is recorded;
// every other board is what was accepted, and so are the receipts. The ledger
// follows: an undo of what a final day has counted is seen in the month.
func TestFinalBoardsNeverChange(t *testing.T) {
	t.Parallel()
	for i := range max(testserver.Soak(t, 12_000)/4_000, 1) {
		rng := rand.New(rand.NewPCG(uint64(i), 19))
		forum, err := stream.NewForum(rng)
		if err != nil {
			t.Fatal(err)
		}
		client, l := testserver.Redis(t), ledger.New(forum.Rules, forum.Calendar)
		acts := forum.Activities(rng, 4_000, []string{"ada", "bob", "-1", "é", "eve", "f", "g", "h"})
		batches := stream.Deliver(rng, acts, 60)
		closings := closingsOf(forum, acts[:6])
		answers := recordWhileClosing(t, client, l, batches, closings)
		ref := reference.New(forum.Rules, forum.Calendar)
		points, refused := accepted(t, ref, batches, answers)
		if refused == 0 {
			t.Error("nothing was refused")
		}
		for user, sum := range points {
			if want := ref.MonthPoints(user); sum != want {
				t.Errorf("receipts of %s add up to %d, the month scores to %d", user, sum, want)
			}
		}
		final := map[string]bool{}
		for _, c := range closings {
			final[c.board+" "+c.period.String()] = true
			if diff := cmp.Diff(c.final, wholeBoard(t, client, c)); diff != "" {
				t.Errorf("%s %s has changed since it is final (-then +now):\n%s", c.board, c.period, diff)
			}
		}
		compareLive(t, live.New(client, l, 1), forum, ref, final)
		if t.Failed() {
			t.Fatalf("episode %d in %s", i, forum.Calendar.Zone())
		}
	}
}

// closingsOf closes the days of some activities, and a week and a year, on the
// boards that keep them. Months stay live, to be compared with the receipts.
func closingsOf(forum stream.Forum, acts []activity.Activity) []*closing {
	var all []*closing
	for i, a := range acts {
		day := forum.Calendar.Date(a.At)
		all = append(all, &closing{board: forum.Rules.Boards()[i%2], period: board.PeriodOf(board.Day, day)})
		if i == 3 && forum.Rules.Keeps(board.Week) {
			all = append(all, &closing{board: "activity", period: board.PeriodOf(board.Week, day)},
				&closing{board: "activity", period: board.PeriodOf(board.Year, day)})
		}
	}
	return all
}

// compareLive compares every board that is not final with the reference's.
func compareLive(t *testing.T, store *live.Store, forum stream.Forum, ref *reference.Ledger, final map[string]bool) {
	t.Helper()
	for _, name := range forum.Rules.Boards() {
		for _, w := range forum.Rules.Windows(name) {
			for _, p := range ref.Periods(name, w) {
				if final[name+" "+p.String()] {
					continue
				}
				if diff := cmp.Diff(ref.Board(name, p), harness.ReadWhole(t, store, name, p, 3)); diff != "" {
					t.Errorf("board %s %s (-reference +store):\n%s", name, p, diff)
				}
			}
		}
	}
}
