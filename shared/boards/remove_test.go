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

// putBack closes a period, puts entries on its board, and opens it.
func putBack(t *testing.T, store *live.Store, p board.Period, entries []board.Entry) {
	t.Helper()
	if err := store.BeginRestore(t.Context(), "activity", p); err != nil {
		t.Fatal(err)
	}
	if _, err := store.PutBack(t.Context(), "activity", p, harness.Sequence(entries)); err != nil {
		t.Fatal(err)
	}
	if err := store.EndRestore(t.Context(), "activity", p); err != nil {
		t.Fatal(err)
	}
}

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

// A board that is being put back is removed by nobody, and put back only while it
// is closed.
func TestPutBackAndRemoveKeepApart(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store, day := live.New(client, harness.UTC(), 2), harness.Period(t, "2026-11-20")
	entries := []board.Entry{
		{User: "ada", Packed: board.Pack(3, 1)},
		{User: "bob", Packed: board.Pack(3, 1)},
		{User: "eve", Packed: board.Pack(2, 0)},
	}
	if _, err := store.PutBack(t.Context(), "activity", day, harness.Sequence(entries)); !errors.Is(err,
		redisstore.ErrNotClosed) {
		t.Errorf("putting back what is open: %v", err)
	}
	for range 2 {
		if err := store.BeginRestore(t.Context(), "activity", day); err != nil {
			t.Fatal(err)
		}
		if _, err := store.PutBack(t.Context(), "activity", day, harness.Sequence(entries)); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.RemoveBoard(t.Context(), "activity", day); !errors.Is(err, redisstore.ErrRestoring) {
		t.Errorf("removing what is put back: %v", err)
	}
	if got := harness.Record(t, store,
		harness.Did(t, "ada like 1", harness.At(t, "2026-11-20T12:00")))[0]; got.Status != ledger.TooLate {
		t.Errorf("a do meanwhile: %+v", got)
	}
	if on, err := store.Restoring(t.Context(), "activity", day); !on || err != nil {
		t.Errorf("restoring: %v, %v", on, err)
	}
	if err := store.EndRestore(t.Context(), "activity", day); err != nil {
		t.Fatal(err)
	}
	if on, err := store.Restoring(t.Context(), "activity", day); on || err != nil {
		t.Errorf("restoring after the end: %v, %v", on, err)
	}
	if diff := cmp.Diff(entries, harness.ReadWhole(t, store, "activity", day, 2)); diff != "" {
		t.Errorf("(-put back +read):\n%s", diff)
	}
	if periods, err := store.Periods(t.Context()); err != nil || len(periods) != 1 || periods[0].Total != 3 {
		t.Errorf("listed %v, %v", periods, err)
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
	if _, err := store.PutBack(t.Context(), "activity", day,
		harness.Sequence([]board.Entry{{User: "bob", Packed: board.Pack(1, 1)}})); err != nil {
		t.Fatal(err)
	}
	again := func() error {
		_, err := store.PutBack(t.Context(), "activity", day,
			harness.Sequence([]board.Entry{{User: "bob", Packed: board.Pack(1, 1)}}))
		return err
	}
	for range 2 { // the second time the scripts are known
		tape.Take()
		for _, err := range []error{
			store.RemoveBoard(t.Context(), "activity", day), store.RemovePages(t.Context(), day.First().Month()),
			again(),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		client.SAdd(t.Context(), "laurel:{0}:month:2026-11", "ada")
	}
	calls := tape.Take()
	if len(calls) != 3 {
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
