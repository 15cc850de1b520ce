package pages_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/redisstore"
)

// The pages of a closed day leave, beside writers on other days and other processes that
// remove them too; everything else stays as it was.
func TestRemoveDayPages(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store, day := live.New(client, harness.UTC(), 2), harness.Period(t, "2026-11-20")
	const users = 1_100 // more than one step takes
	for i := range users {
		harness.Record(t, store, harness.Did(t, fmt.Sprintf("user-%d visit 1", i), harness.At(t, "2026-11-20T12:00")))
	}
	if err := store.RemoveDayPages(t.Context(), day.First(), "activity"); !errors.Is(err, redisstore.ErrNotClosed) {
		t.Errorf("an open day: %v", err)
	}
	if err := store.ClosePeriod(t.Context(), "activity", day); err != nil {
		t.Fatal(err)
	}
	before := harness.Everything(t, client)
	var wg sync.WaitGroup
	for i := range 3 {
		other := live.New(client, harness.UTC(), 2)
		wg.Go(func() {
			if err := other.RemoveDayPages(t.Context(), day.First(), "activity"); err != nil {
				t.Error(err)
			}
		})
		wg.Go(func() {
			for j := range 60 {
				harness.Record(t, other, harness.Did(t, fmt.Sprintf("user-%d like %d", j, i), harness.At(t, "2026-11-21T12:00")))
			}
		})
	}
	wg.Wait()
	points := map[string]int64{}
	for i := range users {
		user := fmt.Sprint("user-", i)
		key := redisstore.PagesKey(store.ShardOf(user), user)
		fields := client.HGetAll(t.Context(), key).Val()
		was, _ := before[key].(map[string]string)
		if fields["2026-11-20"] != "" || fields["v"] == was["v"] {
			t.Fatalf("%s has %q", user, fields)
		}
		if i >= 60 && fields["2026-11"] != was["2026-11"] {
			t.Errorf("the month of %s has changed", user)
		}
		if i == 7 || i == 70 {
			points[user] = harness.ScoreOf(t, store, "activity", harness.Period(t, "2026-11"), user)
		}
	}
	if diff := cmp.Diff(map[string]int64{"user-7": 7, "user-70": 1}, points); diff != "" {
		t.Errorf("points (-want +got):\n%s", diff)
	}
	if err := store.ReopenPeriod(t.Context(), "activity", day); err != nil {
		t.Fatal(err)
	}
	got := harness.Record(t, store, harness.Did(t, "user-7 visit 2", harness.At(t, "2026-11-20T13:00")))
	if got[0].Status != ledger.TooLate {
		t.Errorf("on the day that is live again: %+v", got)
	}
}
