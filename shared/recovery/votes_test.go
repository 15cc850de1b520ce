package recovery_test

import (
	"strconv"
	"testing"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/recovery"
	"laurel/shared/state"
)

// What was liked while a failover had lost the article is a vote, now and after Redis was
// emptied, wherever the mending is cut off, an hour later or after days without recovery.
func TestPromise5VotesForAnArticleThatWasLost(t *testing.T) {
	t.Parallel()
	for _, hours := range []board.Moment{1, 60} {
		f := lived(t, 31, 2)
		store, reader := f.stores[0], f.users[1]
		for _, u := range f.users {
			f.must(store.SetExclusion(t.Context(), u, false))
		}
		f.must(f.state.SetCursor(t.Context(), state.CursorReplay, strconv.FormatInt(int64(f.now), 10)))
		putBack := f.snapshot()
		f.create(store, f.users[0])
		putBack()
		f.now += 60_000
		id := f.ids[len(f.ids)-1]
		like := activity.Activity{User: reader, Action: "like", Target: id, At: f.now}
		for _, r := range store.Record(t.Context(), []activity.Activity{like}, ledger.Arrival{Now: f.now}) {
			f.must(r.Err)
		}

		f.now += hours * 3_600_000
		crash, o := f.crashing()
		for cut, whole := 1, false; !whole; cut += testserver.Step(1, 1) { // most of them read an hour of the journal
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
}

// What was liked while a failover had lost the article is a vote when Redis is emptied before
// that is mended. What was liked before the article was created is none, as before.
func TestPromise5VotesForAnArticleThatWasNotMended(t *testing.T) {
	t.Parallel()
	f := lived(t, 32, 2)
	for _, u := range f.users {
		f.must(f.stores[0].SetExclusion(t.Context(), u, false))
	}
	did := func(user, action, target string) {
		t.Helper()
		f.now += 60_000
		act := activity.Activity{User: user, Action: action, Target: target, At: f.now}
		for _, r := range f.stores[0].Record(t.Context(), []activity.Activity{act}, ledger.Arrival{Now: f.now}) {
			f.must(r.Err)
		}
	}
	author, early, reader := f.users[0], f.users[1], f.users[2]
	since := f.now
	did(early, "like", "new")
	putBack := f.snapshot()
	_, _, err := f.stores[0].Articles().Create(t.Context(), article.Article{ID: "new", Author: author, Published: since})
	f.must(err)
	did(author, "publish", "new")
	putBack()
	did(reader, "like", "new")
	for range 2 {
		f.lose("")
		f.rebuild()
		for user, want := range map[string]int{early: 0, reader: 1} {
			voted, err := f.stores[0].Articles().Voted(t.Context(), user, []string{"new"}, f.now)
			if f.must(err); len(voted) != want {
				t.Errorf("votes of %s: %q; want %d", user, voted, want)
			}
		}
		f.now += 40 * 3_600_000
	}
}
