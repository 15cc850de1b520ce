package redisstore

import (
	"context"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"
)

// What scripts that write answer, as DONE and CHANGED. A commit that finds
// something else answers with what is there instead of Changed.
const (
	Done    int64 = 1 // it is written, now or before
	Changed int64 = 0 // something else is there than what was read
)

// A Script is a Lua script, hashed once: as it is, and as it runs in a full Redis.
type Script struct{ plain, full form }

// form is a text and its hash.
type form struct{ text, hash string }

// NewScript returns the script with this text.
func NewScript(source string) *Script { return &Script{formOf(source), formOf(allowOOM + source)} }

func formOf(text string) form { return form{text, redis.NewScript(text).Hash()} }

// A Call is one run of a script: what goes in, and the command that answers.
type Call struct {
	Script *Script
	Keys   []string
	Args   []any
	Cmd    *redis.Cmd
}

// Run runs scripts, all in one pipeline. A server that does not know one (it was
// restarted, or its cache was flushed) gets those again with their text: an
// exception of one round trip. Errors are the calls' own, in their Cmd.
func (s *Store) Run(ctx context.Context, calls ...*Call) {
	s.RunBeside(ctx, calls, func(redis.Pipeliner) {})
}

// RunBeside is Run with other commands in the same pipeline.
func (s *Store) RunBeside(ctx context.Context, calls []*Call, others func(redis.Pipeliner)) {
	pipe := s.client.Pipeline()
	if others(pipe); len(calls)+pipe.Len() == 0 {
		return
	}
	for _, c := range calls {
		c.evalIn(ctx, pipe, "evalsha", &s.form(ctx, c).hash)
	}
	_, _ = pipe.Exec(ctx)
	s.runAgain(ctx, calls, isNoScript)
	if slices.ContainsFunc(calls, func(c *Call) bool { return isUnflagged(c.Cmd.Err()) }) {
		s.unflagged.Store(true)
		s.runAgain(ctx, calls, isUnflagged)
	}
}

// form returns the form of a call's script that runs in a context.
func (s *Store) form(ctx context.Context, c *Call) *form {
	if runsWhenFull(ctx) && !s.unflagged.Load() {
		return &c.Script.full
	}
	return &c.Script.plain
}

// evalIn puts the call into a pipeline. It copies no text.
func (c *Call) evalIn(ctx context.Context, pipe redis.Pipeliner, command string, script *string) {
	args := append(make([]any, 0, 3+len(c.Keys)+len(c.Args)), command, script, len(c.Keys))
	for i := range c.Keys {
		args = append(args, &c.Keys[i])
	}
	c.Cmd = redis.NewCmd(ctx, append(args, c.Args...)...)
	if len(c.Keys) > 0 {
		c.Cmd.SetFirstKeyPos(3)
	}
	_ = pipe.Process(ctx, c.Cmd)
}

// runAgain runs the calls with an error of a kind again, with the script's text.
func (s *Store) runAgain(ctx context.Context, calls []*Call, kind func(error) bool) {
	pipe := s.client.Pipeline()
	for _, c := range calls {
		if kind(c.Cmd.Err()) {
			c.evalIn(ctx, pipe, "eval", &s.form(ctx, c).text)
		}
	}
	if pipe.Len() > 0 {
		_, _ = pipe.Exec(ctx)
	}
}

func isNoScript(err error) bool {
	return err != nil && strings.HasPrefix(err.Error(), "NOSCRIPT")
}

// AllDone says whether every call answered Done, and none anything worse than
// Changed.
func AllDone(operation string, calls ...*Call) (bool, error) {
	done := true
	for _, c := range calls {
		reply, err := c.Cmd.Int64()
		if err != nil {
			return false, Unavailable(operation, err)
		}
		done = done && reply == Done
	}
	return done, nil
}

// HMGet puts the reading of a hash's fields into a pipeline. It copies no text, none of which
// changes until the pipeline has run.
func HMGet(ctx context.Context, pipe redis.Pipeliner, key *string, fields []string) *redis.SliceCmd {
	args := append(make([]any, 0, 2+len(fields)), "hmget", key)
	for i := range fields {
		args = append(args, &fields[i])
	}
	cmd := redis.NewSliceCmd(ctx, args...)
	_ = pipe.Process(ctx, cmd)
	return cmd
}
