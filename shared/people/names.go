package people

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"laurel/shared/records"
)

const (
	namesPatience = 2 * time.Second // for which a board waits for names from the table
	maxNames      = 10_000          // that are kept in the process
	remembered    = time.Minute     // for which they are
)

// Names returns what is shown of users: by the texts that were read with them, "" for one who is
// known to have none, and for those without a text from the table, which is kept for a minute.
// It does not fail and waits at most two seconds: a board without some names is better than none.
func (s *Store) Names(ctx context.Context, users []string, texts map[string]string) map[string]records.Public {
	names, asked := make(map[string]records.Public, len(users)), map[string]bool{}
	for _, user := range users {
		var public records.Public
		var known bool
		if text, shown := texts[user]; shown {
			p, err := records.ParsePublic(text)
			public, known = p, err == nil
		} else {
			public, known = s.names.get(user)
		}
		if known && public != (records.Public{}) {
			names[user] = public
		}
		if !known && user != "" {
			asked[user] = true
		}
	}
	if len(asked) > 0 {
		if err := s.readNames(ctx, slices.Collect(maps.Keys(asked)), names); err != nil {
			s.Log.WarnContext(ctx, "answered without some names", "users", len(asked), "error", err.Error())
		}
	}
	return names
}

func (s *Store) readNames(ctx context.Context, users []string, names map[string]records.Public) error {
	ctx, cancel := context.WithTimeout(ctx, namesPatience)
	defer cancel()
	head, err := s.Records.Known(ctx)
	if err != nil {
		return err
	}
	began, keys := time.Now(), make([]records.Key, len(users))
	for i, user := range users {
		keys[i] = head.KeyOf(user)
	}
	found, err := s.Records.Read(ctx, records.Query{People: keys})
	if err != nil {
		return err
	}
	for i, user := range users {
		public := found.People[keys[i]].Value.Public()
		if s.names.put(user, public, began); public != (records.Public{}) {
			names[user] = public
		}
	}
	return nil
}

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
