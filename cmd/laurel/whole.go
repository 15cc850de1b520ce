//go:build !lean

package main

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9/logging"

	"laurel/shared/run/app"
	"laurel/shared/run/localserver"
	"laurel/shared/store/items"
	"laurel/shared/store/table/dynamo"
	"laurel/shared/store/view"
	"laurel/shared/store/view/redisview"
)

// furtherCommands are the commands that need clients of databases, of AWS or of Prometheus, by name.
func furtherCommands() map[string]any {
	return map[string]any{
		"serve":   &serveCommand{settingFlags: flagsOf(app.ServeGroups()...)},
		"pull":    &pullCommand{},
		"compare": &compareCommand{},
	}
}

// openRedis returns the function that makes the view in the Redis that the settings name.
func (s *stores) openRedis(c *app.Config, server bool) (func(view.Options) view.View, error) {
	logging.Disable() // its logged errors are returned, too
	client, err := app.Dial(c)
	if err != nil {
		return nil, err
	}
	s.closers = append(s.closers, func() { _ = client.Close() })
	if server {
		redisview.TimeTrips(client, localserver.ViewTook)
		redisview.SharePipelines(client)
	}
	return redisview.On(client), nil
}

// openDynamoDB opens the table in the DynamoDB that the settings name.
func openDynamoDB(ctx context.Context, c *app.Config, clock func() time.Time) (items.Table, error) {
	options := c.TableOptions()
	options.Now = clock
	return dynamo.Open(ctx, options)
}
