package redisserver

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// An Outside is a server that is there already, at an address that somebody gave.
type Outside struct {
	Options   *redis.Options
	Databases []int  // those that may be emptied and written to
	product   string // Redis 7.0.15
	variable  string // where its address is from
}

// String is the one line that says which server it is.
func (o *Outside) String() string {
	return o.Options.Addr + " from " + o.variable + ", " + o.product
}

// FromEnvironment is the server that the environment gives and that answers, or
// nil without an error when it gives none.
func FromEnvironment(ctx context.Context) (*Outside, error) {
	k, err := wanted()
	if err != nil {
		return nil, err
	}
	address := os.Getenv(k.address)
	if address == "" {
		return nil, nil //nolint:nilnil // no address is not a fault
	}
	outside, err := ask(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.address, err)
	}
	if !strings.HasPrefix(outside.product, k.name) {
		return nil, fmt.Errorf("%s: %s is %s, not %s", k.address, outside.Options.Addr, outside.product, k.name)
	}
	outside.variable = k.address
	return outside, nil
}

func ask(ctx context.Context, address string) (*Outside, error) {
	options, err := parse(address)
	if err != nil {
		return nil, err
	}
	if err := reach(ctx, options); err != nil {
		return nil, err
	}
	client := redis.NewClient(options)
	defer func() { _ = client.Close() }()
	info, err := client.Info(ctx).Result()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", options.Addr, err)
	}
	if strings.Contains(info, "cluster_enabled:1") {
		return nil, fmt.Errorf("%s is a cluster, which has no databases to lend: give a single server", options.Addr)
	}
	if options.DB != 0 || namesDatabase(address) {
		return &Outside{Options: options, Databases: []int{options.DB}, product: product(info)}, nil
	}
	n := 16 // what a server has that does not tell
	if settings, err := client.ConfigGet(ctx, "databases").Result(); err == nil {
		if told, err := strconv.Atoi(settings["databases"]); err == nil {
			n = told
		}
	}
	return &Outside{Options: options, Databases: upTo(n), product: product(info)}, nil
}

// product is who the server says it is. A Valkey tells a version of Redis too, the
// one that it can stand in for.
func product(info string) string {
	told := map[string]string{}
	for line := range strings.Lines(info) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		told[name] = value
	}
	if version, ok := told["valkey_version"]; ok {
		return "Valkey " + version
	}
	return "Redis " + told["redis_version"]
}

// reach says whether anyone listens there. A client would try for long and log it.
func reach(ctx context.Context, options *redis.Options) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, cmp.Or(options.Network, "tcp"), options.Addr)
	if err != nil {
		return err
	}
	return conn.Close()
}

func parse(address string) (*redis.Options, error) {
	if !strings.Contains(address, "://") {
		return Options(address), nil
	}
	options, err := redis.ParseURL(address)
	if err != nil {
		return nil, err
	}
	return set(options), nil
}

// namesDatabase tells redis://host/0 from redis://host.
func namesDatabase(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && (strings.Trim(u.Path, "/") != "" || u.Query().Has("db"))
}

// Options are the options of a client for host:port, as everything in Laurel sets
// them: deadlines are the context's, and nothing is sent on connecting that an old
// server would not know.
func Options(addr string) *redis.Options { return set(&redis.Options{Addr: addr}) }

func set(options *redis.Options) *redis.Options {
	options.ContextTimeoutEnabled = true
	options.DisableIdentity = true
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return options
}

// URL is the server and database of the options as a redis:// URL.
func URL(options *redis.Options) string {
	u := url.URL{Scheme: "redis", Host: options.Addr, Path: "/" + strconv.Itoa(options.DB)}
	if options.TLSConfig != nil {
		u.Scheme = "rediss"
	}
	if options.Password != "" {
		u.User = url.UserPassword(options.Username, options.Password)
	}
	return u.String()
}

func upTo(n int) []int {
	databases := make([]int, n)
	for i := range databases {
		databases[i] = i
	}
	return databases
}
