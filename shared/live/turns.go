package live

import (
	"context"
	"sync"
)

// turns lets one goroutine of this process at a time work on a user, so that
// conflicts come from other processes only. It saves work; what is right does
// not depend on it.
type turns struct {
	mu    sync.Mutex
	users map[string]*turn
}

type turn struct {
	free    chan struct{} // holds one token when nobody has the turn
	waiting int           // who has it or waits for it
}

func newTurns() *turns { return &turns{users: map[string]*turn{}} }

// take waits for the user's turn, or for the context to end.
func (t *turns) take(ctx context.Context, user string) error {
	t.mu.Lock()
	u := t.users[user]
	if u == nil {
		u = &turn{free: make(chan struct{}, 1)}
		u.free <- struct{}{}
		t.users[user] = u
	}
	u.waiting++
	t.mu.Unlock()
	select {
	case <-u.free:
		return nil
	case <-ctx.Done():
		t.leave(user, u)
		return ctx.Err()
	}
}

// tryTake takes the user's turn if nobody has it.
func (t *turns) tryTake(user string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.users[user] != nil {
		return false
	}
	t.users[user] = &turn{free: make(chan struct{}, 1), waiting: 1}
	return true
}

// give gives the user's turn to who waits for it.
func (t *turns) give(user string) {
	t.mu.Lock()
	u := t.users[user]
	t.mu.Unlock()
	u.free <- struct{}{}
	t.leave(user, u)
}

func (t *turns) leave(user string, u *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if u.waiting--; u.waiting == 0 {
		delete(t.users, user)
	}
}
