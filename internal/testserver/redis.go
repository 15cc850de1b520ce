package testserver

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// databases is how many databases a server started here has, so that each of many
// parallel tests gets its own.
const databases = 4096

// A kind is what LAUREL_TEST_SERVER asks for.
type kind struct {
	product  string // how the server calls itself; empty when either is good
	address  string // the variable of its address
	programs []string
}

func wanted() (kind, error) {
	switch name := os.Getenv(kindVariable); name {
	case "":
		return kind{"", redisVariable, []string{"redis-server", "valkey-server"}}, nil
	case "redis":
		return kind{"Redis", redisVariable, []string{"redis-server"}}, nil
	case "valkey":
		return kind{"Valkey", valkeyVariable, []string{"valkey-server"}}, nil
	default:
		return kind{}, fmt.Errorf("%s: %q is neither redis nor valkey", kindVariable, name)
	}
}

// StartRedis starts a server that nobody else uses, with further arguments as
// redis-server takes them ("--maxmemory", "2mb"), and waits until it answers. It
// never takes the server in the environment.
func StartRedis(ctx context.Context, arguments ...string) (*Server, error) {
	return startRedis(ctx, false, arguments)
}

func startRedis(ctx context.Context, cluster bool, arguments []string) (*Server, error) {
	k, err := wanted()
	if err != nil {
		return nil, err
	}
	program, err := find(k.address, k.programs...)
	if err != nil {
		return nil, err
	}
	server, err := launch(ctx, recipe{
		name: filepath.Base(program), within: 30 * time.Second,
		command: func(port, bus, ident string) []string {
			command := []string{
				program, "--bind", "127.0.0.1", "--port", port, "--syslog-ident", ident,
				"--save", "", "--appendonly", "no", "--databases", strconv.Itoa(databases), "--loglevel", "warning",
			}
			if cluster {
				command = append(command, "--cluster-enabled", "yes", "--cluster-port", bus)
			}
			return slices.Concat(command, arguments)
		},
		// syslog-ident is a setting that every version has and that has no effect here.
		ask: func(string) string { return "CONFIG GET syslog-ident\r\nINFO server\r\nQUIT\r\n" },
	})
	if err != nil {
		return nil, err
	}
	if is := product(server.about); !strings.HasPrefix(is, k.product) {
		server.Stop()
		return nil, fmt.Errorf("%s is %s, not %s", program, is, k.product)
	}
	return server, nil
}

// product returns the name and version that INFO tells. A Valkey tells the version of
// a Redis too, the one it can stand in for.
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

// Options returns the options of a client on a server that is a Redis.
func (s *Server) Options() *redis.Options { return set(&redis.Options{Addr: s.addr}) }

// URL returns the address of a Redis as a redis:// URL.
func (s *Server) URL() string { return urlOf(s.Options()) }

// set gives a client's options the settings that Laurel uses everywhere: deadlines
// are the context's, and connecting sends nothing that an old server does not know.
func set(options *redis.Options) *redis.Options {
	options.ContextTimeoutEnabled = true
	options.DisableIdentity = true
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return options
}

// urlOf returns the server and database of the options as a redis:// URL.
func urlOf(options *redis.Options) string {
	u := url.URL{Scheme: "redis", Host: options.Addr, Path: "/" + strconv.Itoa(options.DB)}
	if options.TLSConfig != nil {
		u.Scheme = "rediss"
	}
	if options.Password != "" {
		u.User = url.UserPassword(options.Username, options.Password)
	}
	return u.String()
}
