package pages_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/redisstore"
)

// The pages of a closed month go, and those of other months and their versions
// stay; who has no other is gone altogether.
func TestRemovePages(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 3} {
		client := testserver.Redis(t)
		store, month := live.New(client, harness.UTC(), shards), board.DateOf(2026, 11, 1).Month()
		for i := range 1_100 { // more than are removed at once
			harness.Record(t, store, harness.Did(t, fmt.Sprintf("user-%d visit 1", i), harness.At(t, "2026-11-20T12:00")))
		}
		harness.Record(t, store, harness.Did(t, "user-7 visit 1", harness.At(t, "2026-12-20T12:00")),
			harness.Did(t, "ada like 1", harness.At(t, "2026-12-20T12:00")))
		if err := store.RemovePages(t.Context(), month); !errors.Is(err, redisstore.ErrNotClosed) {
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
		for key, value := range harness.Everything(t, client) {
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
		if got := harness.Record(t, store, harness.Did(t, "user-7 visit 1", harness.At(t, "2026-12-20T12:00")),
			harness.Did(t, "user-8 visit 1", harness.At(t, "2026-11-20T12:00"))); got[0].Status != ledger.Duplicate ||
			got[1].Status != ledger.TooLate {
			t.Errorf("afterwards: %+v", got)
		}
	}
}

// Pages are removed while others close and open periods, and while users record.
func TestRemovePagesBesideOthers(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store, month := live.New(client, harness.UTC(), 1), board.DateOf(2026, 11, 1).Month()
	for i := range 600 {
		harness.Record(t, store, harness.Did(t, fmt.Sprintf("user-%d visit 1", i), harness.At(t, "2026-11-20T12:00")))
	}
	if err := store.CloseMonth(t.Context(), month); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 4 {
		other := live.New(client, harness.UTC(), 1)
		wg.Go(func() {
			p := harness.Period(t, "2026-01-01")
			for j := range 40 {
				harness.Record(t, other, harness.Did(t, fmt.Sprintf("user-%d visit %d", j, i), harness.At(t, "2026-12-01T12:00")))
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
		if n := harness.ScoreOf(t, store, "activity", harness.Period(t, "2026-12-01"), fmt.Sprint("user-", i)); n != 4 {
			t.Errorf("user-%d has %d points", i, n)
		}
	}
	if n := client.Keys(t.Context(), "laurel:{0}:pages:*").Val(); len(n) != 40 {
		t.Errorf("%d users have pages", len(n))
	}
}
