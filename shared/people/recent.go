package people

import (
	"sync"
	"time"

	"laurel/shared/records"
)

const (
	maxNames   = 10_000      // that are kept in the process
	remembered = time.Minute // for which they are
)

// recentNames keeps what is shown of users whose names the view does not have.
type recentNames struct {
	mu   sync.Mutex
	kept map[string]agedName
}

type agedName struct {
	records.Public
	read time.Time
}

// get returns what is shown of a user, as far as it is not older than remembered.
func (r *recentNames) get(user string) (records.Public, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	found, ok := r.kept[user]
	if !ok || time.Since(found.read) > remembered {
		return records.Public{}, false
	}
	return found.Public, true
}

// put keeps what is shown of a user. What no longer fits drops everything else.
func (r *recentNames) put(user string, p records.Public, read time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kept == nil || len(r.kept) >= maxNames {
		r.kept = map[string]agedName{}
	}
	r.kept[user] = agedName{p, read}
}

// drop forgets users.
func (r *recentNames) drop(users ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, user := range users {
		delete(r.kept, user)
	}
}
