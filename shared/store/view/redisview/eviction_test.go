package redisview_test

import (
	"testing"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/store/view"
	"laurel/shared/store/view/redisview"
)

// Only policies that throw away keys without a time to live are reported.
func TestEvictionIsReported(t *testing.T) {
	t.Parallel()
	client := testserver.OwnRedis(t).Client()
	store := redisview.New(client, view.Options{Shards: 1, Zone: "UTC"})
	for set, want := range map[string]string{
		"noeviction": "", "volatile-lru": "", "volatile-ttl": "", "allkeys-lru": "allkeys-lru",
		"allkeys-random": "allkeys-random",
	} {
		harness.OK(t, client.ConfigSet(t.Context(), "maxmemory-policy", set).Err())
		if got, err := store.Eviction(t.Context()); got != want || err != nil {
			t.Errorf("%s: %q, %v", set, got, err)
		}
	}
	harness.OK(t, client.Do(t.Context(), "ACL", "SETUSER", "default", "-info").Err())
	if got, err := store.Eviction(t.Context()); got != "" || err == nil {
		t.Errorf("without the right to ask: %q, %v", got, err)
	}
}
