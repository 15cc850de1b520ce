package boards_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/redisstore"
)

func sorted(entries []board.Entry) []board.Entry {
	return slices.SortedFunc(slices.Values(entries), board.Compare)
}

// A board is removed when it is closed, and not before; twice is once.
func TestRemoveBoard(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 3} {
		client := testserver.Redis(t)
		store, day := live.New(client, harness.UTC(), shards), harness.Period(t, "2026-11-20")
		for i := range 20 {
			harness.Record(t, store, harness.Did(t, fmt.Sprintf("user-%d like 1", i), harness.At(t, "2026-11-20T12:00")))
		}
		before := harness.Everything(t, client)
		if err := store.RemoveBoard(t.Context(), "activity", day); !errors.Is(err, redisstore.ErrNotClosed) {
			t.Errorf("an open board: %v", err)
		}
		if diff := cmp.Diff(before, harness.Everything(t, client)); diff != "" {
			t.Errorf("what was refused has changed something:\n%s", diff)
		}
		harness.ClosePeriod(t, store, "activity", day)
		var states []map[string]any
		for range 2 {
			if err := store.RemoveBoard(t.Context(), "activity", day); err != nil {
				t.Fatal(err)
			}
			states = append(states, harness.Everything(t, client))
		}
		if diff := cmp.Diff(states[0], states[1]); diff != "" {
			t.Errorf("removing again has changed something:\n%s", diff)
		}
		for key, value := range states[1] {
			if strings.Contains(key, "board:activity:day") {
				t.Errorf("%s is still there", key)
			}
			if set, ok := value.(map[string]struct{}); ok && strings.HasSuffix(key, ":periods") && len(set) != 1 {
				t.Errorf("%s lists %v", key, set)
			}
		}
	}
}

// A period that is being reopened takes no writes, and nobody removes anything of it; it
// opens at the end, with its month.
func TestReopeningAndRemovingKeepApart(t *testing.T) {
	t.Parallel()
	store := live.New(testserver.Redis(t), harness.UTC(), 2)
	like := harness.Did(t, "ada like 1", harness.At(t, "2026-11-20T12:00"))
	harness.Record(t, store, like)
	for _, name := range []string{"2026-11-20", "2026-11"} {
		p := harness.Period(t, name)
		harness.ClosePeriod(t, store, "activity", p)
		harness.ClosePeriod(t, store, "", harness.Period(t, "2026-11"))
		if err := store.EndReopening(t.Context(), "activity", p); !errors.Is(err, redisstore.ErrNotReopening) {
			t.Errorf("the end of nothing: %v", err)
		}
		for range 2 {
			if err := store.BeginReopening(t.Context(), "activity", p); err != nil {
				t.Fatal(err)
			}
		}
		for what, err := range map[string]error{
			"the board":          store.RemoveBoard(t.Context(), "activity", p),
			"the month's pages":  store.RemovePages(t.Context(), p.First().Month()),
			"the pages of a day": store.RemoveDayPages(t.Context(), p.First(), "activity"),
		} {
			open := what == "the pages of a day" && errors.Is(err, redisstore.ErrNotClosed) // with its month
			if !errors.Is(err, redisstore.ErrReopening) && !open {
				t.Errorf("removing %s of %s: %v", what, name, err)
			}
		}
		if got := harness.Record(t, store, like)[0]; got.Status != ledger.TooLate {
			t.Errorf("a do meanwhile: %+v", got)
		}
		if err := store.EndReopening(t.Context(), "activity", p); err != nil {
			t.Fatal(err)
		}
		sets, err := store.ClosedSets(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, set := range sets {
			if open := !set.Periods.Has("activity", p); !open || set.Reopening("activity", p) || !set.Reopened("activity", p) {
				t.Errorf("%s is open: %t, %s", name, open, set.Periods)
			}
			if open := !set.Periods.Has("", harness.Period(t, "2026-11")); open != (name == "2026-11") {
				t.Errorf("after %s the month is open: %t", name, open)
			}
		}
	}
}

// A script that was decided by what was closed before changes nothing.
func TestRemovingComparesVersions(t *testing.T) {
	t.Parallel()
	store, client, tape := harness.Taped(t)
	day := harness.Period(t, "2026-11-20")
	harness.Record(t, store, harness.Did(t, "ada like 1", harness.At(t, "2026-11-20T12:00")))
	harness.ClosePeriod(t, store, "activity", day)
	harness.ClosePeriod(t, store, "", harness.Period(t, "2026-11"))
	for range 2 { // the second time the scripts are known
		tape.Take()
		for _, err := range []error{
			store.RemoveBoard(t.Context(), "activity", day), store.RemovePages(t.Context(), day.First().Month()),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		client.HSet(t.Context(), "laurel:{0}:pages:ada", "2026-11", "a page") // the board of the month lists ada
	}
	calls := tape.Take()
	if len(calls) != 2 {
		t.Fatalf("%d scripts", len(calls))
	}
	if err := store.ReopenPeriod(t.Context(), "activity", day); err != nil {
		t.Fatal(err)
	}
	state := harness.Everything(t, client)
	for _, args := range calls {
		reply, err := client.Do(t.Context(), args...).Result()
		if now, conflict := reply.([]any); err != nil || (reply != redisstore.Changed && (!conflict || len(now) > 0)) {
			t.Errorf("%v answered %v, %v", args[1], reply, err)
		}
	}
	if diff := cmp.Diff(state, harness.Everything(t, client)); diff != "" {
		t.Errorf("something has changed:\n%s", diff)
	}
}
