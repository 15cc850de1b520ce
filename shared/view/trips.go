package view

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// TimeTrips has the client tell of each round trip that it makes, and how long that
// took: a command, or a pipeline whole, whatever it carries; of a cluster all nodes at
// once are one. Making a connection is none, nor is what the client tries again.
// It is called before the client is used.
func TimeTrips(client redis.UniversalClient, took func(context.Context, time.Duration)) {
	client.AddHook(tripHook{took: took})
}

// tripHook is a redis.Hook.
type tripHook struct {
	passing
	took func(context.Context, time.Duration)
}

// ProcessHook counts a command.
func (h tripHook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		defer h.done(ctx, time.Now())
		return next(ctx, cmd)
	}
}

// ProcessPipelineHook counts a pipeline.
func (h tripHook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		defer h.done(ctx, time.Now())
		return next(ctx, cmds)
	}
}

func (h tripHook) done(ctx context.Context, began time.Time) { h.took(ctx, time.Since(began)) }
