// Command coldstart measures how long the functions' binaries take, as they are
// deployed: from exec to the first poll of the runtime API, and from handing over
// the first event to its answer, connecting to Redis and to a table without an item
// included; and how large they are.
//
//	go run ./internal/testserver/with go run ./internal/coldstart [-starts 50]
//
// It runs from the root of the repository and takes the Redis of LAUREL_REDIS_URL,
// whose database has to be empty and is emptied again. The figures are this
// machine's at this moment: what else runs here is in them, so the functions take
// turns, and the bars are held against the median.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"

	"github.com/redis/go-redis/v9"

	"laurel/internal/bootstrap"
)

const redisVariable = "LAUREL_REDIS_URL"

// The functions, in the order of the table.
var functions = []string{"record", "query", "archive"}

func main() {
	starts := flag.Int("starts", 50, "how often each function is started")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, *starts); err != nil {
		fmt.Fprintln(os.Stderr, "coldstart:", err)
		os.Exit(1) //nolint:gocritic // what is deferred is this process's own
	}
}

func run(ctx context.Context, out io.Writer, starts int) error {
	if starts < 1 {
		return errors.New("-starts has to be 1 at least")
	}
	dir, err := os.MkdirTemp("", "laurel-coldstart-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	sizes := map[string]map[string]int64{}
	for _, arch := range []string{"arm64", "amd64"} { // those that Lambda has
		if err := bootstrap.Build(ctx, ".", dir+"/"+arch, arch, functions...); err != nil {
			return err
		}
		if sizes[arch], err = sizesIn(dir + "/" + arch); err != nil {
			return err
		}
	}
	url := os.Getenv(redisVariable)
	clean, err := emptyRedis(ctx, url)
	if err != nil {
		return err
	}
	taken, err := measure(ctx, dir+"/"+runtime.GOARCH, url, starts)
	if err := errors.Join(err, clean()); err != nil {
		return err
	}
	return writeTable(out, taken, sizes)
}

func sizesIn(dir string) (map[string]int64, error) {
	sizes := map[string]int64{}
	for _, name := range functions {
		info, err := os.Stat(bootstrap.Binary(dir, name))
		if err != nil {
			return nil, err
		}
		sizes[name] = info.Size()
	}
	return sizes, nil
}

// emptyRedis makes sure that the database has nothing to lose, and returns what
// empties it again.
func emptyRedis(ctx context.Context, url string) (clean func() error, err error) {
	if url == "" {
		return nil, errors.New(redisVariable + " is missing: the Redis to measure with")
	}
	options, err := redis.ParseURL(url)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", redisVariable, err)
	}
	client := redis.NewClient(options)
	keys, err := client.DBSize(ctx).Result()
	if err == nil && keys > 0 {
		err = fmt.Errorf("%s: the database holds %d keys and would be emptied", redisVariable, keys)
	}
	if err != nil {
		return nil, errors.Join(err, client.Close())
	}
	return func() error { return errors.Join(client.FlushDB(context.WithoutCancel(ctx)).Err(), client.Close()) }, nil
}
