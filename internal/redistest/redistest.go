package redistest

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"laurel/internal/redisserver"
)

// Client is a client on an empty database that is the test's own until it ends.
func Client(tb testing.TB) *redis.Client {
	tb.Helper()
	return connect(tb, Start(tb))
}

// Start is the options of a client on an empty database that is the test's own
// until it ends: for tests that make clients themselves. Each call gives another
// database.
func Start(tb testing.TB) *redis.Options {
	tb.Helper()
	pool, err := shared()
	if err != nil {
		tb.Fatal(err)
	}
	pool.say.Do(func() { tb.Log(pool.line) })
	options, release, err := pool.lease(tb.Context())
	if err != nil {
		tb.Fatalf("a database of %s: %v", pool.line, err)
	}
	tb.Cleanup(release)
	return options
}

// URL is what Start gives, as a redis:// URL: for what reads it from flags or from
// the environment.
func URL(tb testing.TB) string {
	tb.Helper()
	return redisserver.URL(Start(tb))
}

// A Server is a server that belongs to one test.
type Server struct {
	*redisserver.Server
	tb testing.TB
}

// Own starts a server of the test's own, with further arguments as redis-server
// takes them ("--maxmemory", "2mb"). It may be flushed, configured and stopped;
// it ends with the test. It is never the one in the environment.
func Own(tb testing.TB, arguments ...string) *Server {
	tb.Helper()
	source, err := source()
	if err != nil {
		tb.Fatal(err)
	}
	server, err := source.Start(tb.Context(), arguments...)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(server.Stop)
	return &Server{Server: server, tb: tb}
}

// Client is a new client on the server, closed with the test.
func (s *Server) Client() *redis.Client {
	s.tb.Helper()
	return connect(s.tb, s.Options())
}

// Options are the options of a client on the server.
func (s *Server) Options() *redis.Options { return redisserver.Options(s.Addr()) }

// URL is the server as a redis:// URL.
func (s *Server) URL() string { return redisserver.URL(s.Options()) }

// Cluster starts a cluster of so many masters without replicas and returns their
// addresses, host:port; the slots are divided evenly and in order. It ends with
// the test. It takes two seconds to start, so a test asks once.
func Cluster(tb testing.TB, nodes int) []string {
	tb.Helper()
	source, err := source()
	if err != nil {
		tb.Fatal(err)
	}
	servers, err := source.StartCluster(tb.Context(), nodes)
	if err != nil {
		tb.Fatal(err)
	}
	addrs := make([]string, len(servers))
	for i, server := range servers {
		tb.Cleanup(server.Stop)
		addrs[i] = server.Addr()
	}
	return addrs
}

// source is looked for once in a test binary, and not with a test's context: the
// next test needs it too.
var source = sync.OnceValues(func() (*redisserver.Source, error) {
	return redisserver.Find(context.Background())
})

func connect(tb testing.TB, options *redis.Options) *redis.Client {
	tb.Helper()
	client := redis.NewClient(options)
	tb.Cleanup(func() { _ = client.Close() })
	return client
}

// Grep returns the keys that have a text in them, in their name or anywhere in
// what they hold: for seeing that something is gone. It fails the test when there
// is a key of a kind that it cannot read.
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
