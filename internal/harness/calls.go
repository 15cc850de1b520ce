package harness

import (
	"context"
	"errors"
	"net"
	"sync/atomic"

	"github.com/redis/go-redis/v9"

	"laurel/shared/store/table"
)

// A Fate is the end of a call of a process to a store, and of the process.
type Fate string

// The fates of a call. A process that has died makes no more.
const (
	Lives       Fate = ""
	DiesBefore  Fate = "dies before"
	DiesWithin  Fate = "dies within" // half of the parallel writes are applied
	DiesAfter   Fate = "dies after"
	LosesAnswer Fate = "loses the answer" // of a call that was made
)

// errDead and errLost are the errors of a call whose outcome the process does not learn.
var (
	errDead = errors.New("the process is dead")
	errLost = errors.New("the answer is lost")
)

// A Call is one of a process to its stores.
type Call struct {
	N      int64 // its number among all, from 1
	Trip   bool  // to Redis
	Writes int64 // its number among the table's writes; 0: another call
	Keys   []table.Key
}

// Calls counts the calls of a process to its stores, between which something may happen to it.
type Calls struct {
	All           atomic.Int64
	Reads, Writes atomic.Int64 // of the table
	Halves        atomic.Int64 // of the reads, those of partitions that may miss the last writes
	Trips         atomic.Int64 // to Redis, by a client that has the hook
	Dead          atomic.Bool
	Before        func(c Call) Fate // is asked before each call; nil: the process lives
	After         func(c Call)      // gets each call after it was made; may be nil
}

// DieAt has the process die at call n from now on, before that is made or after.
func (c *Calls) DieAt(n int64, how Fate) {
	start := c.All.Load()
	c.Before = func(call Call) Fate {
		if call.N == start+n {
			return how
		}
		return Lives
	}
}

// AfterCall has something happen after call n from now on.
func (c *Calls) AfterCall(n int64, do func()) {
	start := c.All.Load()
	c.After = func(call Call) {
		if call.N == start+n {
			do()
		}
	}
}

// Reset counts from nothing, and has the process live again, as another one would.
func (c *Calls) Reset() {
	for _, n := range []*atomic.Int64{&c.All, &c.Reads, &c.Halves, &c.Writes, &c.Trips} {
		n.Store(0)
	}
	c.Before, c.After = nil, nil
	c.Dead.Store(false)
}

// call makes a call, of which do makes the first n of all.
func (c *Calls) call(call Call, all int, do func(n int) error) error {
	if c.Dead.Load() {
		return errDead
	}
	call.N = c.All.Add(1)
	fate := Lives
	if c.Before != nil {
		fate = c.Before(call)
	}
	if fate == DiesBefore || fate == DiesWithin || fate == DiesAfter {
		c.Dead.Store(true)
	}
	var err error
	if n := map[Fate]int{Lives: all, DiesWithin: all / 2, DiesAfter: all, LosesAnswer: all}[fate]; n > 0 || fate == Lives {
		err = do(n)
	}
	switch {
	case fate == LosesAnswer:
		return errLost
	case fate != Lives:
		return errDead
	case c.After != nil:
		c.After(call)
	}
	return err
}

// unknown says whether an error is that of a call of which the process learns nothing.
func unknown(err error) bool { return errors.Is(err, errDead) || errors.Is(err, errLost) }

// Hook is a hook of a client of Redis, whose trips are calls; down says whether there is no Redis, and may be nil.
func (c *Calls) Hook(down func() bool) redis.Hook { return hook{c, down} }

// Trip makes one call of a view that is no server's.
func (c *Calls) Trip(do func() error) error {
	return hook{c, nil}.trip(1, func(int) error { return do() })
}

type hook struct {
	*Calls
	down func() bool
}

var errDown = &net.OpError{Op: "dial", Err: errors.New("connection refused")}

func (h hook) trip(all int, do func(n int) error) error {
	h.Trips.Add(1)
	return h.call(Call{Trip: true}, all, func(n int) error {
		if h.down != nil && h.down() {
			return errDown
		}
		return do(n)
	})
}

// DialHook is of redis.Hook.
func (hook) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook is of redis.Hook.
func (h hook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if cmd.Name() == "hello" {
			return next(ctx, cmd)
		}
		err := h.trip(1, func(int) error { return next(ctx, cmd) })
		if err != nil {
			cmd.SetErr(err)
		}
		return err
	}
}

// ProcessPipelineHook is of redis.Hook.
func (h hook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		if name := cmds[0].Name(); name == "hello" || name == "client" { // a connection begins
			return next(ctx, cmds)
		}
		err := h.trip(len(cmds), func(n int) error { return next(ctx, cmds[:n]) })
		if unknown(err) || errors.Is(err, errDown) {
			for _, cmd := range cmds {
				cmd.SetErr(err)
			}
		}
		return err
	}
}
