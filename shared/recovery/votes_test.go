package recovery_test

import (
	"testing"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/ledger"
	"laurel/shared/recovery"
)

// What was liked while a failover had lost the article is a vote, now and after Redis was
// emptied, wherever the mending is cut off.
func TestPromise5VotesForAnArticleThatWasLost(t *testing.T) {
	t.Parallel()
	f := lived(t, 31, 2)
	store, reader := f.stores[0], f.users[1]
	for _, u := range f.users {
		f.must(store.SetExclusion(t.Context(), u, false))
	}
	putBack := f.snapshot()
	f.create(store, f.users[0])
	putBack()
	f.now += 60_000
	id := f.ids[len(f.ids)-1]
	like := activity.Activity{User: reader, Action: "like", Target: id, At: f.now}
	for _, r := range store.Record(t.Context(), []activity.Activity{like}, ledger.Arrival{Now: f.now}) {
		f.must(r.Err)
	}

	f.now += 3_600_000
	crash, o := f.crashing()
	for cut, whole := 1, false; !whole; cut++ {
		crash.Arm(cut, harness.After)
		_, err := recovery.Mend(t.Context(), o)
		if whole = crash.Calls() < cut; whole {
			f.must(err)
		}
	}
	_, err := recovery.Replay(t.Context(), f.options(), f.now-2*3_600_000, f.now+1_000)
	f.must(err)
	for range 2 {
		voted, err := store.Articles().Voted(t.Context(), reader, []string{id}, f.now)
		if f.must(err); len(voted) != 1 {
			t.Fatalf("votes for %q of a reader: %q", id, voted)
		}
		f.lose("")
		f.rebuild()
	}
}
