package record

import (
	"context"
	"fmt"
	"sync"
)

// userLocks keep reports of one user in this process apart, so that conflicts come from other processes
// only. They save work; what is right does not depend on them.
type userLocks struct {
	mu   sync.Mutex
	busy map[string]chan struct{} // by user; closed when nobody works on that one any more
}

// lock locks those users whom nobody works on, and returns them and the rest. Where all are worked on it
// waits for the first; who is not free when the context ends fails.
func (l *userLocks) lock(ctx context.Context, waiting []*task) (free, rest []*task) {
	for ended := false; ; {
		free, rest = nil, nil
		l.mu.Lock()
		for _, t := range waiting {
			if l.busy[t.user] == nil {
				l.busy[t.user] = make(chan struct{})
				free = append(free, t)
			} else {
				rest = append(rest, t)
			}
		}
		first := l.busy[waiting[0].user]
		l.mu.Unlock()
		switch {
		case len(free) > 0:
			return free, rest
		case ended:
			failAll(rest, fmt.Errorf("%w: wait for the user's lock: %w", ErrBusy, ctx.Err()))
			return nil, nil
		}
		select {
		case <-first:
		case <-ctx.Done():
			ended = true
		}
	}
}

func (l *userLocks) unlock(tasks []*task) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range tasks {
		close(l.busy[t.user])
		delete(l.busy, t.user)
	}
}
