package redisview

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

// Timeouts of one command. With all retries a silent Redis uses up six seconds, and one that cannot be
// reached four: a function, which has ten, can still say so.
const (
	dialTimeout  = 1 * time.Second
	replyTimeout = 1500 * time.Millisecond
	poolTimeout  = 2 * time.Second
	dialRetries  = 1 // no more: a failed connection is retried with its command
)

// slotsLife is the time that a client trusts a cluster's answer about its nodes. By itself that is a minute, even
// if one has died (github.com/redis/go-redis/issues/3979): boards would be unavailable for so long.
const slotsLife = 5 * time.Second

// How long a connection lives that was made with a Login.
const (
	loginLife   = 11 * time.Hour   // ElastiCache ends one after 12, even in the middle of a command
	loginSpread = 30 * time.Minute // so that not all go at once
	idleLife    = 45 * time.Second // less than the network in front of a serverless cache keeps a silent one
)

// A Login gives the user and a short-lived password of each connection, when it is made.
type Login func(context.Context) (user, password string, err error)

// A Client is a connection to Redis, of one server or a cluster.
type Client = redis.UniversalClient

// Dial makes a client for a redis:// or rediss:// URL; nothing is connected before the first command. A
// cluster's URL names its other nodes, if need be, as ?addr=host:port. The URL has the address, and
// without login the credentials; the other options are set here. The client's retries stay on: every
// write here may be repeated.
func Dial(address string, cluster bool, login Login) (client Client, err error) {
	how, err := settings(address, cluster, login)
	if err != nil {
		return nil, err
	}
	if cluster {
		options := how.Cluster()
		options.ClusterStateReloadInterval = slotsLife
		nodes := redis.NewClusterClient(options)
		nodes.OnNewNode(func(node *redis.Client) { node.AddHook(ofPipelines(inTurn)) })
		nodes.AddHook(ofPipelines(inTurn))
		client = nodes
	} else {
		client = redis.NewClient(how.Simple())
	}
	if login != nil {
		client.AddHook(around(untilLoggedIn))
	}
	return client, nil
}

// CheckURL returns the faults of a URL for Dial.
func CheckURL(address string, cluster bool) error {
	_, err := settings(address, cluster, nil)
	return err
}

// settings are those of a client, of one node or of a cluster.
func settings(address string, cluster bool, login Login) (*redis.UniversalOptions, error) {
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
	if err := locate(options, address, cluster); err != nil {
		return nil, fmt.Errorf("view: redis URL: %w", err)
	}
	return options, nil
}

// locate sets a client's address and credentials, and refuses parts of the URL that would be ignored silently.
func locate(options *redis.UniversalOptions, address string, cluster bool) error {
	known := []string{"db", "skip_verify"}
	if cluster {
		known = []string{"addr"}
	}
	u, err := url.Parse(address)
	if err != nil {
		return errors.New("it cannot be read") // its own error has the password in it
	}
	for name := range u.Query() {
		if !slices.Contains(known, name) {
			return fmt.Errorf("unknown parameter: %s", name)
		}
	}
	if cluster {
		where, err := redis.ParseClusterURL(address)
		if err == nil {
			options.Addrs, options.TLSConfig = where.Addrs, where.TLSConfig
			options.Username, options.Password = where.Username, where.Password
		}
		return err
	}
	where, err := redis.ParseURL(address)
	if err == nil {
		options.Addrs, options.DB, options.TLSConfig = []string{where.Addr}, where.DB, where.TLSConfig
		options.Username, options.Password = where.Username, where.Password
	}
	return err
}

// When many functions start at once, ElastiCache refuses some logins by IAM: each is tried again so often.
const (
	loginAttempts = 4
	loginPause    = 100 * time.Millisecond // on average before the second attempt; twice as long before each more
)

// untilLoggedIn sends a command until its login is not refused, or has been too often: nothing was sent then.
// The login's own commands come by here, too: they are tried again with the command that they precede.
func untilLoggedIn(ctx context.Context, command string, send func() error) error {
	pause := loginPause
	for attempt := 1; ; attempt++ {
		err := send()
		if attempt == loginAttempts || command == "hello" || command == "auth" || !isLoginRefused(err) {
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
