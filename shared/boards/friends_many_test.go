package boards_test

import (
	"fmt"
	"testing"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
)

// A follow list may become longer by following than a list that replaces it: all of
// it can be asked for, then without names.
func TestFriendsOfTheLongestFollowList(t *testing.T) {
	t.Parallel()
	const most = ledger.MaxFollows
	store, noon := live.New(testserver.Redis(t), harness.UTC(), 1), harness.At(t, "2026-11-20T12:00")
	acts := make([]activity.Activity, 0, most)
	for i := range most {
		acts = append(acts, activity.Activity{User: "ada", Action: "follow", Target: fmt.Sprintf("u%05d", i), At: noon})
	}
	harness.Record(t, store, acts...)
	harness.Record(t, store, harness.Did(t, "u00007 like 1", noon))
	page, err := store.Friends(t.Context(),
		board.View{Board: "activity", Period: harness.Period(t, "2026-11-20"), User: "ada", Limit: most + 1})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(page.Friends); n != most+1 || page.Total != most+1 {
		t.Errorf("%d friends of %d", n, page.Total)
	}
	if f := page.Friends[1]; f.User != "u00007" || f.Rank != 2 || f.BoardRank != 2 {
		t.Errorf("the second: %+v", f)
	}
}
