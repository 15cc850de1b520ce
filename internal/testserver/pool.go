package testserver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"
)

// A pool lends the databases of one server, each to one test at a time.
type pool struct {
	line    string // which server it is
	say     sync.Once
	options *redis.Options
	free    chan int // the databases that are not lent
	shared  bool     // other processes lend its databases too
}

// thePool is the pool of this test binary: of the server in the environment, or of
// one that the first test starts and that ends with the test binary.
var thePool = sync.OnceValues(func() (*pool, error) {
	ctx := context.Background()
	if p, err := given(ctx); p != nil || err != nil {
		return p, err
	}
	server, err := StartRedis(ctx)
	if err != nil {
		return nil, err
	}
	return &pool{
		line:    fmt.Sprintf("redis: %s at %s", product(server.about), server.addr),
		options: server.Options(), free: numbers(databases),
	}, nil
})

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
	name = strings.NewReplacer("/", "_", ":", "_").Replace(name)
	path := filepath.Join(os.TempDir(), fmt.Sprintf("laurel-%d-%s.lock", os.Getuid(), name))
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
