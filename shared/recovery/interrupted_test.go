package recovery_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/archive"
	"laurel/shared/journal"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/recovery"
	"laurel/shared/redisstore"
	"laurel/shared/state"
)

// lived returns a forum in which weeks have gone by.
func lived(t *testing.T, seed uint64, shards int) *forum {
	t.Helper()
	f := newForum(t, rand.New(rand.NewPCG(seed, 78)), shards)
	for end := f.Calendar.Start(f.From + 50); f.now < end; {
		f.step()
	}
	return f
}

// crashing returns options with stores that the crash stops.
func (f *forum) crashing() (*harness.Crash, recovery.Options) {
	crash := &harness.Crash{Store: f.table}
	client := redis.NewClient(f.client.(*redis.Client).Options())
	f.Cleanup(func() { _ = client.Close() })
	client.AddHook(crash)
	o := f.options()
	o.Redis, o.State = client, state.New(crash, f.clock)
	o.Journal, o.Archive = journal.New(crash), archive.New(crash)
	return crash, o
}

// A rebuild that ends anywhere leaves Redis without a stamp, and the next one goes on.
func TestInterruptedRebuilds(t *testing.T) {
	t.Parallel()
	f := lived(t, 3, 2)
	before := f.answers()
	crash, o := f.crashing()
	f.lose("")
	crash.Arm(0, "")
	whole, err := recovery.Rebuild(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	calls, wentOn := crash.Calls(), 0
	for n := range testserver.Rounds(30, 300) {
		// Most calls read the journal; the last ones write Redis.
		at, how := calls-n, []string{harness.Before, harness.Half, harness.After}[n%3]
		if n%3 == 0 {
			at = 1 + f.rng.IntN(calls)
		}
		if n%4 > 0 { // else on top of what the last one has left
			f.lose("")
		}
		crash.Arm(at, how)
		_, err := recovery.Rebuild(t.Context(), o)
		if needed, _, _ := recovery.Needed(t.Context(), f.options()); err != nil && !needed && at < calls/2 {
			t.Errorf("call %d %s: %v, and nothing is needed", at, how, err)
		}
		if n%2 == 0 {
			continue
		}
		if n%5 == 0 {
			f.lose(fmt.Sprint(f.rng.IntN(f.shards)))
		}
		crash.Arm(0, "")
		result, err := recovery.Rebuild(t.Context(), o)
		if err != nil {
			t.Fatalf("after a crash at call %d %s: %v", at, how, err)
		}
		if 0 < result.Rows && result.Rows < whole.Rows {
			wentOn++
		}
		if result.Stamp != (redisstore.Stamp{}) {
			f.expect(result.Stamp)
		} else if stamp, err := f.state.Stamp(t.Context()); err == nil {
			f.expect(*stamp)
		}
		f.compare(before, f.answers())
	}
	if wentOn == 0 {
		t.Error("each rebuild has merged all rows again")
	}
}

// A rebuild of all that is cut off after it has removed the articles is one of all when it is
// done again.
func TestInterruptedRebuildOfAll(t *testing.T) {
	t.Parallel()
	f := lived(t, 5, 1)
	before := f.answers()
	crash := &harness.Crash{Store: f.table}
	o := f.options()
	o.All, o.State = true, state.New(crash, f.clock)
	o.Journal, o.Archive = journal.New(crash), archive.New(crash)
	crash.Arm(2+f.rng.IntN(20), harness.Half)
	if _, err := recovery.Rebuild(t.Context(), o); err == nil {
		t.Fatal("it was not cut off")
	}
	for _, user := range f.users { // the single keys that were lost
		f.must(f.client.Del(t.Context(), redisstore.PagesKey(0, user)).Err())
	}
	crash.Arm(0, "")
	_, err := recovery.Rebuild(t.Context(), o)
	f.must(err)
	f.compare(before, f.answers())
}

// Another number of shards is refused unless it is asked for; then the answers are the
// same.
func TestAnotherNumberOfShards(t *testing.T) {
	t.Parallel()
	f := lived(t, 4, 1)
	before := told(f.answers())
	f.shards = 3
	o := f.options()
	if _, err := recovery.Rebuild(t.Context(), o); !errors.Is(err, recovery.ErrOther) {
		t.Fatalf("got %v, want %v", err, recovery.ErrOther)
	}
	if _, _, err := recovery.Needed(t.Context(), o); !errors.Is(err, recovery.ErrOther) {
		t.Errorf("needed: got %v, want %v", err, recovery.ErrOther)
	}
	o.Reshard = true
	result, err := recovery.Rebuild(t.Context(), o)
	f.must(err)
	if err := f.stores[0].CheckStamp(t.Context()); !errors.Is(err, redisstore.ErrStamp) {
		t.Errorf("of one shard: got %v, want %v", err, redisstore.ErrStamp)
	}
	f.stores = []*live.Store{f.open(f.client), f.open(f.client)}
	f.expect(result.Stamp)
	f.compare(before, told(f.answers()))
	if result, err = recovery.Rebuild(t.Context(), o); err != nil || result.Users > 0 {
		t.Errorf("again: %+v, %v", result, err)
	}
}

// told returns the answers that do not depend on the number of shards.
func told(answers map[string]any) map[string]any {
	for key := range answers {
		if strings.HasPrefix(key, redisstore.KeyPrefix) && !strings.HasPrefix(key, redisstore.KeyPrefix+"articles") {
			delete(answers, key)
		}
	}
	return answers
}

// A replay mends what a failover has lost, and changes nothing where nothing is lost.
func TestReplay(t *testing.T) {
	t.Parallel()
	f := lived(t, 5, 2)
	before := f.answers()
	from, until := f.now-24*3_600_000, f.now+1
	done, err := recovery.Replay(t.Context(), f.options(), from, until)
	if err != nil || done.Changed > 0 {
		t.Errorf("got %+v, %v; want no change", done, err)
	}
	f.compare(before, f.answers())

	saved := map[string]string{}
	for key := range harness.Everything(t, f.client) {
		saved[key] = f.client.Dump(t.Context(), key).Val()
	}
	from = f.now
	f.acts = append(f.acts, activity.Activity{User: "zoe", Action: "visit", Target: "1", At: f.now})
	for range 3 {
		f.record()
	}
	before = f.answers()
	f.must(f.client.FlushDB(t.Context()).Err())
	if _, err := recovery.Replay(t.Context(), f.options(), from, f.now+1); !errors.Is(err, redisstore.ErrStamp) {
		t.Errorf("into an emptied Redis: got %v, want %v", err, redisstore.ErrStamp)
	}
	f.must(f.client.FlushDB(t.Context()).Err())
	for key, value := range saved {
		f.must(f.client.Restore(t.Context(), key, 0, value).Err())
	}
	if done, err = recovery.Replay(t.Context(), f.options(), from, f.now+1); err != nil || done.Changed == 0 {
		t.Errorf("got %+v, %v; want changes", done, err)
	}
	f.compare(before, f.answers())
}

// What is of a user who was erased since is not admitted, and a user whose pages are damaged
// does not keep others from it.
func TestAdmitLeavesOut(t *testing.T) {
	t.Parallel()
	f := newForum(t, rand.New(rand.NewPCG(6, 79)), 1)
	for _, user := range []string{"bob", "eve", "ada"} {
		act := activity.Activity{User: user, Action: "visit", Target: "a", At: f.now}
		f.must(f.journal.WritePending(t.Context(), f.now, []activity.Activity{act}))
		f.now++
	}
	month := ledger.MonthPage(f.Calendar.Date(f.now).Month()).String()
	f.must(f.client.HSet(t.Context(), redisstore.PagesKey(0, "bob"), month, "x").Err())
	f.erase("eve")
	n, err := recovery.Admit(t.Context(), f.stores[1], f.options())
	if left, _ := f.journal.Pending(t.Context(), 10); n != 2 || !errors.Is(err, redisstore.ErrStored) || len(left) != 1 {
		t.Errorf("admitted %d, %v; %d are left", n, err, len(left))
	}
	day := harness.Period(t, f.Calendar.Date(f.now).String())
	for user, counts := range map[string]bool{"ada": true, "eve": false} {
		if score := harness.ScoreOf(t, f.stores[1], "activity", day, user); (score > 0) != counts {
			t.Errorf("%s has %d", user, score)
		}
	}
}

// What is pending is admitted as of its arrival; one that fails stays pending.
func TestAdmit(t *testing.T) {
	t.Parallel()
	f := newForum(t, rand.New(rand.NewPCG(6, 78)), 1)
	arrived := f.now
	for n := range 3 {
		act := activity.Activity{User: "ada", Action: "visit", Target: string(rune('a' + n)), At: arrived}
		f.must(f.journal.WritePending(t.Context(), arrived, []activity.Activity{act}))
	}
	f.now += 5 * 86_400_000
	stamp := redisstore.Stamp{Generation: 99}
	f.stores[0].Expect(&stamp)
	if n, err := recovery.Admit(t.Context(), f.stores[0], f.options()); n != 0 || !errors.Is(err, redisstore.ErrStamp) {
		t.Errorf("got %d, %v; want 0, %v", n, err, redisstore.ErrStamp)
	}
	if n, err := recovery.Admit(t.Context(), f.stores[1], f.options()); n != 3 || err != nil {
		t.Errorf("got %d, %v; want 3", n, err)
	}
	day := harness.Period(t, f.Calendar.Date(arrived).String())
	if score := harness.ScoreOf(t, f.stores[1], "activity", day, "ada"); score == 0 {
		t.Error("nothing was counted")
	}
	if n, err := recovery.Admit(t.Context(), f.stores[1], f.options()); n != 0 || err != nil {
		t.Errorf("again: got %d, %v", n, err)
	}
}
