package pages_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"laurel/internal/harness"
	"laurel/internal/stream"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/ledger/reference"
	"laurel/shared/live"
	"laurel/shared/pages"
	"laurel/shared/redisstore"
	"laurel/shared/state"
)

// setVoid declares targets void until moments.
func setVoid(t *testing.T, store *live.Store, until board.Moment, targets ...string) {
	t.Helper()
	for _, target := range targets {
		if _, err := store.SetVoid(t.Context(), target, until); err != nil {
			t.Error(err)
		}
	}
}

// pass runs a whole pass, and returns what its steps add up to.
func pass(t *testing.T, store *live.Store) (sum pages.PassStep) {
	t.Helper()
	for from := ""; ; {
		step, err := store.VoidStep(t.Context(), from)
		if err != nil {
			t.Error(err)
			return sum
		}
		sum.Users, sum.Undone, sum.Damaged = sum.Users+step.Users, sum.Undone+step.Undone, sum.Damaged+step.Damaged
		if from = step.Next; from == "" {
			return sum
		}
	}
}

// withoutVoids is everything but void targets, which no merge of rows makes.
func withoutVoids(everything map[string]any) map[string]any {
	for key := range everything {
		if strings.HasSuffix(key, "}:voids") {
			delete(everything, key)
		}
	}
	return everything
}

// Promise 1: whether a target is declared void before, between or after what is done to
// it, by which of eight writers in two processes, the boards are the reference's, and
// the journal has all of it.
func TestPromise1VoidsInAnyOrder(t *testing.T) {
	t.Parallel()
	users := []string{"ada", "bob", "-1", "eve", "é", "u6", "u7"}
	for i := range testserver.Rounds(9, 300) {
		rng := rand.New(rand.NewPCG(uint64(i), 17))
		forum, err := stream.NewForum(rng)
		if err != nil {
			t.Fatal(err)
		}
		l, journaled, shards := ledger.New(forum.Rules, forum.Calendar), &journal{}, 1+i%3
		acts := forum.WithRestores(rng, forum.Activities(rng, 800, users))
		ref := reference.New(forum.Rules, forum.Calendar)
		for _, a := range acts {
			ref.Add(a)
		}
		client, kept := testserver.Redis(t), state.New(harness.Memory(t, time.Now), time.Now)
		stores := []*live.Store{live.New(client, l, shards), live.New(client, l, shards)}
		for _, store := range stores {
			store.Keep(journaled)
			store.KeepVoids(kept)
		}
		void := func(of activity.Activity) {
			ref.Void(of.Target, of.At)
			setVoid(t, stores[i%2], of.At, of.Target)
		}
		some := func() activity.Activity {
			for {
				if a := acts[rng.IntN(len(acts))]; a.Target != "" {
					return a
				}
			}
		}
		for range rng.IntN(2) {
			void(some())
		}
		pass(t, stores[0])
		todo := make(chan []activity.Activity)
		var writers sync.WaitGroup
		for w := range 8 {
			writers.Go(func() {
				for batch := range todo {
					for _, r := range stores[w%2].Record(t.Context(), batch, harness.History) {
						if r.Err != nil {
							t.Error(r.Err)
						}
					}
				}
			})
		}
		for n, batch := range stream.Deliver(rng, acts, 20) {
			if todo <- batch; n%25 == 24 {
				void(some())
				void(some())
				pass(t, stores[n%2])
			}
		}
		close(todo)
		writers.Wait()
		void(some())
		pass(t, stores[0])

		harness.CompareBoards(t, stores[1], forum, ref)
		if again := repeat(t, stores[0]); again.Undone != 0 {
			t.Errorf("forum %d: another pass undoes %d entries", i, again.Undone)
		}
		want, rows := stateOf(t, stores[0]), journaled.byUser(rng)
		if changed, err := stores[0].Merge(t.Context(), rows, false); changed != 0 || err != nil {
			t.Errorf("forum %d: %d rows have changed the pages that they are from, %v", i, changed, err)
		}
		merged := live.New(testserver.Redis(t), l, shards)
		for _, user := range rows {
			if _, err := merged.Merge(t.Context(), []pages.UserRows{user}, true); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(withoutVoids(want), stateOf(t, merged)); diff != "" {
			t.Errorf("forum %d (-recorded +merged):\n%.4000s", i, diff)
		}
		if t.Failed() {
			t.Fatalf("forum %d in %s, %d shards", i, forum.Calendar.Zone(), shards)
		}
	}
}

// repeat carries all voids out once more.
func repeat(t *testing.T, store *live.Store) pages.PassStep {
	t.Helper()
	if err := store.PutVoids(t.Context()); err != nil {
		t.Fatal(err)
	}
	return pass(t, store)
}

// voided is a forum whose users have liked and commented on two articles, which are
// declared void at noon, and a journal.
func voided(t *testing.T, shards int) (*harness.Stores, *state.Store, *journal) {
	t.Helper()
	stores := harness.Open(t, shards, time.Now)
	kept, journaled := state.New(stores.Kept, time.Now), &journal{}
	stores.Live.Keep(journaled)
	stores.Live.KeepVoids(kept)
	noon := harness.At(t, "2026-11-20T12:00")
	for i := range 9 {
		user := fmt.Sprint("user-", i)
		harness.Record(t, stores.Live, harness.Did(t, user+" like spam", noon-board.Moment(i)),
			harness.Did(t, user+" comment v", noon-2*60_000), harness.Did(t, user+" visit fine", noon-90_000_000),
			harness.Did(t, user+" comment spam", noon+1), harness.Did(t, user+" bookmark spam", noon-30*86_400_000))
	}
	setVoid(t, stores.Live, noon, "spam", "v")
	return stores, kept, journaled
}

// A pass that is killed at any of its calls is continued where it was, or begun again, and
// comes to the same; the journal has it.
func TestKilledInAPassOfVoids(t *testing.T) {
	t.Parallel()
	quiet, _, _ := voided(t, 2)
	if sum := pass(t, quiet.Live); sum.Undone != 36 || sum.Users != 27 {
		t.Errorf("a pass has come to %+v", sum)
	}
	want := stateOf(t, quiet.Live)
	ignore := cmpopts.IgnoreMapEntries(func(key string, _ any) bool { return strings.HasSuffix(key, "}:voids") })
	for at, killed := 1, true; killed; at += testserver.Step(2, 1) {
		for _, how := range []string{harness.Before, harness.Half, harness.After} {
			stores, _, journaled := voided(t, 2)
			crash := &harness.Crash{At: at, How: how}
			mine := stores.Crashing(t, crash)
			mine.Live.KeepVoids(state.New(crash, time.Now))
			mine.Live.Keep(journaled)
			var step pages.PassStep
			var err error
			for more := true; more && err == nil; more = step.Next != "" {
				step, err = mine.Live.VoidStep(t.Context(), step.Next)
			}
			if killed = err != nil; killed && at%4 < 2 && step.Next != "" {
				saved := "nothing"
				_, err := stores.Live.VoidPassFrom(t.Context(), step.Next, func(next string) error {
					saved = next
					return nil
				})
				if err != nil || saved != "" {
					t.Fatalf("saved %q, %v", saved, err)
				}
			}
			pass(t, stores.Live)
			if diff := cmp.Diff(want, stateOf(t, stores.Live), ignore); diff != "" {
				t.Fatalf("killed %s call %d (-want +got):\n%s", how, at, diff)
			}
			all, err := stores.Live.Voids(t.Context())
			if err != nil || len(all) != 2 || all[0].Done != all[0].Until || all[1].Done != all[1].Until {
				t.Fatalf("killed %s call %d: voids %+v, %v", how, at, all, err)
			}
			if again := repeat(t, stores.Live); again.Undone != 0 {
				t.Fatalf("killed %s call %d: another pass undoes %d entries", how, at, again.Undone)
			}
			rows := journaled.byUser(rand.New(rand.NewPCG(1, uint64(at))))
			merged := live.New(testserver.Redis(t), stores.Ledger, 2)
			if _, err := merged.Merge(t.Context(), rows, true); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, stateOf(t, merged), ignore); diff != "" {
				t.Fatalf("killed %s call %d (-want +merged):\n%s", how, at, diff)
			}
		}
	}
}

// A pass goes on where it was: it does not read again the users whom it has read. A step of
// no pass is as none.
func TestAPassGoesOn(t *testing.T) {
	t.Parallel()
	stores, _, _ := voided(t, 2)
	first, err := stores.Live.VoidStep(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	begun, err := stores.Live.VoidStep(t.Context(), first.Next)
	if err != nil || begun.Users == 0 {
		t.Fatalf("%+v, %v", begun, err)
	}
	var saved []string
	save := func(next string) error { saved = append(saved, next); return nil }
	rest, err := stores.Live.VoidPassFrom(t.Context(), begun.Next, save)
	if err != nil || begun.Users+rest.Users != 27 || begun.Undone+rest.Undone != 36 {
		t.Errorf("begun %+v, then %+v, %v; want 18 users, 9 of them twice, and 36 entries",
			begun, rest, err)
	}
	setVoid(t, stores.Live, harness.At(t, "2026-11-20T13:00"), "fine")
	for _, from := range []string{begun.Next, "x", "00 1 99 0"} {
		done, err := stores.Live.VoidPassFrom(t.Context(), from, save)
		if err != nil || (from == begun.Next) != (done.Undone == 9) {
			t.Errorf("from %q: %+v, %v", from, done, err)
		}
	}
	if diff := cmp.Diff([]string{"", "", "", ""}, saved); diff != "" {
		t.Errorf("saved (-want +got):\n%s", diff)
	}
}

// A void whose pass begins between the decision of a recording and its commit is met by
// the commit: nothing with a moment up to it stands, and the journal says so.
func TestAVoidBetweenDecisionAndCommit(t *testing.T) {
	t.Parallel()
	stores := harness.Open(t, 1, time.Now)
	kept := state.New(stores.Kept, time.Now)
	other := live.New(stores.Client, stores.Ledger, 1)
	other.KeepVoids(kept)
	noon := harness.At(t, "2026-11-20T12:00")
	journaled := &journal{before: func(put int) error {
		if put == 1 {
			setVoid(t, other, noon, "spam", "target-300")
			pass(t, other)
		}
		return nil
	}}
	stores.Live.Keep(journaled)
	acts := []activity.Activity{harness.Did(t, "ann like spam", noon), harness.Did(t, "ann comment spam", noon+1)}
	for i := range 400 {
		acts = append(acts, harness.Did(t, fmt.Sprint("ann publish target-", i), noon-1))
	}
	receipts := harness.Record(t, stores.Live, acts...)
	for i, r := range receipts {
		want := ledger.Counted
		if i == 0 || i == 302 {
			want = ledger.Superseded
		}
		if r.Status != want {
			t.Errorf("activity %d: %+v", i, r)
		}
	}
	if journaled.puts != 2 || len(journaled.entries[0]) != len(acts)+3 { // an entry for each is undone
		t.Errorf("%d puts, %d rows", journaled.puts, len(journaled.entries[0]))
	}
}

// What waits can be withdrawn, what has begun cannot, and later moments wait again; what
// no live month is before is dropped.
func TestVoidsWaitAreDoneAndDropped(t *testing.T) {
	t.Parallel()
	stores, kept, _ := voided(t, 2)
	store, noon := stores.Live, harness.At(t, "2026-11-20T12:00")
	voids := func() (text string) {
		t.Helper()
		all, err := store.Voids(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range all {
			text += fmt.Sprintf("%s %d %d %d, ", v.Target, v.Until-noon, max(v.Begun-noon, -1), max(v.Done-noon, -1))
		}
		return text
	}
	expect := func(step, want string, err, wantErr error) {
		t.Helper()
		if got := voids(); got != want || !errors.Is(err, wantErr) {
			t.Errorf("%s: %s (%v), want %s (%v)", step, got, err, want, wantErr)
		}
	}
	withdraw := func(target string) error {
		_, err := store.WithdrawVoid(t.Context(), target)
		return err
	}
	expect("declared", "spam 0 -1 -1, v 0 -1 -1, ", nil, nil)
	expect("withdrawn", "spam 0 -1 -1, ", withdraw("v"), nil)
	expect("withdrawn again", "spam 0 -1 -1, ", withdraw("v"), pages.ErrNoVoid)
	step, err := store.VoidStep(t.Context(), "")
	expect("begun", "spam 0 0 -1, ", err, nil)
	expect("too late", "spam 0 0 -1, ", withdraw("spam"), pages.ErrVoidBegun)
	if sum := pass(t, store); sum.Undone != 27 {
		t.Errorf("undone: %+v", sum)
	}
	expect("done by another pass", "spam 0 0 0, ", nil, nil)
	if left, err := store.VoidStep(t.Context(), step.Next); err != nil || left.Next != "" || left.Users != 0 {
		t.Errorf("a pass that was taken over: %+v, %v", left, err)
	}
	setVoid(t, store, noon-5, "spam")
	expect("an earlier moment", "spam 0 0 0, ", nil, nil)
	setVoid(t, store, noon+5, "spam")
	expect("a later moment", "spam 5 0 0, ", nil, nil)
	expect("the later one withdrawn", "spam 0 0 0, ", withdraw("spam"), nil)
	setVoid(t, store, noon+5, "spam", "v")
	stores.Client.Del(t.Context(), "laurel:{1}:voids")
	december := harness.Period(t, "2026-12").First().Month()
	expect("nothing is over", "spam 5 0 0, v 5 -1 -1, ", store.DropVoids(t.Context(), december-1), nil)
	for _, key := range []string{"laurel:{0}:voids", "laurel:{1}:voids"} {
		if got := stores.Client.HGetAll(t.Context(), key).Val(); len(got) != 2 || got["spam"] != fmt.Sprint(int64(noon)) {
			t.Errorf("%s: %v", key, got)
		}
	}
	expect("november is over", "", store.DropVoids(t.Context(), december), nil)
	if got := stores.Client.HLen(t.Context(), "laurel:{1}:voids").Val(); got != 1 {
		t.Errorf("%d fields in Redis", got)
	}
	for _, from := range []string{"x", "- 1 0 0", "ab 24322 2 0"} {
		if _, err := store.VoidStep(t.Context(), from); err == nil {
			t.Errorf("step %q: no error", from)
		}
	}
	if err := kept.ChangeVoid(t.Context(), "x", func(string, bool) (string, error) { return "1 2", nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := store.VoidStep(t.Context(), ""); err == nil {
		t.Error("a damaged void: no error")
	}
	if _, err := live.New(stores.Client, stores.Ledger, 2).SetVoid(t.Context(), "x", 1); err == nil {
		t.Error("without a table: no error")
	}
}

// An emptied Redis is not taken for one in which all is undone.
func TestPassOfVoidsRefusesAnEmptiedRedis(t *testing.T) {
	t.Parallel()
	stores, _, _ := voided(t, 2)
	stamp := redisstore.Stamp{Format: redisstore.Format, Shards: 2, Zone: "UTC", Generation: 1}
	if err := stores.Live.Redis().WriteStamp(t.Context(), stamp); err != nil {
		t.Fatal(err)
	}
	stores.Live.Redis().Expect(&stamp)
	first, err := stores.Live.VoidStep(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	stores.Client.FlushDB(t.Context())
	for _, from := range []string{first.Next, ""} {
		if step, err := stores.Live.VoidStep(t.Context(), from); !errors.Is(err, redisstore.ErrStamp) {
			t.Errorf("step %q: %+v, %v", from, step, err)
		}
	}
	if all, err := stores.Live.Voids(t.Context()); err != nil || all[0].Done != 0 || all[1].Done != 0 {
		t.Errorf("voids %+v, %v", all, err)
	}
	if keys := stores.Client.Keys(t.Context(), "*").Val(); len(keys) > 0 {
		t.Errorf("Redis has %v", keys)
	}
}

// An entry whose commit a failover lost comes back from the journal after the pass: the
// voids are carried out again. A day that is closed meanwhile stays as it is.
func TestVoidsAreCarriedOutAgain(t *testing.T) {
	t.Parallel()
	stores, _, journaled := voided(t, 2)
	noon := harness.At(t, "2026-11-20T12:00")
	pass(t, stores.Live)
	lost := ledger.Row{Activity: harness.Did(t, "zoe like spam", noon-1), Changed: ledger.Own}
	changed, err := stores.Live.Merge(t.Context(), []pages.UserRows{{User: "zoe", Rows: []ledger.Row{lost}}}, false)
	if changed != 1 || err != nil {
		t.Fatal(changed, err)
	}
	month := harness.Period(t, "2026-11")
	if score := harness.ScoreOf(t, stores.Live, "activity", month, "zoe"); score != 2 {
		t.Errorf("zoe has %d points before", score)
	}
	if again := repeat(t, stores.Live); again.Undone != 1 {
		t.Errorf("carried out again: %+v", again)
	}
	if score := harness.ScoreOf(t, stores.Live, "activity", month, "zoe"); score != 0 {
		t.Errorf("zoe has %d points after", score)
	}
	if last := journaled.entries[len(journaled.entries)-1]; len(last) != 1 || last[0].User != "zoe" {
		t.Errorf("the journal's last entry is %+v", last)
	}
	harness.Record(t, stores.Live, harness.Did(t, "zoe comment v", noon+1), harness.Did(t, "zoe like v", noon+2))
	harness.ClosePeriod(t, stores.Live, "activity", harness.Period(t, "2026-11-20"))
	setVoid(t, stores.Live, noon+9, "v")
	if sum := pass(t, stores.Live); sum.Undone != 1 {
		t.Errorf("after the day is closed: %+v", sum)
	}
	if score := harness.ScoreOf(t, stores.Live, "activity", month, "zoe"); score != 3 {
		t.Errorf("zoe has %d points, want those of the comment of a final day", score)
	}
}
