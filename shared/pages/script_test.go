package pages_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/board"
	"laurel/shared/live"
	"laurel/shared/redisstore"
)

// A commit that is sent again, as the client does when a reply is lost, answers
// the same and changes nothing.
func TestCommitIsDoneOnce(t *testing.T) {
	t.Parallel()
	store, client, tape := harness.Taped(t)
	harness.Record(t, store, harness.Did(t, "ada like 1", harness.At(t, "2026-11-20T12:00")),
		harness.Did(t, "ada visit 1", harness.At(t, "2026-11-20T12:01")))
	calls := tape.Take()
	if len(calls) != 1 {
		t.Fatalf("%d scripts for one user's activities", len(calls))
	}
	state := harness.Everything(t, client)
	for range 2 {
		if reply, err := client.Do(t.Context(), calls[0]...).Result(); err != nil || reply != redisstore.Done {
			t.Errorf("the commit again: %v, %v", reply, err)
		}
	}
	if diff := cmp.Diff(state, harness.Everything(t, client)); diff != "" {
		t.Errorf("the commit again has changed something (-before +after):\n%s", diff)
	}
}

// A commit of what has changed since it was read writes nothing, and its answer
// carries what is there now.
func TestCommitMeetsAConflict(t *testing.T) {
	t.Parallel()
	store, client, tape := harness.Taped(t)
	noon := harness.At(t, "2026-11-20T12:00")
	harness.Record(t, store, harness.Did(t, "ada like 1", noon))
	first := tape.Take()[0]
	harness.Record(t, store, harness.Did(t, "ada like 2", noon))
	if err := store.ClosePeriod(t.Context(), "activity", harness.Period(t, "2026-11-19")); err != nil {
		t.Fatal(err)
	}
	state := harness.Everything(t, client)
	pages := state["laurel:{0}:pages:ada"].(map[string]string)
	reply, err := client.Do(t.Context(), first...).Slice()
	if err != nil {
		t.Fatal(err)
	}
	want := []any{ // pages: the status last; then version, tombstone and moment of the voids
		state["laurel:{0}:closed"], []any{pages["v"], pages["2026-11"], nil}, []any{nil, nil, nil},
	}
	if diff := cmp.Diff(want, reply); diff != "" {
		t.Errorf("the answer to a conflict (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(state, harness.Everything(t, client)); diff != "" {
		t.Errorf("a conflict has changed something (-before +after):\n%s", diff)
	}
}

// What has been closed since it was read refuses a commit, though the pages are
// as they were.
func TestCommitMeetsAClosing(t *testing.T) {
	t.Parallel()
	store, client, tape := harness.Taped(t)
	noon := harness.At(t, "2026-11-20T12:00")
	harness.Record(t, store, harness.Did(t, "ada like 1", noon))
	args := tape.Take()[0]
	if err := store.ClosePeriod(t.Context(), "activity", harness.Period(t, "2026-11-20")); err != nil {
		t.Fatal(err)
	}
	client.Del(t.Context(), "laurel:{0}:pages:ada")
	reply, err := client.Do(t.Context(), args...).Slice()
	if err != nil || len(reply) != 3 {
		t.Fatalf("answered %q, %v", reply, err)
	}
	if diff := cmp.Diff([]any{nil, nil, nil}, reply[1]); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
	if closed, _ := reply[0].(string); !strings.Contains(closed, "activity day 2026-11-20 2026-11-20\n") {
		t.Errorf("answered %q as closed", closed)
	}
}

// What is stored after recording, whole: names and kinds of keys, the indexes.
func TestRecordStoresPagesBoardsAndIndexes(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store := live.New(client, harness.UTC(), 1)
	noon := harness.At(t, "2026-11-20T12:00")
	harness.Record(t, store, harness.Did(t, "ada like 1", noon), harness.Did(t, "bob visit 1", noon+1),
		harness.Did(t, "eve unlike 1", noon))
	state := harness.Everything(t, client)
	for _, user := range []string{"ada", "bob", "eve"} {
		delete(state, "laurel:{0}:pages:"+user)
	}
	month := harness.At(t, "2026-11-01T00:00")
	day := harness.At(t, "2026-11-20T00:00")
	want := map[string]any{
		"laurel:{0}:month:2026-11": map[string]struct{}{"eve": {}}, // the others are on the board
		"laurel:{0}:month:2026-10": map[string]struct{}{"eve": {}},
		"laurel:{0}:periods":       map[string]struct{}{"activity:day:2026-11-20": {}, "activity:month:2026-11": {}},
		"laurel:{0}:board:activity:day:2026-11-20": []redis.Z{
			{Member: "ada", Score: float64(board.Pack(2, int64(noon-day)))},
			{Member: "bob", Score: float64(board.Pack(1, int64(noon+1-day)))},
		},
		"laurel:{0}:board:activity:month:2026-11": []redis.Z{
			{Member: "ada", Score: float64(board.Pack(2, int64(noon-month)/32))},
			{Member: "bob", Score: float64(board.Pack(1, int64(noon+1-month)/32))},
		},
	}
	if diff := cmp.Diff(want, state); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
	before := harness.Everything(t, client)
	harness.Record(t, store, harness.Did(t, "ada like 1", noon), harness.Did(t, "bob visit 1", noon+1),
		harness.Did(t, "eve unlike 1", noon))
	if diff := cmp.Diff(before, harness.Everything(t, client)); diff != "" {
		t.Errorf("the same again has changed something (-before +after):\n%s", diff)
	}
	harness.Record(t, store, harness.Did(t, "ada unlike 1", noon+2))
	if n := client.ZCard(t.Context(), "laurel:{0}:board:activity:day:2026-11-20").Val(); n != 1 {
		t.Errorf("%d on the board after ada's like was taken back", n)
	}
}
