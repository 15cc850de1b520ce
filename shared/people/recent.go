package people

import (
	"sync"
	"time"
)

// A recent keeps values by user for a while, up to a size in all.
type recent[T any] struct {
	most int
	size func(T) int

	mu    sync.Mutex
	total int
	kept  map[string]aged[T]
}

type aged[T any] struct {
	value T
	since time.Time
}

// get returns a value that is not older than remembered.
func (r *recent[T]) get(user string) (T, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	found, ok := r.kept[user]
	if !ok || time.Since(found.since) > remembered {
		var none T
		return none, false
	}
	return found.value, true
}

// put keeps a value. What no longer fits drops everything else.
func (r *recent[T]) put(user string, value T, read time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.remove(user)
	n := r.size(value)
	if r.total += n; r.total > r.most || r.kept == nil {
		r.kept, r.total = map[string]aged[T]{}, n
	}
	r.kept[user] = aged[T]{value, read}
}

// drop forgets users.
func (r *recent[T]) drop(users ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, user := range users {
		r.remove(user)
	}
}

func (r *recent[T]) remove(user string) {
	if was, ok := r.kept[user]; ok {
		r.total -= r.size(was.value)
		delete(r.kept, user)
	}
}
