package harness

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"laurel/shared/archive"
)

// ErrCrash is the error of every call after a crash. A call to the archive's store wraps
// archive.ErrUnavailable too.
var ErrCrash = errors.New("crash")

// How the call that crashes ends.
const (
	Before = "before" // without an effect
	Half   = "half"   // half of a pipeline has an effect; other calls end as with After
	After  = "after"  // only the answer is lost
)

// A Crash is an archive's store and a hook of Redis clients that stop a process at its
// At-th call to either: no later call has an effect. It remembers the keys of what was
// written, so that tests can list all items. It is safe for concurrent use.
type Crash struct {
	archive.Store
	At  int // 0: never
	How string

	mu    sync.Mutex
	calls int
	keys  map[archive.Key]bool
}

// Calls returns the number of calls so far.
func (c *Crash) Calls() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls
}

// Arm has a new process crash at its call at.
func (c *Crash) Arm(at int, how string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls, c.At, c.How = 0, at, how
}

// Items returns every item that was written through the crash and is still there.
func (c *Crash) Items(t *testing.T) (all []archive.Item) {
	t.Helper()
	for chunk := range slices.Chunk(slices.Collect(maps.Keys(c.keys)), 100) {
		items, err := c.Store.Get(t.Context(), chunk...)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, items...)
	}
	return all
}

// next counts a call and returns its number and when to crash.
func (c *Crash) next(written ...archive.Key) (call, at int, how string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.keys == nil {
		c.keys = map[archive.Key]bool{}
	}
	for _, key := range written {
		c.keys[key] = true
	}
	c.calls++
	return c.calls, c.At, c.How
}

func (c *Crash) store(do func() error, written ...archive.Key) error {
	call, at, how := c.next(written...)
	if at == 0 || call < at {
		return do()
	}
	if call == at && how != Before {
		_ = do()
	}
	return fmt.Errorf("%w: %w", archive.ErrUnavailable, ErrCrash)
}

// Get implements archive.Store.
func (c *Crash) Get(ctx context.Context, keys ...archive.Key) (items []archive.Item, err error) {
	err = c.store(func() (err error) { items, err = c.Store.Get(ctx, keys...); return err })
	return items, err
}

// Descend implements archive.Store.
func (c *Crash) Descend(ctx context.Context, partition, below string, limit int) (items []archive.Item, err error) {
	err = c.store(func() (err error) { items, err = c.Store.Descend(ctx, partition, below, limit); return err })
	return items, err
}

// Ascend implements archive.Store.
func (c *Crash) Ascend(
	ctx context.Context, partition, after, last string, limit int,
) (items []archive.Item, err error) {
	err = c.store(func() (err error) { items, err = c.Store.Ascend(ctx, partition, after, last, limit); return err })
	return items, err
}

// Set implements archive.Store.
func (c *Crash) Set(ctx context.Context, item archive.Item) error {
	return c.store(func() error { return c.Store.Set(ctx, item) }, item.Key)
}

// Put implements archive.Store.
func (c *Crash) Put(ctx context.Context, item archive.Item) error {
	return c.store(func() error { return c.Store.Put(ctx, item) }, item.Key)
}

// Replace implements archive.Store.
func (c *Crash) Replace(ctx context.Context, item archive.Item, old []byte) error {
	return c.store(func() error { return c.Store.Replace(ctx, item, old) }, item.Key)
}

// Delete implements archive.Store.
func (c *Crash) Delete(ctx context.Context, keys ...archive.Key) error {
	return c.store(func() error { return c.Store.Delete(ctx, keys...) })
}

// DialHook implements redis.Hook; connections are no calls.
func (*Crash) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook implements redis.Hook.
func (c *Crash) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		return c.redis([]redis.Cmder{cmd}, func([]redis.Cmder) error { return next(ctx, cmd) })
	}
}

// ProcessPipelineHook implements redis.Hook.
func (c *Crash) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		return c.redis(cmds, func(sent []redis.Cmder) error { return next(ctx, sent) })
	}
}

func (c *Crash) redis(cmds []redis.Cmder, do func(sent []redis.Cmder) error) error {
	call, at, how := c.next()
	if at == 0 || call < at {
		return do(cmds)
	}
	sent := cmds
	if how == Half && len(cmds) > 1 {
		sent = cmds[:len(cmds)/2]
	}
	if call == at && how != Before {
		_ = do(sent)
	}
	for _, cmd := range cmds {
		cmd.SetErr(ErrCrash)
	}
	return ErrCrash
}
