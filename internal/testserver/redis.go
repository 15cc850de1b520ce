package testserver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// databases is how many databases a server started here has, so that each of many
// parallel tests gets its own.
const databases = 4096

// A kind is a server that LAUREL_TEST_SERVER can name.
type kind struct {
	product  string // how the server calls itself; empty when either is good
	programs []string
}

func wanted() (kind, error) {
	switch name := os.Getenv("LAUREL_TEST_SERVER"); name {
	case "":
		return kind{"", []string{"redis-server", "valkey-server"}}, nil
	case "redis":
		return kind{"Redis", []string{"redis-server"}}, nil
	case "valkey":
		return kind{"Valkey", []string{"valkey-server"}}, nil
	default:
		return kind{}, fmt.Errorf("LAUREL_TEST_SERVER: %q is neither redis nor valkey", name)
	}
}

// startRedis starts a server that nobody else uses, and waits until it answers.
func startRedis(ctx context.Context, cluster bool, more ...string) (*Server, error) {
	k, err := wanted()
	if err != nil {
		return nil, err
	}
	program, err := find(k.programs...)
	if err != nil {
		return nil, err
	}
	r := recipe{program: program}
	r.arguments = func(port, bus, ident string) []string {
		arguments := []string{
			"--bind", "127.0.0.1", "--port", port, "--syslog-ident", ident, "--save", "", "--appendonly", "no",
			"--databases", strconv.Itoa(databases), "--loglevel", "warning",
		}
		if cluster {
			arguments = append(arguments, "--cluster-enabled", "yes", "--cluster-port", bus)
		}
		return slices.Concat(arguments, more)
	}
	// syslog-ident is a setting that every version has and that has no effect here.
	r.ask = func(string) string { return "CONFIG GET syslog-ident\r\nINFO server\r\nQUIT\r\n" }
	server, err := r.launch(ctx)
	if err != nil {
		return nil, err
	}
	if name := product(server.about); !strings.HasPrefix(name, k.product) {
		server.Stop()
		return nil, fmt.Errorf("%s is %s, not %s", program, name, k.product)
	}
	return server, nil
}

// product returns the name and version that INFO tells. A Valkey tells the version of
// a Redis too, the one it can stand in for.
func product(info string) string {
	_, valkey, number := strings.Cut(info, "valkey_version:")
	if number {
		return "Valkey " + strings.Fields(valkey)[0]
	}
	_, version, _ := strings.Cut(info, "redis_version:")
	version, _, _ = strings.Cut(version, "\r")
	return "Redis " + version
}

// A pool lends the databases of the server that the tests of this binary share, each to one test at a time.
type pool struct {
	*Server
	free chan int // the databases that are not lent, which are empty
}

// thePool is the pool of this test binary, whose server the first test starts.
var thePool = sync.OnceValues(func() (*pool, error) {
	server, err := startRedis(context.Background(), false)
	p := &pool{server, make(chan int, databases)}
	for i := range databases {
		p.free <- i
	}
	return p, err
})

// Redis returns a client on an empty database that is the test's own until it ends. The server is not: a test
// empties it with FLUSHDB.
func Redis(tb testing.TB) *redis.Client {
	tb.Helper()
	return connect(tb, RedisOptions(tb))
}

// RedisOptions returns the options of a client on an empty database that is the
// test's own until it ends. Each call gives another database.
func RedisOptions(tb testing.TB) *redis.Options {
	tb.Helper()
	p, err := thePool()
	must(tb, err)
	tb.Logf("redis: %s at %s", product(p.about), p.addr)
	db := <-p.free
	tb.Cleanup(func() {
		client := redis.NewClient(p.options(db))
		if err := errors.Join(client.FlushDB(context.Background()).Err(), client.Close()); err != nil {
			tb.Error(err)
		}
		p.free <- db
	})
	return p.options(db)
}

// RedisURL returns the server of RedisOptions as a redis:// URL.
func RedisURL(tb testing.TB) string {
	tb.Helper()
	return urlOf(RedisOptions(tb))
}

// OwnRedis starts a server of the test's own, with further arguments as redis-server takes them ("--maxmemory", "2mb").
// The test may flush, configure and stop it; it ends with the test.
func OwnRedis(tb testing.TB, arguments ...string) *Server {
	tb.Helper()
	server, err := startRedis(tb.Context(), false, arguments...)
	must(tb, err)
	tb.Cleanup(server.Stop)
	server.tb = tb
	return server
}

// Client returns a new client on a Redis of a test's own, closed with the test.
func (s *Server) Client() *redis.Client { return connect(s.tb, s.Options()) }

// Options returns the options of a client on a server that is a Redis.
func (s *Server) Options() *redis.Options { return s.options(0) }

// options are those for a database. Deadlines are the context's, as everywhere in Laurel, and connecting sends
// nothing that an old server does not know.
func (s *Server) options(db int) *redis.Options {
	return &redis.Options{
		Addr: s.addr, DB: db, ContextTimeoutEnabled: true, DisableIdentity: true,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	}
}

// URL returns the address of a Redis as a redis:// URL.
func (s *Server) URL() string { return urlOf(s.Options()) }

func connect(tb testing.TB, options *redis.Options) *redis.Client {
	tb.Helper()
	client := redis.NewClient(options)
	tb.Cleanup(func() { _ = client.Close() })
	return client
}

// urlOf returns the server and database of the options as a redis:// URL.
func urlOf(options *redis.Options) string {
	return fmt.Sprintf("redis://%s/%d", options.Addr, options.DB)
}
