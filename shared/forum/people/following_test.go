package people_test

import (
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/ledger"
)

// A long list fits, and pushes out whom it does not have.
func TestLongFollowLists(t *testing.T) {
	t.Parallel()
	f := open(t, 1)
	lists := [3][]string{}
	for n := range lists {
		for i := range ledger.MaxReplaced {
			lists[n] = append(lists[n], time.Unix(int64(n*1_000_000+i), 0).UTC().Format("u20060102150405"))
		}
		harness.Must(f.People.ReplaceFollowing(t.Context(), "ann", lists[n], f.now.Add(time.Duration(n)*time.Second)))(f)
		if _, total, err := f.People.Following(t.Context(), "ann", 0, 10_000); err != nil || total != ledger.MaxReplaced {
			t.Fatalf("list %d: %d, %v", n, total, err)
		}
	}
}
