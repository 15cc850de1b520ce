package night_test

import (
	"context"
	"errors"
	"sync/atomic"

	"laurel/shared/records"
	"laurel/shared/table"
)

var errKilled = errors.New("killed")

// A death says how much of a write is applied by a process that is killed at it.
type death string

const (
	lives      death = ""
	diesBefore death = "before"
	diesWithin death = "within" // half of what goes side by side is applied
	diesAfter  death = "after"
)

// calls counts the calls of a process to a table, between which it may be killed.
type calls struct {
	records.Table
	all, writes atomic.Int64
	dead        atomic.Bool
	write       func(n int64) death // is asked before each write; nil: it lives
	after       func(n int64)       // is told of each call; may be nil
}

// call makes a call, of which do makes the first n of all.
func (c *calls) call(all int, how death, do func(n int) error) error {
	n := c.all.Add(1)
	if c.dead.Load() {
		return errKilled
	}
	if how != lives {
		c.dead.Store(true)
		if applied := map[death]int{diesWithin: all / 2, diesAfter: all}[how]; applied > 0 {
			_ = do(applied)
		}
		return errKilled
	}
	err := do(all)
	if c.after != nil {
		c.after(n)
	}
	return err
}

// change makes a call that writes.
func (c *calls) change(all int, do func(n int) error) error {
	n, how := c.writes.Add(1), lives
	if c.write != nil && !c.dead.Load() {
		how = c.write(n)
	}
	return c.call(all, how, do)
}

func (c *calls) Get(ctx context.Context, keys ...table.Key) (items []table.Item, err error) {
	return items, c.call(1, lives, func(int) error {
		items, err = c.Table.Get(ctx, keys...)
		return err
	})
}

func (c *calls) Ascend(ctx context.Context, part, after, last string, limit int) (items []table.Item, err error) {
	return items, c.call(1, lives, func(int) error {
		items, err = c.Table.Ascend(ctx, part, after, last, limit)
		return err
	})
}

func (c *calls) Descend(ctx context.Context, part, below string, limit int) (items []table.Item, err error) {
	return items, c.call(1, lives, func(int) error {
		items, err = c.Table.Descend(ctx, part, below, limit)
		return err
	})
}

func (c *calls) Put(ctx context.Context, item table.Item) error {
	return c.change(1, func(int) error { return c.Table.Put(ctx, item) })
}

func (c *calls) Replace(ctx context.Context, item table.Item, old []byte) error {
	return c.change(1, func(int) error { return c.Table.Replace(ctx, item, old) })
}

func (c *calls) Delete(ctx context.Context, keys ...table.Key) error {
	return c.change(len(keys), func(n int) error { return c.Table.Delete(ctx, keys[:n]...) })
}

func (c *calls) Together(ctx context.Context, writes ...table.Write) error {
	return c.change(1, func(int) error { return c.Table.Together(ctx, writes...) })
}

func (c *calls) Write(ctx context.Context, writes ...table.Write) (all []table.Outcome) {
	err := c.change(len(writes), func(n int) error {
		all = c.Table.Write(ctx, writes[:n]...)
		return nil
	})
	if err != nil {
		all = make([]table.Outcome, len(writes))
		for i := range all {
			all[i].Err = err
		}
	}
	return all
}
