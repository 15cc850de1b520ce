package testserver

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// databases is how many databases a server started here has, so that each of many
// parallel tests gets its own.
const databases = 4096

// A kind is what LAUREL_TEST_SERVER asks for.
type kind struct {
	product  string // how the server calls itself; empty when either is good
	variable string // of its address
	programs []string
}

func wanted() (kind, error) {
	switch name := os.Getenv("LAUREL_TEST_SERVER"); name {
	case "":
		return kind{"", "LAUREL_TEST_REDIS", []string{"redis-server", "valkey-server"}}, nil
	case "redis":
		return kind{"Redis", "LAUREL_TEST_REDIS", []string{"redis-server"}}, nil
	case "valkey":
		return kind{"Valkey", "LAUREL_TEST_VALKEY", []string{"valkey-server"}}, nil
	default:
		return kind{}, fmt.Errorf("LAUREL_TEST_SERVER: %q is neither redis nor valkey", name)
	}
}

// StartRedis starts a server that nobody else uses, with further arguments as
// redis-server takes them ("--maxmemory", "2mb"), and waits until it answers. It
// never takes the server in the environment.
func StartRedis(ctx context.Context, arguments ...string) (*Server, error) {
	return startRedis(ctx, false, arguments)
}

func startRedis(ctx context.Context, cluster bool, more []string) (*Server, error) {
	k, err := wanted()
	if err != nil {
		return nil, err
	}
	program, err := find(k.variable, k.programs...)
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
	if is := product(server.about); !strings.HasPrefix(is, k.product) {
		server.Stop()
		return nil, fmt.Errorf("%s is %s, not %s", program, is, k.product)
	}
	return server, nil
}

// product returns the name and version that INFO tells. A Valkey tells the version of
// a Redis too, the one it can stand in for.
func product(info string) string {
	_, valkey, is := strings.Cut(info, "valkey_version:")
	if is {
		return "Valkey " + strings.Fields(valkey)[0]
	}
	_, version, _ := strings.Cut(info, "redis_version:")
	version, _, _ = strings.Cut(version, "\r")
	return "Redis " + version
}

// OwnRedis starts a server of the test's own, as StartRedis does. The test may
// flush, configure and stop it; it ends with the test.
func OwnRedis(tb testing.TB, arguments ...string) *Server {
	tb.Helper()
	server, err := StartRedis(tb.Context(), arguments...)
	must(tb, err)
	tb.Cleanup(server.Stop)
	server.tb = tb
	return server
}

// Client returns a new client on a Redis of a test's own, closed with the test.
func (s *Server) Client() *redis.Client { return connect(s.tb, s.Options()) }

// Options returns the options of a client on a server that is a Redis.
func (s *Server) Options() *redis.Options { return set(&redis.Options{Addr: s.addr}) }

// URL returns the address of a Redis as a redis:// URL.
func (s *Server) URL() string { return urlOf(s.Options()) }

func connect(tb testing.TB, options *redis.Options) *redis.Client {
	tb.Helper()
	client := redis.NewClient(options)
	tb.Cleanup(func() { _ = client.Close() })
	return client
}

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
