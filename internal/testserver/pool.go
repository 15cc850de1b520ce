package testserver

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// A pool lends the databases of one server, each to one test at a time.
type pool struct {
	line    string // which server it is
	options *redis.Options
	free    chan int // the databases that are not lent
	shared  bool     // other processes lend its databases too
}

// thePool is the pool of this test binary: of the server in the environment, or of
// one that the first test starts and that ends with the test binary.
var thePool = sync.OnceValues(func() (*pool, error) {
	ctx := context.Background()
	k, err := wanted()
	if err != nil {
		return nil, err
	}
	if os.Getenv(k.variable) != "" {
		return given(ctx, k)
	}
	server, err := StartRedis(ctx)
	if err != nil {
		return nil, err
	}
	line := fmt.Sprintf("redis: %s at %s", product(server.about), server.addr)
	return &pool{line: line, options: server.Options(), free: numbers(databases)}, nil
})

// given returns a pool of the databases of the server in the environment. A database
// in its URL limits the pool to that one.
func given(ctx context.Context, k kind) (*pool, error) {
	options, err := parse(os.Getenv(k.variable))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.variable, err)
	}
	if !listens(options.Addr) { // a client would try for long, and log it
		return nil, fmt.Errorf("%s: nobody listens at %s", k.variable, options.Addr)
	}
	client := redis.NewClient(options)
	defer func() { _ = client.Close() }()
	info, err := client.Info(ctx).Result()
	is := product(info)
	switch {
	case err != nil:
	case strings.Contains(info, "cluster_enabled:1"):
		err = errors.New("it is a cluster, which has one database only")
	case !strings.HasPrefix(is, k.product):
		err = fmt.Errorf("it is %s, not %s", is, k.product)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", k.variable, options.Addr, err)
	}
	p := &pool{line: fmt.Sprintf("redis: %s at %s from %s", is, options.Addr, k.variable), options: options, shared: true}
	if u, err := url.Parse(os.Getenv(k.variable)); err == nil && u.Host != "" && (len(u.Path) > 1 || u.Query().Has("db")) {
		p.free = make(chan int, 1)
		p.free <- options.DB
		return p, nil
	}
	settings := client.ConfigGet(ctx, "databases").Val()
	n, err := strconv.Atoi(settings["databases"])
	if err != nil {
		n = 16 // what a server has that does not tell
	}
	p.free = numbers(n)
	return p, nil
}

// parse reads host:port, a redis:// or a rediss:// URL.
func parse(address string) (*redis.Options, error) {
	if !strings.Contains(address, "://") {
		address = "redis://" + address
	}
	options, err := redis.ParseURL(address)
	if err != nil {
		return nil, err
	}
	return set(options), nil
}

// numbers returns a channel that holds 0 to n-1.
func numbers(n int) chan int {
	free := make(chan int, n)
	for i := range n {
		free <- i
	}
	return free
}

// lease waits for a database, empties it, and returns a function that empties it
// again and gives it back.
func (p *pool) lease(ctx context.Context) (options *redis.Options, release func(), err error) {
	db, unlock, err := p.take(ctx)
	if err != nil {
		return nil, nil, err
	}
	mine := *p.options
	mine.DB = db
	give := func() { unlock(); p.free <- db }
	if err := flush(ctx, &mine); err != nil {
		give()
		return nil, nil, err
	}
	return &mine, func() {
		_ = flush(context.Background(), &mine) // it is flushed before use anyway
		give()
	}, nil
}

func (p *pool) take(ctx context.Context) (db int, unlock func(), err error) {
	for {
		select {
		case db = <-p.free:
		case <-ctx.Done():
			return 0, nil, fmt.Errorf("none is free: %w", ctx.Err())
		}
		if !p.shared {
			return db, func() {}, nil
		}
		unlock, err := lock(fmt.Sprintf("%s-%d", p.options.Addr, db))
		if err == nil {
			return db, unlock, nil
		}
		p.free <- db
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return 0, nil, err
		}
		time.Sleep(time.Millisecond) // a test binary of another package has it
	}
}

// lock locks a name among the user's processes on this machine, or returns
// EWOULDBLOCK when another process has it. The end of the process unlocks it too.
func lock(name string) (unlock func(), err error) {
	path := filepath.Join(os.TempDir(), fmt.Sprintf("laurel-%d-%s.lock", os.Getuid(), url.PathEscape(name)))
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return func() { _ = file.Close() }, nil
}

func flush(ctx context.Context, options *redis.Options) error {
	client := redis.NewClient(options)
	return errors.Join(client.FlushDB(ctx).Err(), client.Close())
}

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
	pool, err := thePool()
	must(tb, err)
	tb.Log(pool.line)
	options, release, err := pool.lease(tb.Context())
	must(tb, err)
	tb.Cleanup(release)
	return options
}

// RedisURL returns what RedisOptions returns as a redis:// URL.
func RedisURL(tb testing.TB) string {
	tb.Helper()
	return urlOf(RedisOptions(tb))
}
