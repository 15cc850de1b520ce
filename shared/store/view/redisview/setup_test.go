package redisview_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/internal/viewtest"
	"laurel/shared/store/view"
	"laurel/shared/store/view/redisview"
)

func TestPromisesOfAView(t *testing.T) {
	t.Parallel()
	var clients sync.Map // *redisview.Store to its client
	viewtest.Run(t, viewtest.Implementation{
		Shards: []int{1, 3},
		Open: func(tb testing.TB, o view.Options) view.View {
			tb.Helper()
			client := testserver.Redis(tb)
			client.AddHook(bounded{tb})
			store := redisview.New(client, o)
			clients.Store(store, client)
			return store
		},
		Holds: func(tb testing.TB, v view.View, text string) bool {
			tb.Helper()
			client, _ := clients.Load(v)
			return strings.Contains(strings.ToLower(dump(tb, client.(redis.UniversalClient))), text)
		},
	})
}

// testView is a view on a server, whole.
type testView struct {
	*viewtest.View
	client redis.UniversalClient
}

func on(tb testing.TB, client redis.UniversalClient, shards int) *testView {
	tb.Helper()
	open := func(o view.Options) view.View { return redisview.New(client, o) }
	return &testView{viewtest.New(tb, shards, open), client}
}

// bounded fails a test whose commands have more arguments than the design lets scripts have.
type bounded struct{ testing.TB }

func (bounded) DialHook(next redis.DialHook) redis.DialHook { return next }

func (b bounded) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		b.check(cmd)
		return next(ctx, cmd)
	}
}

func (b bounded) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		b.check(cmds...)
		return next(ctx, cmds)
	}
}

func (b bounded) check(cmds ...redis.Cmder) {
	for _, cmd := range cmds {
		if n := len(cmd.Args()); n >= 3_999 {
			b.Errorf("%s has %d arguments", cmd.Name(), n)
		}
	}
}

func setup(tb testing.TB, shards int) *testView {
	tb.Helper()
	client := testserver.Redis(tb)
	client.AddHook(bounded{tb})
	return on(tb, client, shards)
}

// dump returns everything that is in the database of a view, as text, in order. Nothing in it has a
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
		if !strings.HasPrefix(key, "laurel:{") {
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
