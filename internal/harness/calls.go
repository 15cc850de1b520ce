package harness

import (
	"errors"
	"fmt"
	"sync/atomic"

	"laurel/shared/table"
)

// A Fate is what becomes of a call of a process to a store, and of the process.
type Fate string

// What may become of a call. A process that has died makes no more.
const (
	Lives       Fate = ""
	DiesBefore  Fate = "dies before"
	DiesWithin  Fate = "dies within" // half of what goes side by side is applied
	DiesAfter   Fate = "dies after"
	LosesAnswer Fate = "loses the answer" // of a call that was made
)

// ErrDead and ErrLost are what a process is told by a call of which it learns nothing.
var (
	ErrDead = errors.New("the process is dead")
	ErrLost = errors.New("the answer is lost")
)

// A Call is one of a process to its stores.
type Call struct {
	N      int64 // which of all it is, from 1
	Writes int64 // which of those of the table that write; 0: it reads
	Keys   []table.Key
}

// Calls counts the calls of a process to its stores, between which something may happen to it.
type Calls struct {
	All, Reads, Writes atomic.Int64 // reads and writes are those of the table
	Dead               atomic.Bool
	Before             func(c Call) Fate // is asked before each call; nil: the process lives
	After              func(c Call)      // is told of each that was made; may be nil
}

// DieAt has the process die at call n from now on, before that is made or after.
func (c *Calls) DieAt(n int64, how Fate) {
	from := c.All.Load()
	c.Before = func(call Call) Fate {
		if call.N == from+n {
			return how
		}
		return Lives
	}
}

// DieAtWrite has the process die at write n from now on.
func (c *Calls) DieAtWrite(n int64, how Fate) {
	from := c.Writes.Load()
	c.Before = func(call Call) Fate {
		if call.Writes == from+n {
			return how
		}
		return Lives
	}
}

// AfterCall has something happen after call n from now on.
func (c *Calls) AfterCall(n int64, do func()) {
	from := c.All.Load()
	c.After = func(call Call) {
		if call.N == from+n {
			do()
		}
	}
}

// Revive has the process live again, as another one would, and nothing happen to it.
func (c *Calls) Revive() {
	c.Before, c.After = nil, nil
	c.Dead.Store(false)
}

// Call makes a call that neither reads nor writes the table, of which do makes the first n of all.
func (c *Calls) Call(all int, do func(n int) error) error { return c.call(Call{}, all, do) }

// call makes a call.
func (c *Calls) call(call Call, all int, do func(n int) error) error {
	call.N = c.All.Add(1)
	if c.Dead.Load() {
		return dead(ErrDead)
	}
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
		return dead(ErrLost)
	case fate != Lives:
		return dead(ErrDead)
	case c.After != nil:
		c.After(call)
	}
	return err
}

// dead is what a store says of a call of which nothing is known.
func dead(err error) error { return fmt.Errorf("%w: %w", table.ErrUnavailable, err) }
