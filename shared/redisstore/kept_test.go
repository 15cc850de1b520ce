package redisstore_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/redisstore"
	"laurel/shared/state"
	"laurel/shared/table"
)

// sets returns the closed-period set of each shard, as text.
func sets(t *testing.T, s *redisstore.Store) []string {
	t.Helper()
	all, err := s.ClosedSets(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	texts := make([]string, len(all))
	for i, set := range all {
		texts[i] = set.Periods.String()
	}
	return texts
}

// Stores close and reopen the same periods at once: at the end every shard has what the
// table has.
func TestShardsEndWithTheKeptClosedSet(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	kept := state.New(harness.Memory(t, time.Now), time.Now)
	const shards = 3
	for round := range 10 {
		var wg sync.WaitGroup
		for i := range 8 {
			store := redisstore.New(client, shards)
			store.KeepClosed(kept)
			wg.Go(func() {
				for n := range 4 {
					p := harness.Period(t, fmt.Sprintf("2026-11-%02d", 1+(i/2+n)%3))
					do := store.ClosePeriod
					if i%2 == 0 {
						do = store.ReopenPeriod
					}
					if err := do(t.Context(), "activity", p); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		text, _, err := kept.Closed(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{text, text, text}, sets(t, redisstore.New(client, shards))); diff != "" {
			t.Fatalf("round %d: (-table +shards):\n%s", round, diff)
		}
	}
}

// A store that Redis has a set for and the table has not, keeps that. A table that fails
// leaves Redis as it is.
func TestClosingWritesTheTableFirst(t *testing.T) {
	t.Parallel()
	store := redisstore.New(testserver.Redis(t), 2)
	closeDay := func(day string) error {
		return store.ClosePeriod(t.Context(), "activity", harness.Period(t, day))
	}
	if err := closeDay("2026-11-01"); err != nil {
		t.Fatal(err)
	}
	items := &harness.Table{Store: harness.Memory(t, time.Now)}
	kept := state.New(items, time.Now)
	store.KeepClosed(kept)
	if err := closeDay("2026-11-02"); err != nil {
		t.Fatal(err)
	}
	const want = "activity day 2026-11-01 2026-11-02\n"
	if text, known, err := kept.Closed(t.Context()); text != want || !known || err != nil {
		t.Errorf("kept %q %v, %v", text, known, err)
	}
	items.Unavailable.Store(true)
	if err := closeDay("2026-11-03"); !errors.Is(err, table.ErrUnavailable) {
		t.Errorf("a table that fails: %v", err)
	}
	if got := strings.Join(sets(t, store), ""); got != want+want {
		t.Errorf("shards have %q", got)
	}
}
