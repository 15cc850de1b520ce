package walk_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"

	"github.com/redis/go-redis/v9"

	"laurel/shared/records"
	"laurel/shared/table"
)

// What happens at a call of a process to a store. Nested steps are those of other processes.
const (
	dieBefore  = "die before"
	dieHalf    = "die within" // half of what goes together has an effect
	dieAfter   = "die after"
	loseAnswer = "lose the answer"
	nestBefore = "nest before"
	nestAfter  = "nest after"
	stall      = "stall after" // nests too, and the process goes on 20 s later
)

var (
	errDead = errors.New("the process is dead")
	errLost = errors.New("the answer is lost")
)

// A hook is between a process and the stores. It is safe for concurrent use.
type hook struct {
	mu          sync.Mutex
	calls       int            // since plan was made
	plan        map[int]string // by call
	dead        bool
	nest        func(what string) // takes the steps of others
	nesting     sync.Mutex
	unavailable func() bool // Redis does not answer
}

// arm begins to count calls.
func (h *hook) arm(plan map[int]string) { h.calls, h.plan = 0, plan }

// call makes a call, of which do makes the first n of all, and returns what the process sees.
func (h *hook) call(all int, do func(n int)) error {
	h.mu.Lock()
	if h.dead {
		h.mu.Unlock()
		return errDead
	}
	h.calls++
	what := h.plan[h.calls]
	h.dead = what == dieBefore || what == dieHalf || what == dieAfter
	h.mu.Unlock()
	switch what {
	case dieBefore:
		return errDead
	case dieHalf:
		do(all / 2)
		return errDead
	case nestBefore:
		h.nestOne(what)
	}
	do(all)
	switch what {
	case dieAfter:
		return errDead
	case loseAnswer:
		return errLost
	case nestAfter, stall:
		h.nestOne(what)
	}
	return nil
}

// nestOne nests, while other calls of the same process that are to wait.
func (h *hook) nestOne(what string) {
	h.nesting.Lock()
	defer h.nesting.Unlock()
	h.nest(what)
}

// DialHook is of redis.Hook.
func (*hook) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

// ProcessHook is of redis.Hook.
func (h *hook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) (err error) {
		failed := h.call(1, func(n int) {
			if err = errDead; h.unavailable() {
				err = &net.OpError{Op: "dial", Err: errors.New("connection refused")}
			} else if n > 0 {
				err = next(ctx, cmd)
			}
		})
		if failed != nil {
			cmd.SetErr(failed)
			return failed
		}
		return err
	}
}

// ProcessPipelineHook is of redis.Hook.
func (h *hook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) (err error) {
		failed := h.call(len(cmds), func(n int) {
			if err = errDead; h.unavailable() {
				err = &net.OpError{Op: "dial", Err: errors.New("connection refused")}
			} else if n > 0 {
				err = next(ctx, cmds[:n])
			}
		})
		if err = errors.Join(failed, err); failed != nil || h.unavailable() {
			for _, cmd := range cmds {
				cmd.SetErr(err)
			}
		}
		return err
	}
}

// A hooked is the table as a process has it.
type hooked struct {
	records.Table
	*hook
}

func (t hooked) do(all int, do func(n int)) error {
	if err := t.call(all, do); err != nil {
		return fmt.Errorf("%w: %w", table.ErrUnavailable, err)
	}
	return nil
}

// one makes a call that is whole or not at all.
func (t hooked) one(do func() error) (err error) {
	err = errDead
	if failed := t.do(1, func(n int) {
		if n > 0 {
			err = do()
		}
	}); failed != nil {
		return failed
	}
	return err
}

func (t hooked) Get(ctx context.Context, keys ...table.Key) (items []table.Item, err error) {
	return items, t.one(func() (err error) { items, err = t.Table.Get(ctx, keys...); return err })
}

func (t hooked) GetEventually(ctx context.Context, keys ...table.Key) (items []table.Item, err error) {
	return items, t.one(func() (err error) { items, err = t.Table.GetEventually(ctx, keys...); return err })
}

func (t hooked) Descend(ctx context.Context, of, below string, limit int) (items []table.Item, err error) {
	return items, t.one(func() (err error) { items, err = t.Table.Descend(ctx, of, below, limit); return err })
}

func (t hooked) Ascend(ctx context.Context, of, after, last string, limit int) (items []table.Item, err error) {
	return items, t.one(func() (err error) { items, err = t.Table.Ascend(ctx, of, after, last, limit); return err })
}

func (t hooked) Put(ctx context.Context, item table.Item) error {
	return t.one(func() error { return t.Table.Put(ctx, item) })
}

func (t hooked) Replace(ctx context.Context, item table.Item, old []byte) error {
	return t.one(func() error { return t.Table.Replace(ctx, item, old) })
}

func (t hooked) Delete(ctx context.Context, keys ...table.Key) error {
	return t.do(len(keys), func(n int) { _ = t.Table.Delete(ctx, keys[:n]...) })
}

func (t hooked) Write(ctx context.Context, writes ...table.Write) (outcomes []table.Outcome) {
	if err := t.do(len(writes), func(n int) { outcomes = t.Table.Write(ctx, writes[:n]...) }); err != nil {
		outcomes = make([]table.Outcome, len(writes))
		for i := range outcomes {
			outcomes[i].Err = err
		}
	}
	return outcomes
}

func (t hooked) Together(ctx context.Context, writes ...table.Write) error {
	return t.one(func() error { return t.Table.Together(ctx, writes...) })
}
