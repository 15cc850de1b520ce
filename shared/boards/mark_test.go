package boards_test

import (
	"strconv"
	"testing"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/live"
	"laurel/shared/redisstore"
)

// stamped returns a Redis with a stamp, and a store that expects it.
func stamped(t *testing.T) (*redis.Client, *live.Store) {
	t.Helper()
	client := testserver.Redis(t)
	store := live.New(client, harness.UTC(), 1)
	stamp := redisstore.Stamp{Format: redisstore.Format, Shards: 1, Zone: "UTC", Generation: 7}
	if err := store.Redis().WriteStamp(t.Context(), stamp); err != nil {
		t.Fatal(err)
	}
	store.Redis().Expect(&stamp)
	return client, store
}

// However many erasures a generation has, the mark of the copies of profiles changes with
// each and stays of the generation, so that no request is refused.
func TestErasuresStayInTheGeneration(t *testing.T) {
	t.Parallel()
	client, store := stamped(t)
	key := redisstore.ProfilesKey(0)
	mark := func() string { return client.HGet(t.Context(), key, redisstore.MarkField).Val() }
	for _, last := range []int64{1_100, 1_024, 1} { // before the next generation
		client.HSet(t.Context(), key, redisstore.MarkField, strconv.FormatInt(8<<20-last, 10))
		for n := range 100 {
			was := mark()
			if err := store.DropProfiles(t.Context(), "zoe"); err != nil || mark() == was {
				t.Fatalf("erasure %d from %d before the end: the mark is %s, was %s, %v", n, last, mark(), was, err)
			}
			if err := store.Redis().CheckStamp(t.Context()); err != nil {
				t.Fatalf("erasure %d from %d before the end: %v", n, last, err)
			}
		}
	}
}
