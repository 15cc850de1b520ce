package redisstore_test

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/live"
	"laurel/shared/redisstore"
)

// A hundred stores close a period each at once, and none undoes another's.
func TestCloseAHundredAtOnce(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	first := harness.Period(t, "2026-08-01")
	var wg sync.WaitGroup
	closeAll := func() {
		p := first
		for range 100 {
			store, mine := live.New(client, harness.UTC(), 2), p
			wg.Go(func() {
				if err := store.ClosePeriod(t.Context(), "activity", mine); err != nil {
					t.Error(err)
				}
			})
			p = p.Next()
		}
		wg.Wait()
	}
	closeAll()
	state := harness.Everything(t, client)
	for _, key := range []string{"laurel:{0}:closed", "laurel:{1}:closed"} {
		value, _ := state[key].(string)
		if want := "activity day 2026-08-01 2026-11-08\n"; len(value) != 8+len(want) || value[8:] != want {
			t.Errorf("%s is %q", key, value)
		}
	}
	closeAll()
	if diff := cmp.Diff(state, harness.Everything(t, client)); diff != "" {
		t.Errorf("closing again has changed something (-before +after):\n%s", diff)
	}
}

// A closing answers by what it finds: what was read, what it would write itself, or
// something else.
func TestCloseComparesVersions(t *testing.T) {
	t.Parallel()
	store, client, tape := harness.Taped(t)
	if err := store.ClosePeriod(t.Context(), "activity", harness.Period(t, "2026-11-20")); err != nil {
		t.Fatal(err)
	}
	args := tape.Take()[0]
	if reply := client.Do(t.Context(), args...).Val(); reply != redisstore.Done {
		t.Errorf("a closing again: %v", reply)
	}
	if err := store.ClosePeriod(t.Context(), "activity", harness.Period(t, "2026-11-21")); err != nil {
		t.Fatal(err)
	}
	state := harness.Everything(t, client)
	if reply, err := client.Do(t.Context(), args...).Slice(); err != nil || len(reply) > 0 {
		t.Errorf("a closing after another: %v, %v", reply, err)
	}
	if diff := cmp.Diff(state, harness.Everything(t, client)); diff != "" {
		t.Errorf("it has changed something (-before +after):\n%s", diff)
	}
}
