package harness

import (
	"sync"
	"time"
)

// A Clock is the time of a forum, which stands until it is set, and that of waits, which runs by itself.
type Clock struct {
	mu     sync.Mutex
	now    time.Time
	passed time.Duration
}

// NewClock is a clock that is set.
func NewClock(now time.Time) *Clock { return &Clock{now: now} }

// Now is the time of the forum.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Set sets the time of the forum.
func (c *Clock) Set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

// Real is the time of waits.
func (c *Clock) Real() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.passed)
}

// Pass lets time pass for waits.
func (c *Clock) Pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.passed += d
}
