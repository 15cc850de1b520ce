package boards_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/boards"
	"laurel/shared/live"
)

// awkward are ids that a locale would put in another order than their bytes, or
// take for equal.
var awkward = []string{
	"a", "A", "b", "B", "Z", "z", "_", "-", "a-b", "a_b", "ab", "aB", "a b", " ", "é",
	"e\u0301", "E", "ä", "Ä", "ß", "ss",
	"ö", "o", "ÿ", "Ā", "ı", "i", "I", "İ", "日本", "日", "ｚ", "🏆", "\u200b", "10", "9", "09",
	"-1", "9007199254740993", "ª",
	"²", "2",
}

// tied makes a board of so many users with few scores, reached at few moments,
// so that nearly every place is decided by the id; and the order it has to have.
func tied(t *testing.T, n int) (acts []activity.Activity, want []board.Entry) {
	t.Helper()
	noon, start := harness.At(t, "2026-11-20T12:00"), harness.At(t, "2026-11-20T00:00")
	for i := range n {
		user := fmt.Sprintf("%s.%d", awkward[i%len(awkward)], i/len(awkward))
		m := noon + board.Moment(i*7%3)
		for j := range 1 + i*5%2 {
			acts = append(acts, activity.Activity{User: user, Action: "publish", Target: fmt.Sprint("t", j), At: m})
		}
		want = append(want, board.Entry{User: user, Packed: board.Pack(int64(10*(1+i*5%2)), int64(m-start))})
	}
	slices.SortFunc(want, func(a, b board.Entry) int {
		switch {
		case a.Packed.Score() != b.Packed.Score():
			return int(b.Packed.Score() - a.Packed.Score())
		case a.Packed.Ticks() != b.Packed.Ticks():
			return int(a.Packed.Ticks() - b.Packed.Ticks())
		default:
			return strings.Compare(a.User, b.User)
		}
	})
	return acts, want
}

// Promise 4: one order on pages, across their borders, deep down, in ranks and
// among neighbours, in one shard and in several.
func TestPromise4OneOrderEverywhere(t *testing.T) {
	t.Parallel()
	acts, want := tied(t, 1_900) // more than a sharded page is read from the top for
	day := harness.Period(t, "2026-11-20")
	for _, shards := range []int{1, 5} {
		t.Run(fmt.Sprintf("%d shards", shards), func(t *testing.T) {
			t.Parallel()
			store := live.New(testserver.Redis(t), harness.UTC(), shards)
			for batch := range slices.Chunk(acts, 500) {
				harness.Record(t, store, batch...)
			}
			for _, limit := range []int64{100, 7} {
				for offset := int64(0); offset < int64(len(want)); offset += limit {
					if limit == 7 && offset > 100 && (offset < 950 || offset > 1_050) {
						continue // deep pages of many round trips; those around the depth where they begin
					}
					page := harness.Read(t, store, board.View{Board: "activity", Period: day, Offset: offset, Limit: limit})
					comparePage(t, want, page, offset, limit)
				}
			}
			for i := 0; i < len(want); i += 17 {
				around := i % 26
				page := harness.Read(t, store,
					board.View{Board: "activity", Period: day, User: want[i].User, Around: int64(around)})
				if page.Standing.Rank != int64(i)+1 || page.Standing.Score != want[i].Packed.Score() {
					t.Errorf("%q stands at %d with %d, want %d with %d", want[i].User, page.Standing.Rank, page.Standing.Score, i+1,
						want[i].Packed.Score())
				}
				harness.CompareNeighbours(t, want, page.Neighbours, i, around)
			}
		})
	}
}

// comparePage compares a page with the piece of the whole board that it is.
func comparePage(t harness.T, whole []board.Entry, page boards.Page, offset, limit int64) {
	t.Helper()
	want := []board.Place{}
	for i := offset; i < min(offset+limit, int64(len(whole))); i++ {
		want = append(want, board.Place{Rank: i + 1, Entry: whole[i]})
	}
	got := append([]board.Place{}, page.Places...)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("page of %d from %d (-want +got):\n%s", limit, offset, diff)
	}
	if page.Total != int64(len(whole)) {
		t.Errorf("total %d, want %d", page.Total, len(whole))
	}
}
