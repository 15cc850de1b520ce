package redisstore_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"
	"pgregory.net/rapid"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

const hash = "laurel:{0}:pages:ada"

// apply applies a write and says whether it was, and what it answered if not.
func apply(tb testing.TB, store *redisstore.Store, w *redisstore.Write) (bool, []any) {
	tb.Helper()
	store.Apply(tb.Context(), w)
	done, now, err := w.Done("test")
	if err != nil {
		tb.Fatal(err)
	}
	return done, now
}

// Each guard that does not hold keeps all of a write back, whose answer is then what
// its reads have asked for.
func TestAWriteIsGuarded(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store := redisstore.New(client, 1)
	client.HSet(t.Context(), hash, "v", "version1", "page", "version1 and more", "count", "12")
	if err := store.ClosePeriod(t.Context(), "activity", harness.Period(t, "2026-11-20")); err != nil {
		t.Fatal(err)
	}
	closed, err := store.ClosedSets(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		what  string
		guard func(w *redisstore.Write)
		holds bool
	}{
		{"nothing", func(*redisstore.Write) {}, true},
		{"a version", func(w *redisstore.Write) { w.GuardVersion(hash, "v", "version1", "") }, true},
		{"a version before more", func(w *redisstore.Write) { w.GuardVersion(hash, "page", "version1", "") }, true},
		{"another version", func(w *redisstore.Write) { w.GuardVersion(hash, "page", "version2", "") }, false},
		{"a version of nothing", func(w *redisstore.Write) { w.GuardVersion(hash, "none", "version1", "") }, false},
		{"nothing there", func(w *redisstore.Write) { w.GuardVersion(hash, "none", "", "version2") }, true},
		{"something there", func(w *redisstore.Write) { w.GuardVersion(hash, "v", "", "version2") }, false},
		{"a value", func(w *redisstore.Write) { w.GuardValue(hash, "count", "12") }, true},
		{"the beginning of a value", func(w *redisstore.Write) { w.GuardValue(hash, "count", "1") }, false},
		{"more than a value", func(w *redisstore.Write) { w.GuardValue(hash, "count", "123") }, false},
		{"the closed-period set", func(w *redisstore.Write) { w.GuardClosed(0, closed[0]) }, true},
		{"another closed-period set", func(w *redisstore.Write) { w.GuardClosed(0, nil) }, false},
		{"one of two that holds", func(w *redisstore.Write) {
			w.GuardVersion(hash, "v", "version1", "")
			w.GuardValue(hash, "count", "13")
		}, false},
	} {
		w := &redisstore.Write{}
		test.guard(w)
		w.Read(redisstore.ClosedKey(0))
		w.ReadFields(hash, "count", "none")
		w.SAdd("laurel:{0}:lists", test.what)
		done, now := apply(t, store, w)
		if is := client.SIsMember(t.Context(), "laurel:{0}:lists", test.what).Val(); done != test.holds || is != test.holds {
			t.Errorf("%s: done %t, written %t, want %t", test.what, done, is, test.holds)
		}
		want := []any{client.Get(t.Context(), redisstore.ClosedKey(0)).Val(), []any{"12", nil}}
		if diff := cmp.Diff(want, now); diff != "" && !test.holds {
			t.Errorf("%s (-want +got):\n%s", test.what, diff)
		}
	}
}

// A write that comes again, as the client sends it when a reply was lost, is known by
// the version that it has set, and applied once however often it comes.
func TestAWriteIsAppliedOnce(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store := redisstore.New(client, 1)
	w := &redisstore.Write{}
	w.GuardVersion(hash, "v", "", "version1")
	w.HSet(hash, "v", "version1")
	w.HIncrBy(hash, "count", 1)
	call := store.Call(w)
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() {
			again := *call
			store.Run(t.Context(), &again)
			if reply, err := again.Cmd.Result(); err != nil || reply != redisstore.Done {
				t.Errorf("answered %v, %v", reply, err)
			}
		})
	}
	wg.Wait()
	if n := client.HGet(t.Context(), hash, "count").Val(); n != "1" {
		t.Errorf("applied %s times", n)
	}
}

// The most that one write has: thousands of members, and more fields and boards than
// one command of it takes.
func TestAWriteOfThousands(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store := redisstore.New(client, 1)
	var members []string
	for i := range 5_000 {
		members = append(members, fmt.Sprintf("user-%d \"é\" <%c>", i, rune(0x4e00+i)))
	}
	var fields, gone []any
	for i := range 700 {
		fields = append(fields, fmt.Sprint("field", i), i)
		gone = append(gone, fmt.Sprint("field", i))
	}
	var moves []ledger.Move
	for p := harness.Period(t, "2026-01-01"); len(moves) < 600; p = p.Next() {
		moves = append(moves, ledger.Move{Board: "activity", Period: p, Packed: board.Pack(int64(len(moves)+1), 5)})
	}
	w := &redisstore.Write{}
	w.HSet(hash, fields...)
	w.ZAddAll(redisstore.FriendsKey(0, "ada"), members)
	w.Place(0, "ada", moves)
	w.SAddToEach([]string{redisstore.MonthKey(0, 1), redisstore.MonthKey(0, 2)}, "ada")
	if done, _ := apply(t, store, w); !done {
		t.Fatal("not applied")
	}
	slices.Sort(members)
	if diff := cmp.Diff(members, client.ZRange(t.Context(), redisstore.FriendsKey(0, "ada"), 0, -1).Val()); diff != "" {
		t.Errorf("members (-want +got):\n%s", diff)
	}
	if n := client.HLen(t.Context(), hash).Val(); n != 700 {
		t.Errorf("%d fields", n)
	}
	for _, m := range moves {
		key := redisstore.BoardKey(0, "activity", m.Period)
		if score := client.ZScore(t.Context(), key, "ada").Val(); score != float64(m.Packed) {
			t.Errorf("%s: %v, want %v", key, score, m.Packed)
		}
	}
	if n := client.SCard(t.Context(), redisstore.PeriodsKey(0)).Val(); n != 600 {
		t.Errorf("%d periods", n)
	}
	for i := range moves {
		moves[i].Packed = 0
	}
	w = &redisstore.Write{}
	w.ZRemAll(redisstore.FriendsKey(0, "ada"), members)
	w.HDel(hash, gone...)
	w.Place(0, "ada", moves)
	if done, _ := apply(t, store, w); !done {
		t.Fatal("not applied")
	}
	left := harness.Everything(t, client)
	delete(left, redisstore.PeriodsKey(0))
	delete(left, redisstore.MonthKey(0, 1))
	delete(left, redisstore.MonthKey(0, 2))
	if len(left) > 0 {
		t.Errorf("left: %v", slices.Sorted(maps.Keys(left)))
	}
}

// Random writes do what a model of a few lines does: all of a write, or nothing.
func TestWritesAreTheModels(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store := redisstore.New(client, 1)
	names := []string{"a", "b", "c"}
	rapid.Check(t, func(rt *rapid.T) {
		if err := client.FlushDB(t.Context()).Err(); err != nil {
			rt.Fatal(err)
		}
		m := &model{hash: map[string]string{}, zset: map[string]float64{}, set: map[string]struct{}{}}
		for range rapid.IntRange(1, 12).Draw(rt, "writes") {
			w := &redisstore.Write{}
			holds := true
			if rapid.Bool().Draw(rt, "guarded") {
				field, read := rapid.SampledFrom(names).Draw(rt, "field"),
					rapid.SampledFrom([]string{"", "1", "2"}).Draw(rt, "read")
				w.GuardValue("h", field, read)
				holds = m.hash[field] == read
			}
			w.ReadFields("h", "a")
			var steps []func()
			for range rapid.IntRange(1, 5).Draw(rt, "commands") {
				steps = append(steps, m.draw(rt, w, names))
			}
			if done, _ := apply(t, store, w); done != holds {
				rt.Fatalf("done %t, want %t", done, holds)
			}
			for _, step := range steps {
				if holds {
					step()
				}
			}
			m.compare(t, rt, client)
		}
	})
}

// model is what a hash, a sorted set, a set and a string hold.
type model struct {
	hash map[string]string
	zset map[string]float64
	set  map[string]struct{}
	text string
}

// draw adds a command to a write and returns what it does to the model.
func (m *model) draw(rt *rapid.T, w *redisstore.Write, names []string) func() {
	name, n := rapid.SampledFrom(names).Draw(rt, "name"), rapid.IntRange(1, 2).Draw(rt, "n")
	switch rapid.IntRange(0, 8).Draw(rt, "command") {
	case 0:
		w.HSet("h", name, n)
		return func() { m.hash[name] = strconv.Itoa(n) }
	case 1:
		w.HDel("h", name, "none")
		return func() { delete(m.hash, name) }
	case 2:
		w.HIncrBy("h", name, int64(2*n-3)) // 1 or -1
		return func() {
			was, _ := strconv.Atoi(m.hash[name])
			if m.hash[name] = strconv.Itoa(was + 2*n - 3); m.hash[name] == "0" {
				delete(m.hash, name)
			}
		}
	case 3:
		w.ZAdd("z", n, name)
		return func() { m.zset[name] = float64(n) }
	case 4:
		w.ZRem("z", name)
		return func() { delete(m.zset, name) }
	case 5:
		w.SAdd("s", name)
		return func() { m.set[name] = struct{}{} }
	case 6:
		w.SRem("s", name)
		return func() { delete(m.set, name) }
	case 7:
		w.Set("t", name)
		return func() { m.text = name }
	default:
		w.Unlink("h")
		return func() { clear(m.hash) }
	}
}

func (m *model) compare(t *testing.T, rt *rapid.T, client *redis.Client) {
	t.Helper()
	ctx := t.Context()
	got := &model{
		hash: client.HGetAll(ctx, "h").Val(), zset: map[string]float64{}, set: client.SMembersMap(ctx, "s").Val(),
		text: client.Get(ctx, "t").Val(),
	}
	for _, z := range client.ZRangeWithScores(ctx, "z", 0, -1).Val() {
		got.zset[z.Member.(string)] = z.Score
	}
	if diff := cmp.Diff(m, got, cmp.AllowUnexported(model{})); diff != "" {
		rt.Fatalf("stored (-model +Redis):\n%s", diff)
	}
}

// Of a write in parts each is applied on its own: not one whose guard does not hold, nor one
// that was applied before. What they do to one set they do together; and none is applied if
// the guards of all do not hold.
func TestAWriteInParts(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store := redisstore.New(client, 1)
	const parts, conflict, before = 25, 7, 11
	user := func(i int) string { return fmt.Sprint("user-", i) }
	move := func(i int) []ledger.Move {
		return []ledger.Move{{Board: "activity", Period: harness.Period(t, "2026-11-20"), Packed: board.Pack(int64(i+1), 5)}}
	}
	client.HSet(t.Context(), redisstore.PagesKey(0, user(conflict)), "v", "another1", "page", "theirs")
	client.HSet(t.Context(), redisstore.PagesKey(0, user(before)), "v", "version2")
	lay := func(closed *redisstore.ClosedSet) *redisstore.Write {
		w := &redisstore.Write{}
		w.GuardClosed(0, closed)
		for i := range parts {
			if got := w.NextPart(); got != i {
				t.Errorf("part %d is %d", i, got)
			}
			w.GuardVersion(redisstore.PagesKey(0, user(i)), "v", "", "version2")
			w.ReadFields(redisstore.PagesKey(0, user(i)), "v", "page")
			w.HSetTexts(redisstore.PagesKey(0, user(i)), "v", "version2", "page", user(i))
			w.SAddToEach([]string{redisstore.MonthKey(0, 1)}, user(i))
			w.Place(0, user(i), move(i))
		}
		return w
	}
	if err := store.ClosePeriod(t.Context(), "activity", harness.Period(t, "2026-11-19")); err != nil {
		t.Fatal(err)
	}
	w, state := lay(nil), harness.Everything(t, client)
	store.Apply(t.Context(), w)
	for i := range parts {
		if done, _, err := w.PartDone("test", i); err != nil || done != (i == before) {
			t.Errorf("the guard of all does not hold, part %d: done %t, %v", i, done, err)
		}
	}
	if diff := cmp.Diff(state, harness.Everything(t, client)); diff != "" {
		t.Errorf("the guard of all does not hold (-before +after):\n%s", diff)
	}
	closed, err := store.ClosedSets(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // as when the reply was lost
		w = lay(closed[0])
		store.Apply(t.Context(), w)
		for i := range parts {
			done, now, err := w.PartDone("test", i)
			if want := []any{[]any{"another1", "theirs"}}; i == conflict && !cmp.Equal(now, want) {
				t.Errorf("the answer to a conflict: %v, want %v", now, want)
			}
			applied := i != conflict && i != before
			score := client.ZScore(t.Context(), redisstore.BoardKey(0, "activity", harness.Period(t, "2026-11-20")), user(i))
			page := client.HGet(t.Context(), redisstore.PagesKey(0, user(i)), "page").Val()
			if err != nil || done != (i != conflict) || (page == user(i)) != applied ||
				(score.Val() == float64(move(i)[0].Packed)) != applied {
				t.Errorf("part %d: done %t, page %q, score %v, %v", i, done, page, score, err)
			}
		}
		if n := client.SCard(t.Context(), redisstore.MonthKey(0, 1)).Val(); n != parts-2 {
			t.Errorf("%d users in the month", n)
		}
	}
}

// A part that writes a value of another type fails all parts, and none of them is taken for
// applied when it comes again on its own.
func TestAPartFailsAll(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store := redisstore.New(client, 1)
	client.Set(t.Context(), redisstore.PagesKey(0, "bob"), "x", 0)
	lay := func(w *redisstore.Write, user string) {
		w.NextPart()
		w.GuardVersion(redisstore.PagesKey(0, user), "v", "", "version1")
		w.HSetTexts(redisstore.PagesKey(0, user), "v", "version1")
	}
	w := &redisstore.Write{}
	for _, user := range []string{"ann", "bob", "cid"} {
		lay(w, user)
	}
	store.Apply(t.Context(), w)
	if _, _, err := w.PartDone("test", 0); err == nil || !w.FailedTogether() {
		t.Errorf("ann's part: %v, failed together %t", err, w.FailedTogether())
	}
	if n := client.Exists(t.Context(), redisstore.PagesKey(0, "ann"), redisstore.PagesKey(0, "cid")).Val(); n != 0 {
		t.Errorf("%d parts are applied", n)
	}
	for user, damaged := range map[string]bool{"ann": false, "bob": true, "cid": false} {
		w := &redisstore.Write{}
		lay(w, user)
		store.Apply(t.Context(), w)
		if done, _, err := w.PartDone("test", 0); done == damaged || (err != nil) != damaged || w.FailedTogether() {
			t.Errorf("%s alone: done %t, %v", user, done, err)
		}
	}
}
