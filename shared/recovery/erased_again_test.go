package recovery_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/recovery"
	"laurel/shared/redisstore"
)

// A failover brings a user back with everything, and loses the tombstone: the next mending
// erases the user again, wherever it is cut off, and leaves what the user has done since.
func TestErasureLostByAFailover(t *testing.T) {
	t.Parallel()
	const user = "bob"
	for i := range testserver.Rounds(3, 60) {
		f := lived(t, uint64(140+i), 1+i%3)
		store := f.stores[0]
		for _, u := range []string{user, "ada"} {
			f.must(store.SetExclusion(t.Context(), u, false))
		}
		f.create(store, "ada")
		like := func() {
			f.now += 60_000
			a := activity.Activity{User: user, Action: "like", Target: f.ids[len(f.ids)-1], At: f.now}
			store.Record(t.Context(), []activity.Activity{a}, ledger.Arrival{Now: f.now})
			f.must(store.ReplaceFollowing(t.Context(), user, []string{"ada"}, f.now))
		}
		like()
		f.create(store, user)
		f.must(store.SetHidden(t.Context(), user, i%3 == 0))
		f.must(store.ReplaceFollowing(t.Context(), "ada", []string{user}, f.now))

		putBack, since := f.snapshot(), f.now
		f.now += 1_000
		f.erase(user)
		if kept := f.keysWith(user); len(kept) > 0 {
			t.Fatalf("not erased: %q", kept)
		}
		returns := i%2 > 0
		if returns {
			f.now += 10 * 60_000
			like()
		}
		f.now += 10 * 60_000
		f.record()
		want := f.answers()
		putBack()

		crash := &harness.Crash{Store: f.table}
		client := redis.NewClient(f.client.(*redis.Client).Options())
		t.Cleanup(func() { _ = client.Close() })
		client.AddHook(crash)
		o := f.options()
		o.Redis = client
		for n := range 12 { // cut off later each time
			crash.Arm(1+n*n+f.rng.IntN(9), harness.Half)
			_, _ = recovery.Mend(t.Context(), o)
		}
		_, err := recovery.Mend(t.Context(), f.options())
		f.must(err)
		_, err = recovery.Replay(t.Context(), f.options(), since-600_000, f.now+board.Moment(1_000))
		f.must(err)
		if back := f.keysWith(user); len(back) > 0 && !returns {
			t.Errorf("forum %d: still in %q", i, back)
		}
		f.compare(want, f.answers())
		if found := f.audit(false); len(found) > 0 {
			t.Errorf("forum %d: found: %v", i, found)
		}
	}
}

// A failover that loses an erasure from any call on, but not the tombstone that it put first,
// brings the rest of the user back: the next mending erases it.
func TestErasureLostInPartByAFailover(t *testing.T) {
	t.Parallel()
	const user = "bob"
	f := lived(t, 151, 2)
	for _, u := range []string{user, "ada"} {
		f.must(f.stores[0].SetExclusion(t.Context(), u, false))
	}
	crash := &harness.Crash{}
	client := redis.NewClient(f.client.(*redis.Client).Options())
	t.Cleanup(func() { _ = client.Close() })
	client.AddHook(crash)
	dying := f.open(client)
	stamp, err := f.state.Stamp(t.Context())
	f.must(err)
	dying.Expect(stamp)
	again := 0
	for n, whole := 2, false; !whole; n++ {
		cut, shards := n/2, n%2 == 0 // what is lost, all or in the shards alone
		f.now += 60_000
		f.create(f.stores[0], "ada")
		like := activity.Activity{User: user, Action: "like", Target: f.ids[len(f.ids)-1], At: f.now}
		f.stores[0].Record(t.Context(), []activity.Activity{like}, ledger.Arrival{Now: f.now})
		f.must(f.stores[0].ReplaceFollowing(t.Context(), "ada", []string{user}, f.now))
		f.create(f.stores[0], user)
		f.now += 1_000
		crash.Arm(cut, harness.After)
		if _, err = dying.EraseUser(t.Context(), user); err == nil {
			_, err = dying.Articles().Erase(t.Context(), user)
		}
		whole = err == nil
		putBack := f.snapshot()
		_, err = f.eraser.Erase(t.Context(), user) // the same one
		f.must(err)
		putBack()
		if shards {
			_, err = f.stores[0].Articles().Erase(t.Context(), user)
			f.must(err)
		}
		mended, err := recovery.Mend(t.Context(), f.options())
		f.must(err)
		again += int(mended.Erased)
		if back := f.keysWith(user); len(back) > 0 {
			t.Fatalf("from call %d on: still in %q", cut+1, back)
		}
	}
	if again < 5 {
		t.Errorf("the user was erased again %d times", again)
	}
}

// A user of whom a failover has brought back what was summed up of final days alone is erased again.
func TestErasureOfFinalDaysLostByAFailover(t *testing.T) {
	t.Parallel()
	const user = "somebody"
	f := lived(t, 153, 1) // a visit is of a day
	visit := activity.Activity{User: user, Action: "visit", Target: "p", At: f.now}
	f.must(f.stores[0].Record(t.Context(), []activity.Activity{visit}, ledger.Arrival{Now: f.now})[0].Err)
	for range 5 {
		f.now += 24 * 3_600_000
		f.night()
	}
	putBack := f.snapshot()
	f.erase(user)
	putBack()
	mended, err := recovery.Mend(t.Context(), f.options())
	f.must(err)
	if back := f.keysWith(user); len(back) > 0 || mended.Erased != 1 {
		t.Errorf("still in %q; %+v", back, mended)
	}
}

// Who was an article's author until an erasure likes it as somebody new. That is a vote, too, where
// a failover had made the user the author again, wherever the mending is cut off.
func TestVoteOfAnErasedAuthorAfterAFailover(t *testing.T) {
	t.Parallel()
	const user = "bob"
	f := lived(t, 157, 1)
	store := f.stores[0]
	f.must(store.SetExclusion(t.Context(), user, false))
	f.create(store, user)
	id, putBack := f.ids[len(f.ids)-1], f.snapshot()
	f.now += 60_000
	f.erase(user)
	putBack()
	f.now += 10 * 60_000
	like := activity.Activity{User: user, Action: "like", Target: id, At: f.now}
	f.must(store.Record(t.Context(), []activity.Activity{like}, ledger.Arrival{Now: f.now})[0].Err)
	f.now += 10 * 60_000
	crash, o := f.crashing()
	for cut, whole := 1, false; !whole; cut += 7 {
		crash.Arm(cut, harness.Half)
		_, err := recovery.Mend(t.Context(), o)
		if whole = crash.Calls() < cut; whole {
			f.must(err)
		}
	}
	for range 2 {
		if a, err := store.Articles().Get(t.Context(), id); err != nil || a.Votes != 2 || a.Author != "" {
			t.Errorf("%+v, %v; want 2 votes and no author", a, err)
		}
		f.lose("")
		f.rebuild()
	}
}

// Who was erased long ago, and has since been on a void target, is like somebody who came back
// where a shard lost its tombstones: wherever the mending is cut off, the next one leaves
// everything as it was, the status and the days whose pages are gone included.
func TestErasedAgainAfterACut(t *testing.T) {
	t.Parallel()
	const user = "bob"
	for i := range testserver.Rounds(3, 60) {
		f := lived(t, uint64(170+i), 1+i%2)
		store := f.stores[0]
		f.must(store.SetExclusion(t.Context(), user, false))
		_, err := store.SetVoid(t.Context(), "purged", f.now)
		f.must(err)
		_, err = store.VoidPass(t.Context())
		f.must(err)
		f.now += 1_000
		f.erase(user)
		f.must(store.SetHidden(t.Context(), user, i%3 == 0))
		for day := range 5 {
			f.now += 60_000
			for _, a := range []activity.Activity{
				{Action: "visit", Target: "p"},
				{Action: "follow", Target: "ada"},
				{Action: "like", Target: "purged", Restores: day == 0},
			} {
				a.User, a.At = user, f.now
				f.must(store.Record(t.Context(), []activity.Activity{a}, ledger.Arrival{Now: f.now})[0].Err)
			}
			f.now += 24 * 3_600_000
			f.night()
		}

		want := f.answers()
		for shard := range f.shards {
			f.must(f.client.Del(t.Context(), redisstore.VoidsKey(shard)).Err())
		}
		crash, o := f.crashing()
		for cut, whole := 1, false; !whole; cut += 1 + f.rng.IntN(30) {
			crash.Arm(cut, harness.Half)
			_, err := recovery.Mend(t.Context(), o)
			if whole = crash.Calls() < cut; whole {
				f.must(err)
			}
		}
		f.must(store.PutVoids(t.Context()))
		_, err = store.VoidPass(t.Context())
		f.must(err)
		f.compare(want, f.answers())
	}
}

// keysWith returns the keys in Redis that have an id, but for the void targets: one of that
// name may be among them.
func (f *forum) keysWith(id string) []string {
	return slices.DeleteFunc(testserver.Grep(f.T, f.client, id), func(key string) bool {
		return strings.HasSuffix(key, "}:voids")
	})
}
