package harness

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/board"
	"laurel/shared/ledger/reference"
	"laurel/shared/view"
)

// CompareBoards compares every board of the reference with the view's, whole,
// page by page, and the standings of some.
func CompareBoards(t *testing.T, store *view.Store, forum reference.Forum, ref *reference.Ledger) {
	t.Helper()
	for _, name := range forum.Rules.Boards() {
		for _, w := range forum.Rules.Windows(name) {
			for _, p := range ref.Periods(name, w) {
				want := ref.Board(name, p)
				got := ReadWhole(t, store, name, p, 3)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("board %s %s (-reference +view):\n%s", name, p, diff)
				}
				for i, e := range want {
					v := board.View{Board: name, Period: p, User: e.User, Around: int64(i % 4)}
					page, err := store.Read(t.Context(), v)
					if err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(ref.Standing(name, p, e.User), *page.Standing); diff != "" {
						t.Errorf("standing of %s on %s %s (-reference +view):\n%s", e.User, name, p, diff)
					}
					compareNeighbours(t, want, page.Neighbours, i, i%4)
				}
			}
		}
	}
}

// compareNeighbours checks the neighbours of a place of a whole board.
func compareNeighbours(t *testing.T, whole []board.Entry, got []board.Place, at, around int) {
	t.Helper()
	var want []board.Place
	for j := max(0, at-around); j < min(len(whole), at+around+1); j++ {
		want = append(want, board.Place{Rank: int64(j + 1), Entry: whole[j]})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("neighbours (-reference +view):\n%s", diff)
	}
}

// ReadWhole reads a whole board, some places at a time.
func ReadWhole(t *testing.T, store *view.Store, name string, p board.Period, limit int64) []board.Entry {
	t.Helper()
	var whole []board.Entry
	for {
		page, err := store.Read(t.Context(), board.View{Board: name, Period: p, Offset: int64(len(whole)), Limit: limit})
		if err != nil {
			t.Fatal(err)
		}
		for _, place := range page.Places {
			if whole = append(whole, place.Entry); place.Rank != int64(len(whole)) {
				t.Errorf("place %d of %s %s has rank %d", len(whole), name, p, place.Rank)
			}
		}
		if len(page.Places) == 0 {
			if page.Total != int64(len(whole)) {
				t.Errorf("%s %s: total %d, but %d on its pages", name, p, page.Total, len(whole))
			}
			return whole
		}
	}
}
