package live_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/testserver"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
)

// putBack closes a period, puts entries on its board, and opens it.
func putBack(t *testing.T, store *live.Store, p board.Period, entries []board.Entry) {
	t.Helper()
	if err := store.BeginRestore(t.Context(), "activity", p); err != nil {
		t.Fatal(err)
	}
	if _, err := store.PutBack(t.Context(), "activity", p, sequence(entries)); err != nil {
		t.Fatal(err)
	}
	if err := store.EndRestore(t.Context(), "activity", p); err != nil {
		t.Fatal(err)
	}
}

func sequence(entries []board.Entry) func(func(board.Entry, error) bool) {
	return func(yield func(board.Entry, error) bool) {
		for _, e := range entries {
			if !yield(e, nil) {
				return
			}
		}
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
		store, day := live.New(client, utc(), shards), period(t, "2026-11-20")
		for i := range 20 {
			record(t, store, did(t, fmt.Sprintf("user-%d like 1", i), at(t, "2026-11-20T12:00")))
		}
		before := everything(t, client)
		if err := store.RemoveBoard(t.Context(), "activity", day); !errors.Is(err, live.ErrNotClosed) {
			t.Errorf("an open board: %v", err)
		}
		if diff := cmp.Diff(before, everything(t, client)); diff != "" {
			t.Errorf("what was refused has changed something:\n%s", diff)
		}
		closePeriod(t, store, "activity", day)
		var states []map[string]any
		for range 2 {
			if err := store.RemoveBoard(t.Context(), "activity", day); err != nil {
				t.Fatal(err)
			}
			states = append(states, everything(t, client))
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
	store, day := live.New(client, utc(), 2), period(t, "2026-11-20")
	entries := []board.Entry{{User: "ada", Packed: board.Pack(3, 1)}, {User: "bob", Packed: board.Pack(3, 1)}, {User: "eve", Packed: board.Pack(2, 0)}}
	if _, err := store.PutBack(t.Context(), "activity", day, sequence(entries)); !errors.Is(err, live.ErrNotClosed) {
		t.Errorf("putting back what is open: %v", err)
	}
	for range 2 {
		if err := store.BeginRestore(t.Context(), "activity", day); err != nil {
			t.Fatal(err)
		}
		if _, err := store.PutBack(t.Context(), "activity", day, sequence(entries)); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.RemoveBoard(t.Context(), "activity", day); !errors.Is(err, live.ErrRestoring) {
		t.Errorf("removing what is put back: %v", err)
	}
	if got := record(t, store, did(t, "ada like 1", at(t, "2026-11-20T12:00")))[0]; got.Status != ledger.TooLate {
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
	if diff := cmp.Diff(entries, readWhole(t, store, "activity", day, 2)); diff != "" {
		t.Errorf("(-put back +read):\n%s", diff)
	}
	if periods, err := store.Periods(t.Context()); err != nil || len(periods) != 1 || periods[0].Total != 3 {
		t.Errorf("listed %v, %v", periods, err)
	}
}

// The pages of a closed month go, and those of other months and their versions
// stay; who has no other is gone altogether.
func TestRemovePages(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 3} {
		client := testserver.Redis(t)
		store, month := live.New(client, utc(), shards), board.DateOf(2026, 11, 1).Month()
		for i := range 1_100 { // more than are removed at once
			record(t, store, did(t, fmt.Sprintf("user-%d visit 1", i), at(t, "2026-11-20T12:00")))
		}
		record(t, store, did(t, "user-7 visit 1", at(t, "2026-12-20T12:00")), did(t, "ada like 1", at(t, "2026-12-20T12:00")))
		if err := store.RemovePages(t.Context(), month); !errors.Is(err, live.ErrNotClosed) {
			t.Errorf("an open month: %v", err)
		}
		if err := store.CloseMonth(t.Context(), month, "activity", "steps"); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := store.RemovePages(t.Context(), month); err != nil {
				t.Fatal(err)
			}
		}
		var users []string
		for key, value := range everything(t, client) {
			if strings.Contains(key, "month:2026-11") && !strings.Contains(key, "board") {
				t.Errorf("%s is still there", key)
			}
			if _, user, ok := strings.Cut(key, ":pages:"); ok {
				users = append(users, user)
				fields, _ := value.(map[string]string)
				if len(fields["v"]) != 8 || fields["2026-12"] == "" || fields["2026-11"] != "" || fields["2026-11-20"] != "" {
					t.Errorf("%s has %q", user, fields)
				}
			}
		}
		slices.Sort(users)
		if !slices.Equal(users, []string{"ada", "user-7"}) {
			t.Errorf("pages of %q are left", users)
		}
		if got := record(t, store, did(t, "user-7 visit 1", at(t, "2026-12-20T12:00")), did(t, "user-8 visit 1", at(t, "2026-11-20T12:00"))); got[0].Status != ledger.Duplicate || got[1].Status != ledger.TooLate {
			t.Errorf("afterwards: %+v", got)
		}
	}
}

// Pages are removed while others close and open periods, and while users record.
func TestRemovePagesBesideOthers(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store, month := live.New(client, utc(), 1), board.DateOf(2026, 11, 1).Month()
	for i := range 600 {
		record(t, store, did(t, fmt.Sprintf("user-%d visit 1", i), at(t, "2026-11-20T12:00")))
	}
	if err := store.CloseMonth(t.Context(), month); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 4 {
		other := live.New(client, utc(), 1)
		wg.Go(func() {
			p := period(t, "2026-01-01")
			for j := range 40 {
				record(t, other, did(t, fmt.Sprintf("user-%d visit %d", j, i), at(t, "2026-12-01T12:00")))
				if err := other.ClosePeriod(t.Context(), "steps", p); err != nil {
					t.Error(err)
				}
				p = p.Next()
			}
		})
		wg.Go(func() {
			if err := store.RemovePages(t.Context(), month); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for i := range 40 {
		if n := scoreOf(t, store, "activity", period(t, "2026-12-01"), fmt.Sprint("user-", i)); n != 4 {
			t.Errorf("user-%d has %d points", i, n)
		}
	}
	if n := client.Keys(t.Context(), "laurel:{0}:pages:*").Val(); len(n) != 40 {
		t.Errorf("%d users have pages", len(n))
	}
}

// A script that was decided by what was closed before changes nothing.
func TestRemovingComparesVersions(t *testing.T) {
	t.Parallel()
	store, client, tape := taped(t)
	day := period(t, "2026-11-20")
	record(t, store, did(t, "ada like 1", at(t, "2026-11-20T12:00")))
	closePeriod(t, store, "activity", day)
	closePeriod(t, store, "", period(t, "2026-11"))
	if _, err := store.PutBack(t.Context(), "activity", day, sequence([]board.Entry{{User: "bob", Packed: board.Pack(1, 1)}})); err != nil {
		t.Fatal(err)
	}
	again := func() error {
		_, err := store.PutBack(t.Context(), "activity", day, sequence([]board.Entry{{User: "bob", Packed: board.Pack(1, 1)}}))
		return err
	}
	for range 2 { // the second time the scripts are known
		tape.take()
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
	calls := tape.take()
	if len(calls) != 3 {
		t.Fatalf("%d scripts", len(calls))
	}
	if err := store.ReopenPeriod(t.Context(), "activity", day); err != nil {
		t.Fatal(err)
	}
	state := everything(t, client)
	for _, args := range calls {
		if reply := client.Do(t.Context(), args...).Val(); reply != live.ScriptChanged {
			t.Errorf("%v answered %v", args[1], reply)
		}
	}
	if diff := cmp.Diff(state, everything(t, client)); diff != "" {
		t.Errorf("something has changed:\n%s", diff)
	}
}
