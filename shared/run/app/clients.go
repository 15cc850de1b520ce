//go:build !lean

package app

import (
	"fmt"
	"time"

	"laurel/shared/core/metrics"
	"laurel/shared/store/table/dynamo"
	"laurel/shared/store/view/iam"
	"laurel/shared/store/view/redisview"
)

// Dial returns a client of the Redis that a configuration names. It connects to nothing.
func Dial(c *Config) (redisview.Client, error) {
	var login redisview.Login
	if c.Login != (Login{}) {
		login = iam.Login{
			User: c.Login.User, Cache: c.Login.Cache, Region: c.AWS.Region, Now: time.Now, Credentials: c.AWS.key(),
		}.Password
	}
	client, err := redisview.Dial(c.RedisURL, c.RedisCluster, login)
	if err != nil {
		return nil, fmt.Errorf("app: %w", err)
	}
	redisview.TimeTrips(client, metrics.CountTrip)
	return client, nil
}

// TableOptions returns the name of the table in DynamoDB, and how it is reached.
func (c *Config) TableOptions() dynamo.Options {
	return dynamo.Options{Name: c.Table, Endpoint: c.Endpoint, Region: c.AWS.Region, Credentials: c.AWS.provider()}
}

// checkRedis returns the faults of the URL of a Redis.
func checkRedis(address string, cluster bool) error { return redisview.CheckURL(address, cluster) }

// checkDynamoDB returns the reason why no DynamoDB can be reached.
func checkDynamoDB() error { return nil }
