package pages_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/pages"
	"laurel/shared/state"
)

// An erasure of the user, or of who is followed, between the decision and the commit
// refuses the commit: nothing of what arrived before is in Redis then, nor in the journal.
func TestErasureBetweenDecisionAndCommit(t *testing.T) {
	t.Parallel()
	client, l, noon := testserver.Redis(t), harness.UTC(), harness.At(t, "2026-11-20T12:00")
	var other *live.Store
	erasedBeside := func(what string, do func(*live.Store) bool) {
		client.FlushDB(t.Context())
		kept := state.New(harness.Memory(t, time.Now), func() time.Time { return noon.Time() })
		rows := &journal{}
		other = live.New(client, l, 2)
		store := live.New(client, l, 2)
		for _, s := range []*live.Store{other, store} {
			s.KeepIn(kept)
		}
		rows.before = func(put int) (err error) {
			if put == 1 {
				_, err = other.EraseUser(t.Context(), "zoe")
			}
			return err
		}
		store.Keep(rows)
		if !do(store) || len(rows.entries) != 1 || len(rows.entries[0]) > 0 {
			t.Errorf("%s: journal %+v", what, rows.entries)
		}
		if found := testserver.Grep(t, client, "zoe"); len(found) > 0 {
			t.Errorf("%s: still in %q", what, found)
		}
	}
	for _, act := range []string{"zoe like 1", "ann follow zoe", "zoe follow ann", "zoe unfollow ann"} {
		erasedBeside(act, func(store *live.Store) bool {
			r := store.Record(t.Context(), []activity.Activity{harness.Did(t, act, noon)}, ledger.Arrival{Now: noon})[0]
			return r.Status == ledger.WasErased && r.Err == nil
		})
	}
	erasedBeside("a follow list with the user", func(store *live.Store) bool {
		return store.ReplaceFollowing(t.Context(), "bob", []string{"zoe"}, noon) == nil
	})
	later := ledger.Arrival{Now: noon + 1}
	for what, want := range map[string]ledger.Status{
		"zoe like 1": ledger.Counted, "ann follow zoe": ledger.WasErased, // as follows may be ahead of the clock
	} {
		r := other.Record(t.Context(), []activity.Activity{harness.Did(t, what, noon+1)}, later)[0]
		if r.Status != want {
			t.Errorf("%s a millisecond later: %+v, want %s", what, r, want)
		}
	}
	after := noon.Add(ledger.MaxAhead) + 1
	follow := []activity.Activity{harness.Did(t, "ann follow zoe", after)}
	r := other.Record(t.Context(), follow, ledger.Arrival{Now: after})[0]
	if r.Status != ledger.Counted {
		t.Errorf("a follow later: %+v", r)
	}
}

// An erasure between the reading and the commit of rows of the journal refuses the commit,
// and none of them comes back.
func TestErasureBesideAMerge(t *testing.T) {
	t.Parallel()
	client, l, noon := testserver.Redis(t), harness.UTC(), harness.At(t, "2026-11-20T12:00")
	kept := state.New(harness.Memory(t, time.Now), func() time.Time { return noon.Time() })
	other := live.New(client, l, 1)
	other.KeepIn(kept)
	rows := []ledger.Row{
		{Activity: harness.Did(t, "zoe like 1", noon), Changed: ledger.Own},
		{Activity: harness.Did(t, "ann follow zoe", noon), Changed: ledger.Own | ledger.Follow},
		{Activity: activity.Activity{User: "bob", At: noon}, Listed: []string{"zoe"}, Changed: ledger.Follow},
	}
	for u := range pages.ByUser(rows) {
		watched, erased := erasedBeside(t, client, other)
		// As if there was no erasure before.
		client.FlushDB(t.Context())
		if _, err := watched.Merge(t.Context(), []pages.UserRows{u}, false); err != nil || !*erased {
			t.Fatalf("%v, erased: %t", err, *erased)
		}
		if found := testserver.Grep(t, client, "zoe"); len(found) > 0 {
			t.Errorf("rows of %s: still in %q", u.User, found)
		}
	}
}

// erasedBeside returns a store whose first commit comes after another process has erased zoe,
// and whether that was done.
func erasedBeside(t *testing.T, client *redis.Client, other *live.Store) (watched *live.Store, erased *bool) {
	t.Helper()
	options := *client.Options()
	own := redis.NewClient(&options)
	t.Cleanup(func() { _ = own.Close() })
	erased = new(bool)
	own.AddHook(&before{command: "evalsha", do: func() {
		_, err := other.EraseUser(t.Context(), "zoe")
		*erased = err == nil
	}})
	return live.New(own, harness.UTC(), 1), erased
}

// An erasure between the reading and the commit of follow lists and totals that were kept
// refuses the commit, and nothing of them comes back.
func TestErasureBesideAMergeOfWhatIsKept(t *testing.T) {
	t.Parallel()
	client, l, noon := testserver.Redis(t), harness.UTC(), harness.At(t, "2026-11-20T12:00")
	kept := state.New(harness.Memory(t, time.Now), func() time.Time { return noon.Time() })
	other, september := live.New(client, l, 1), harness.Period(t, "2026-09")
	other.KeepIn(kept)
	harness.ReplaceFollowing(t, other, "ann", []string{"zoe"}, noon)
	harness.ReplaceFollowing(t, other, "zoe", []string{"ann"}, noon)
	lists, err := other.FollowLists(t.Context(), "ann", "zoe")
	if err != nil {
		t.Fatal(err)
	}
	nobody := func(string, uint64) board.Moment { return 0 }
	total := ledger.Total{Board: "activity", Month: september.First().Month(), Packed: board.Pack(3, 0)}
	for what, merge := range map[string]func(*live.Store) error{
		"the list with the user": func(s *live.Store) error { return s.MergeFollows(t.Context(), lists[:1], nobody) },
		"the user's list":        func(s *live.Store) error { return s.MergeFollows(t.Context(), lists[1:], nobody) },
		"totals": func(s *live.Store) error {
			return s.MergeTotals(t.Context(), []pages.UserTotals{{User: "zoe", Totals: []ledger.Total{total}}}, nil)
		},
	} {
		watched, erased := erasedBeside(t, client, other)
		client.FlushDB(t.Context())
		harness.ClosePeriod(t, other, "", september)
		if err := merge(watched); err != nil || !*erased {
			t.Fatalf("%s: %v, erased: %t", what, err, *erased)
		}
		if found := testserver.Grep(t, client, "zoe"); len(found) > 0 {
			t.Errorf("%s: still in %q", what, found)
		}
	}
}

// Tombstones that Redis has lost, of the shards or of the articles alone, are put back.
func TestLostTombstonesArePutBack(t *testing.T) {
	t.Parallel()
	client, noon := testserver.Redis(t), harness.At(t, "2026-11-20T12:00")
	store := live.New(client, harness.UTC(), 2)
	store.KeepIn(state.New(harness.Memory(t, time.Now), func() time.Time { return noon.Time() }))
	if _, err := store.EraseUser(t.Context(), "zoe"); err != nil {
		t.Fatal(err)
	}
	stones := testserver.Grep(t, client, fmt.Sprintf("%016x", codec.Hash("zoe")))
	for _, key := range client.Keys(t.Context(), "*").Val() {
		was := harness.Everything(t, client)
		client.Del(t.Context(), key)
		if _, err := store.MendVoids(t.Context()); err != nil {
			t.Fatal(err)
		}
		now := harness.Everything(t, client)
		if (strings.Contains(key, "voids") || strings.Contains(key, "erased")) && now[key] == nil {
			t.Errorf("%s is not back: was %v", key, was[key])
		}
	}
	if len(stones) == 0 {
		t.Error("there was none")
	}
}
