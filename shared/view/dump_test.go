package view_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
)

// dump returns everything that is in the database of a view in one shard, as text, in order. Nothing in it has a
// TTL, and every key is in a slot.
func dump(tb testing.TB, client redis.UniversalClient) string {
	tb.Helper()
	keys := harness.Must(client.Keys(tb.Context(), "*").Result())(tb)
	slices.Sort(keys)
	var b strings.Builder
	for _, key := range keys {
		if ttl := client.TTL(tb.Context(), key).Val(); ttl != -1 {
			tb.Error(key, "has a TTL of", ttl)
		}
		if !strings.HasPrefix(key, "laurel:{0}:") && !strings.HasPrefix(key, "laurel:{articles}:") {
			tb.Error(key, "is in no slot")
		}
		b.WriteString(key + " ")
		switch client.Type(tb.Context(), key).Val() {
		case "hash":
			fmt.Fprintln(&b, client.HGetAll(tb.Context(), key).Val())
		case "zset":
			fmt.Fprintln(&b, client.ZRangeWithScores(tb.Context(), key, 0, -1).Val())
		case "set":
			members := client.SMembers(tb.Context(), key).Val()
			slices.Sort(members)
			fmt.Fprintln(&b, members)
		default:
			tb.Fatal("another type:", key)
		}
	}
	return b.String()
}

// counted is setup with the trips counted.
func counted(tb testing.TB, shards int) (*testView, *testserver.RoundTrips) {
	tb.Helper()
	client, trips := testserver.Counted(tb, testserver.RedisOptions(tb))
	return on(tb, client, shards), trips
}
