package redisstore

import (
	"context"
	"errors"
	"strings"
)

// ErrFull is wrapped, with ErrUnavailable, by the error of a write that a full Redis has
// refused. Nothing of it is written.
var ErrFull = errors.New("redisstore: Redis is full")

// allowOOM begins a script that runs in a full Redis, from Redis 7 on.
const allowOOM = "#!lua flags=allow-oom\n"

type whenFull struct{}

// WhenFull returns a context in which scripts run in a full Redis too: for what makes room,
// must not be lost, or is the truth. Recording and what else adds to Redis is refused.
func WhenFull(ctx context.Context) context.Context { return context.WithValue(ctx, whenFull{}, true) }

func runsWhenFull(ctx context.Context) bool { return ctx.Value(whenFull{}) != nil }

// isUnflagged says whether a server does not know the flags of a script, and took their line
// for Lua: the embedded one, or a Redis before 7. It has run nothing.
func isUnflagged(err error) bool {
	return err != nil && strings.Contains(err.Error(), "ompiling script")
}
