package view

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// Timeouts of one command. A Redis that is silent has used them up after six
// seconds with all of the client's retries, and one that cannot be reached after
// four: in both cases a function, which has ten, can still say so.
const (
	dialTimeout  = 1 * time.Second
	replyTimeout = 1500 * time.Millisecond
	poolTimeout  = 2 * time.Second
	dialRetries  = 1 // no more: what failed to connect is retried with its command
)

// slotsLife is for how long a client believes what a cluster has told it of its nodes. It asks no
// earlier when one that has died cannot be reached, and by itself after a minute
// (github.com/redis/go-redis/issues/3979): for so long boards would be unavailable.
const slotsLife = 5 * time.Second

var (
	errUnreadable = errors.New("it cannot be read")
	errParameter  = errors.New("unknown parameter")
)

// loginLife is how long a connection lives that was made with a Login. ElastiCache
// ends one that IAM has let in after 12 hours; it goes before that, not in the
// middle of a command.
const (
	loginLife   = 11 * time.Hour
	loginSpread = 30 * time.Minute // so that not all go at once
)

// idleLife is how long a connection with a Login may be idle: less than the network in front
// of a serverless cache keeps one that is silent. A function that was frozen makes another.
const idleLife = 45 * time.Second

// A Login is asked for the user and the password of every connection, when it is
// made: for passwords that are short-lived.
type Login func(context.Context) (user, password string, err error)

// Dial makes a client for a redis:// or rediss:// URL; nothing is connected
// before the first command. A cluster's URL names its other nodes, if need be,
// as ?addr=host:port. The URL says where and as whom; how is said here. The
// client's retries stay on: every write here may be repeated.
func Dial(address string, cluster bool) (redis.UniversalClient, error) {
	return DialAs(address, cluster, nil)
}

// CheckURL returns what is wrong with a URL for Dial.
func CheckURL(address string, cluster bool) error {
	client, err := Dial(address, cluster)
	if err != nil {
		return err
	}
	return client.Close()
}

// DialAs is Dial with a login in place of the URL's; nil is none.
func DialAs(address string, cluster bool, login Login) (redis.UniversalClient, error) {
	if err := checkParameters(address, cluster); err != nil {
		return nil, fmt.Errorf("view: redis URL: %w", err)
	}
	how := settings(login)
	if cluster {
		where, err := redis.ParseClusterURL(address)
		if err != nil {
			return nil, fmt.Errorf("view: redis URL: %w", err)
		}
		options := how.Cluster()
		options.ClusterStateReloadInterval = slotsLife
		options.Addrs, options.TLSConfig = where.Addrs, where.TLSConfig
		options.Username, options.Password = where.Username, where.Password
		return retryLogins(redis.NewClusterClient(options), login), nil
	}
	where, err := redis.ParseURL(address)
	if err != nil {
		return nil, fmt.Errorf("view: redis URL: %w", err)
	}
	options := how.Simple()
	options.Network, options.Addr, options.DB, options.TLSConfig = where.Network, where.Addr, where.DB, where.TLSConfig
	options.Username, options.Password = where.Username, where.Password
	return retryLogins(redis.NewClient(options), login), nil
}

// settings are those of every client, of one node or of a cluster.
func settings(login Login) *redis.UniversalOptions {
	options := &redis.UniversalOptions{
		DialTimeout: dialTimeout, PoolTimeout: poolTimeout, ReadTimeout: replyTimeout, WriteTimeout: replyTimeout,
		DialerRetries:            dialRetries,
		ContextTimeoutEnabled:    true,
		DisableIdentity:          true,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	}
	if login != nil {
		options.CredentialsProviderContext = login
		options.ConnMaxLifetime, options.ConnMaxLifetimeJitter = loginLife, loginSpread
		options.ConnMaxIdleTime = idleLife
		options.PipelinePoolSize = -1 // a function serves one request at a time: one connection is enough
	}
	return options
}

// checkParameters refuses what would be left out of account without a word.
func checkParameters(address string, cluster bool) error {
	known := []string{"db", "skip_verify"}
	if cluster {
		known = []string{"addr"}
	}
	u, err := url.Parse(address)
	if err != nil {
		return errUnreadable // its own error has the password in it
	}
	for name := range u.Query() {
		if !slices.Contains(known, name) {
			return fmt.Errorf("%w: %s", errParameter, name)
		}
	}
	return nil
}

// A Client is a connection to Redis, of one server or a cluster.
type Client = redis.UniversalClient

// When many functions start at once, ElastiCache refuses some logins by IAM for their
// number. Such a one is tried again so often, after a random time that grows.
const (
	loginAttempts = 4
	loginPause    = 100 * time.Millisecond // on average before the second attempt; twice as long before each more
)

// retryLogins has a client with a login try again what was refused before anything was sent: the login. Its own
// commands come by here, too: they are tried again with what they were for.
func retryLogins(client redis.UniversalClient, login Login) redis.UniversalClient {
	if login != nil {
		client.AddHook(around(func(ctx context.Context, command string, send func() error) error {
			if command == "hello" || command == "auth" {
				return send()
			}
			return untilLoggedIn(ctx, send)
		}))
	}
	return client
}

// untilLoggedIn does something until its login is not refused, or has been too often.
func untilLoggedIn(ctx context.Context, do func() error) error {
	pause := loginPause
	for attempt := 1; ; attempt++ {
		err := do()
		if attempt == loginAttempts || !isLoginRefused(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause/2 + rand.N(pause)):
			pause *= 2
		}
	}
}

// isLoginRefused says whether a server has refused the login: a password that it does not
// take, as an expired token of IAM is, or one too many at once.
func isLoginRefused(err error) bool {
	if err == nil {
		return false
	}
	text := err.Error()
	return strings.HasPrefix(text, "WRONGPASS") || strings.HasPrefix(text, "NOAUTH") ||
		(strings.HasPrefix(text, "ERR") && strings.Contains(strings.ToLower(text), "throttl"))
}
