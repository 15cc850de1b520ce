package live

import (
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// Timeouts of one command. Together with the client's retries they stay below
// the ten seconds that a function has.
const (
	dialTimeout  = 1 * time.Second
	replyTimeout = 1500 * time.Millisecond
	poolTimeout  = 2 * time.Second
	dialRetries  = 1 // no more: what failed to connect is retried with its command
)

// Dial makes a client for a redis:// or rediss:// URL; nothing is connected
// before the first command. A cluster's URL names its other nodes, if need be,
// as ?addr=host:port. The client's retries stay on: every write here may be
// repeated.
func Dial(url string, cluster bool) (redis.UniversalClient, error) {
	if cluster {
		options, err := redis.ParseClusterURL(url)
		if err != nil {
			return nil, fmt.Errorf("live: redis URL: %w", err)
		}
		options.DialTimeout, options.PoolTimeout = dialTimeout, poolTimeout
		options.ReadTimeout, options.WriteTimeout = replyTimeout, replyTimeout
		options.DialerRetries = dialRetries
		options.ContextTimeoutEnabled = true
		options.DisableIdentity = true
		options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
		return redis.NewClusterClient(options), nil
	}
	options, err := redis.ParseURL(url)
	if err != nil {
		return nil, fmt.Errorf("live: redis URL: %w", err)
	}
	options.DialTimeout, options.PoolTimeout = dialTimeout, poolTimeout
	options.ReadTimeout, options.WriteTimeout = replyTimeout, replyTimeout
	options.DialerRetries = dialRetries
	options.ContextTimeoutEnabled = true
	options.DisableIdentity = true
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return redis.NewClient(options), nil
}
