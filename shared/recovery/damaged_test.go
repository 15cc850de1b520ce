package recovery_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/audit"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/recovery"
	"laurel/shared/redisstore"
)

// audit runs an audit, in slices, and returns what it has found.
func (f *forum) audit(apply bool) (found []audit.Finding) {
	f.Helper()
	var cursor recovery.AuditCursor
	for {
		a := recovery.Audit{
			Options: f.options(), Apply: apply, Report: func(x audit.Finding) { found = append(found, x) }, Cursor: &cursor,
		}
		a.Slice = &recovery.Slice{Pause: after(25)}
		_, err := a.Run(f.Context())
		if !errors.Is(err, recovery.ErrPaused) {
			f.must(err)
			break
		}
		text, err := json.Marshal(cursor)
		f.must(err)
		cursor = recovery.AuditCursor{}
		f.must(json.Unmarshal(text, &cursor))
	}
	f.expectKept()
	return found
}

// after returns what ends a slice after it was asked some times.
func after(times int) func() bool {
	asked := 0
	return func() bool { asked++; return asked > times }
}

// dryRun runs an audit, which may change nothing.
func (f *forum) dryRun() []audit.Finding {
	f.Helper()
	before := harness.Everything(f.T, f.client)
	found := f.audit(false)
	if diff := cmp.Diff(before, harness.Everything(f.T, f.client)); diff != "" {
		f.Fatalf("a dry run wrote (-before +after):\n%s", diff)
	}
	return found
}

// snapshot returns what puts Redis back as it is now.
func (f *forum) snapshot() (putBack func()) { return snapshot(f.T, f.client, "") }

// snapshot keeps the keys with a prefix, and returns what makes them as they were.
func snapshot(t *testing.T, client redis.UniversalClient, prefix string) (putBack func()) {
	t.Helper()
	keys := func() (keys []string) {
		for key := range harness.Everything(t, client) {
			if strings.HasPrefix(key, prefix) {
				keys = append(keys, key)
			}
		}
		return keys
	}
	values := map[string]string{}
	for _, key := range keys() {
		values[key] = client.Dump(t.Context(), key).Val()
	}
	return func() {
		t.Helper()
		_ = client.Del(t.Context(), keys()...) // an error if there are none
		for key, value := range values {
			if err := client.Restore(t.Context(), key, 0, value).Err(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// batch returns a recent activity of each user.
func (f *forum) batch() (batch []activity.Activity) {
	var lately []activity.Activity
	for _, a := range f.acts {
		if a.At <= f.now && f.now-a.At < 48*3_600_000 && !slices.Contains(f.users, a.Target) {
			lately = append(lately, a)
		}
	}
	for _, user := range f.users {
		a := activity.Activity{Action: "visit", Target: "quiet days", At: f.now}
		if len(lately) > 0 {
			a = lately[f.rng.IntN(len(lately))]
		}
		a.User, a.At = user, a.At-board.Moment(1+f.rng.IntN(9))
		batch = append(batch, a)
	}
	return batch
}

// Promise 10: one damaged value of a user touches that user alone, and the audit mends it.
// It runs dry first, which writes nothing.
func TestPromise10RandomDamage(t *testing.T) {
	t.Parallel()
	const rounds = 5
	unavailable, mended := 0, 0
	for i := range testserver.Rounds(2, 40) {
		f := lived(t, uint64(40+i), 1+i%3)
		f.users = append(f.users, "u8")
		for range rounds {
			batch := f.batch()
			putBack := f.snapshot()
			want := f.stores[0].Record(t.Context(), batch, ledger.Arrival{Now: f.now})
			before := f.answers()
			putBack()
			user, what := f.damage()
			t.Logf("forum %d: %s", i, what)
			for n, got := range f.stores[1].Record(t.Context(), batch, ledger.Arrival{Now: f.now}) {
				if batch[n].User == user && got.Own() {
					unavailable++
					continue
				}
				equal(t, fmt.Sprintf("%s; receipt of %q", what, batch[n].User), want[n], got)
			}
			f.dryRun()
			mended += len(f.audit(true))
			f.compare(before, f.answers())
			if found := f.audit(false); len(found) > 0 {
				t.Errorf("%s: still found: %v", what, found)
			}
		}
	}
	if t.Logf("%d receipts were unavailable, %d findings", unavailable, mended); unavailable == 0 || mended == 0 {
		t.Error("nothing was damaged")
	}
}

// damage damages a stored value of a user, and says of whom and what.
func (f *forum) damage() (user, what string) {
	fields := map[string]string{}
	for len(fields) == 0 { // erased, or new
		user = f.user()
		fields = f.client.HGetAll(f.Context(), f.pagesOf(user)).Val()
	}
	names := slices.Sorted(maps.Keys(fields))
	name := names[f.rng.IntN(len(names))]
	value := []byte(fields[name])
	how := []string{"flipped", "cut", "emptied", "replaced"}[f.rng.IntN(4)]
	switch at := f.rng.IntN(len(value)); how {
	case "flipped":
		value[at] ^= 1 << f.rng.IntN(8)
	case "cut":
		value = value[:at]
	case "emptied":
		value = nil
	default:
		value = []byte(fields[names[f.rng.IntN(len(names))]] + "x")
	}
	f.must(f.client.HSet(f.Context(), f.pagesOf(user), name, value).Err())
	return user, fmt.Sprintf("%q of %q is %s", name, user, how)
}

func (f *forum) pagesOf(user string) string {
	return redisstore.PagesKey(f.stores[0].Redis().ShardOf(user), user)
}

// evict removes single keys.
func (f *forum) evict() (evicted []string) {
	keys := slices.Sorted(maps.Keys(harness.Everything(f.T, f.client)))
	for range 1 + f.rng.IntN(3) {
		key := keys[f.rng.IntN(len(keys))]
		f.must(f.client.Del(f.Context(), key).Err())
		evicted = append(evicted, key)
	}
	return evicted
}

// rebuildAll is laurel rebuild --all.
func (f *forum) rebuildAll() {
	f.Helper()
	o := f.options()
	o.All = true
	f.fill(o)
	f.expectKept()
}

// expectKept has the processes expect the stamp that is kept: it is another one if all
// parts have lost theirs.
func (f *forum) expectKept() {
	f.Helper()
	stamp, err := f.state.Stamp(f.Context())
	f.must(err)
	f.expect(*stamp)
}

// Whatever single keys were evicted, an audit and, for articles, a rebuild bring them back;
// a dry run writes nothing.
func TestEvictionsAreMended(t *testing.T) {
	t.Parallel()
	for i := range testserver.Rounds(2, 30) {
		f := lived(t, uint64(60+i), 1+i%3)
		f.night()
		before := f.answers()
		for range 8 {
			evicted := f.evict()
			t.Logf("evicted: %q", evicted)
			f.dryRun()
			f.audit(true)
			if slices.ContainsFunc(evicted, ofArticles) {
				f.rebuildAll()
			}
			f.night()
			f.compare(before, f.answers())
			if found := f.audit(false); len(found) > 0 {
				t.Errorf("still found: %v", found)
			}
		}
	}
}

func ofArticles(key string) bool { return strings.HasPrefix(key, redisstore.KeyPrefix+"articles") }

// What docs/deploy.md advises after evictions erases no score, in any order: each score
// that is left is still there after each command, and in the end all are.
func TestAdviceForEvictionsErasesNoScore(t *testing.T) {
	t.Parallel()
	for i := range testserver.Rounds(2, 30) {
		f := lived(t, uint64(80+i), 1+i%3)
		f.night()
		before := f.answers()
		for range 4 {
			t.Logf("evicted: %q", f.evict())
			repair, night := func() { f.audit(true) }, func() { _, _ = f.tryNight() } // it fails without its articles
			commands := []func(){f.rebuildAll, repair, night, f.rebuildAll, repair}
			for _, n := range f.rng.Perm(len(commands)) {
				had := f.scores()
				commands[n]()
				has := f.scores()
				for place, score := range had {
					if has[place] != score {
						t.Fatalf("command %d: %s had %v, has %v", n, place, score, has[place])
					}
				}
			}
			f.compare(before, f.answers())
		}
	}
}

// scores returns all scores on boards, by board and user.
func (f *forum) scores() map[string]float64 {
	scores := map[string]float64{}
	for key, value := range harness.Everything(f.T, f.client) {
		if members, ok := value.([]redis.Z); ok && strings.Contains(key, "}:board:") {
			for _, m := range members {
				scores[fmt.Sprint(key, " ", m.Member)] = m.Score
			}
		}
	}
	return scores
}
