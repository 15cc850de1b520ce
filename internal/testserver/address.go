package testserver

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
)

// given returns a pool of the databases of the server in the environment, or nil
// when the environment names none.
func given(ctx context.Context) (*pool, error) {
	k, err := wanted()
	if err != nil {
		return nil, err
	}
	address := os.Getenv(k.address)
	if address == "" {
		return nil, nil //nolint:nilnil // no address is no error
	}
	p, is, err := ask(ctx, address)
	if err == nil && !strings.HasPrefix(is, k.product) {
		err = fmt.Errorf("%s is %s, not %s", p.options.Addr, is, k.product)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.address, err)
	}
	p.line = fmt.Sprintf("redis: %s at %s from %s", is, p.options.Addr, k.address)
	return p, nil
}

// ask returns what the server at the address lends and which product it is.
func ask(ctx context.Context, address string) (*pool, string, error) {
	options, one, err := parse(address)
	if err != nil {
		return nil, "", err
	}
	if options.Network != "unix" && !listens(options.Addr) { // a client would try for long, and log it
		return nil, "", fmt.Errorf("nobody listens at %s", options.Addr)
	}
	client := redis.NewClient(options)
	defer func() { _ = client.Close() }()
	info, err := client.Info(ctx).Result()
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", options.Addr, err)
	}
	if strings.Contains(info, "cluster_enabled:1") {
		return nil, "", fmt.Errorf("%s is a cluster, which has one database only: give a single server", options.Addr)
	}
	p := &pool{options: options, free: numbers(16), shared: true} // 16 is the default of a server that does not tell
	if one {
		p.free = make(chan int, 1)
		p.free <- options.DB
	} else if settings, err := client.ConfigGet(ctx, "databases").Result(); err == nil {
		if n, err := strconv.Atoi(settings["databases"]); err == nil {
			p.free = numbers(n)
		}
	}
	return p, product(info), nil
}

// parse reads host:port or a URL; one reports that it names a database, so that the
// tests may use only that.
func parse(address string) (options *redis.Options, one bool, err error) {
	if !strings.Contains(address, "://") {
		return set(&redis.Options{Addr: address}), false, nil
	}
	if options, err = redis.ParseURL(address); err != nil {
		return nil, false, err
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, false, err
	}
	one = options.Network != "unix" && strings.Trim(u.Path, "/") != "" || u.Query().Has("db")
	return set(options), one, nil
}

// numbers returns a channel that holds 0 to n-1.
func numbers(n int) chan int {
	free := make(chan int, n)
	for i := range n {
		free <- i
	}
	return free
}
