package redistest

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/machine"
	"laurel/internal/redisserver"
)

// A pool lends the databases of one server, each to one test at a time.
type pool struct {
	line    string // which server it is
	say     sync.Once
	options *redis.Options
	free    chan int // the databases that are not lent
	lock    string   // names the server's locks, if other processes lend its databases too
}

var shared = sync.OnceValues(func() (*pool, error) {
	ctx := context.Background()
	outside, err := redisserver.FromEnvironment(ctx)
	if err != nil {
		return nil, err
	}
	if outside != nil {
		return outsidePool(outside), nil
	}
	source, err := source()
	if err != nil {
		return nil, err
	}
	// Nobody stops it: it ends with the test binary.
	server, err := source.Start(ctx)
	if err != nil {
		return nil, err
	}
	return &pool{
		line:    fmt.Sprintf("redis: %s, at %s", source, server.Addr()),
		options: redisserver.Options(server.Addr()),
		free:    filled(redisserver.Databases()),
	}, nil
})

func outsidePool(outside *redisserver.Outside) *pool {
	hash := fnv.New64a()
	hash.Write([]byte(outside.Options.Addr))
	return &pool{
		line: "redis: " + outside.String(), options: outside.Options,
		free: filled(outside.Databases), lock: fmt.Sprintf("redis-%x", hash.Sum64()),
	}
}

func filled(databases []int) chan int {
	free := make(chan int, len(databases))
	for _, db := range databases {
		free <- db
	}
	return free
}

// lease waits for a database, empties it, and returns what empties it again and
// gives it back.
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
		if p.lock == "" {
			return db, func() {}, nil
		}
		unlock, free, err := machine.TryLock(fmt.Sprintf("%s-%d", p.lock, db))
		if free {
			return db, unlock, nil
		}
		p.free <- db
		if err != nil {
			return 0, nil, err
		}
		time.Sleep(time.Millisecond) // a test binary of another package has it
	}
}

func flush(ctx context.Context, options *redis.Options) error {
	client := redis.NewClient(options)
	return errors.Join(client.FlushDB(ctx).Err(), client.Close())
}
