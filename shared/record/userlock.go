package record

import (
	"context"
	"sync"
)

// userLocks are the per-user locks: one goroutine of this process at a time works
// on a user, so that conflicts come from other processes only. They save work; what
// is right does not depend on them.
type userLocks struct {
	mu    sync.Mutex
	users map[string]*userLock // who is locked; nil: nobody waits
}

type userLock struct {
	free    chan struct{} // holds one token from an unlock until somebody who waits takes it
	waiting int
}

func newUserLocks() *userLocks { return &userLocks{users: map[string]*userLock{}} }

// lock waits for the user's lock, or for the context to end.
func (l *userLocks) lock(ctx context.Context, user string) error {
	l.mu.Lock()
	u, locked := l.users[user]
	if !locked {
		l.users[user] = nil
		l.mu.Unlock()
		return nil
	}
	if u == nil {
		u = &userLock{free: make(chan struct{}, 1)}
		l.users[user] = u
	}
	u.waiting++
	l.mu.Unlock()
	var err error
	select {
	case <-u.free:
	case <-ctx.Done():
		err = ctx.Err()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if u.waiting--; u.waiting > 0 {
		return err
	}
	if l.users[user] = nil; err != nil && len(u.free) > 0 { // nobody has the lock
		delete(l.users, user)
	}
	return err
}

// tryLock takes the user's lock if nobody has it.
func (l *userLocks) tryLock(user string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, locked := l.users[user]; locked {
		return false
	}
	l.users[user] = nil
	return true
}

// unlock gives the user's lock to who waits for it.
func (l *userLocks) unlock(user string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if u := l.users[user]; u != nil {
		u.free <- struct{}{}
	} else {
		delete(l.users, user)
	}
}
