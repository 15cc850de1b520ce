package pages

import (
	"context"
	"sync"
)

// userLocks are the per-user locks: one goroutine of this process at a time works
// on a user, so that conflicts come from other processes only. They save work; what
// is right does not depend on them.
type userLocks struct {
	mu    sync.Mutex
	users map[string]*userLock
}

type userLock struct {
	free    chan struct{} // holds one token when nobody has the lock
	waiting int           // who has it or waits for it
}

func newUserLocks() *userLocks { return &userLocks{users: map[string]*userLock{}} }

// lock waits for the user's lock, or for the context to end.
func (l *userLocks) lock(ctx context.Context, user string) error {
	l.mu.Lock()
	u := l.users[user]
	if u == nil {
		u = &userLock{free: make(chan struct{}, 1)}
		u.free <- struct{}{}
		l.users[user] = u
	}
	u.waiting++
	l.mu.Unlock()
	select {
	case <-u.free:
		return nil
	case <-ctx.Done():
		l.leave(user, u)
		return ctx.Err()
	}
}

// tryLock takes the user's lock if nobody has it.
func (l *userLocks) tryLock(user string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.users[user] != nil {
		return false
	}
	l.users[user] = &userLock{free: make(chan struct{}, 1), waiting: 1}
	return true
}

// unlock gives the user's lock to who waits for it.
func (l *userLocks) unlock(user string) {
	l.mu.Lock()
	u := l.users[user]
	l.mu.Unlock()
	u.free <- struct{}{}
	l.leave(user, u)
}

func (l *userLocks) leave(user string, u *userLock) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if u.waiting--; u.waiting == 0 {
		delete(l.users, user)
	}
}
