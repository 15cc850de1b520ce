package harness

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/board"
	"laurel/shared/ledger/reference"
	"laurel/shared/view"
)

// CompareBoards compares every board of the reference with the view's, page by page.
func CompareBoards(t *testing.T, store *view.Store, forum reference.Forum, ref *reference.Ledger) {
	t.Helper()
	for _, name := range forum.Rules.Boards() {
		for _, w := range forum.Rules.Windows(name) {
			for _, p := range ref.Periods(name, w) {
				if diff := cmp.Diff(ref.Board(name, p), ReadWhole(t, store, name, p, 3)); diff != "" {
					t.Errorf("board %s %s (-reference +view):\n%s", name, p, diff)
				}
			}
		}
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
