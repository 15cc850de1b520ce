package testserver

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
)

// Redis returns a client on an empty database that is the test's own until it ends.
func Redis(tb testing.TB) *redis.Client {
	tb.Helper()
	return connect(tb, RedisOptions(tb))
}

// RedisOptions returns the options of a client on an empty database that is the
// test's own until it ends. Each call gives another database.
func RedisOptions(tb testing.TB) *redis.Options {
	tb.Helper()
	pool, err := thePool()
	if err != nil {
		fail(tb, err)
	}
	pool.say.Do(func() { tb.Log(pool.line) })
	options, release, err := pool.lease(tb.Context())
	if err != nil {
		tb.Fatalf("a database of %s: %v", pool.line, err)
	}
	tb.Cleanup(release)
	return options
}

// RedisURL returns what RedisOptions returns as a redis:// URL.
func RedisURL(tb testing.TB) string {
	tb.Helper()
	return urlOf(RedisOptions(tb))
}

// A TestServer is a Redis that belongs to one test.
type TestServer struct {
	*Server
	tb testing.TB
}

// OwnRedis starts a server of the test's own, as StartRedis does. The test may
// flush, configure and stop it; it ends with the test.
func OwnRedis(tb testing.TB, arguments ...string) *TestServer {
	tb.Helper()
	server, err := StartRedis(tb.Context(), arguments...)
	if err != nil {
		fail(tb, err)
	}
	tb.Cleanup(server.Stop)
	return &TestServer{Server: server, tb: tb}
}

// Client returns a new client on the server, closed with the test.
func (s *TestServer) Client() *redis.Client {
	s.tb.Helper()
	return connect(s.tb, s.Options())
}

func connect(tb testing.TB, options *redis.Options) *redis.Client {
	tb.Helper()
	client := redis.NewClient(options)
	tb.Cleanup(func() { _ = client.Close() })
	return client
}

// Grep returns the keys that have a text in their name or anywhere in their value:
// to see that something is gone. It fails the test at a key of a type it cannot read.
func Grep(tb testing.TB, client redis.UniversalClient, text string) (keys []string) {
	tb.Helper()
	ctx := context.WithoutCancel(tb.Context())
	all, err := client.Keys(ctx, "*").Result()
	if err != nil {
		tb.Fatal(err)
	}
	for _, key := range all {
		var held []string
		switch kind := client.Type(ctx, key).Val(); kind {
		case "string":
			held = []string{client.Get(ctx, key).Val()}
		case "hash":
			for field, value := range client.HGetAll(ctx, key).Val() {
				held = append(held, field, value)
			}
		case "set":
			held = client.SMembers(ctx, key).Val()
		case "zset":
			held = client.ZRange(ctx, key, 0, -1).Val()
		case "list":
			held = client.LRange(ctx, key, 0, -1).Val()
		default:
			tb.Fatalf("%s is a %s", key, kind)
		}
		if slices.ContainsFunc(append(held, key), func(s string) bool { return strings.Contains(s, text) }) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}
