package people

import (
	"context"
	"maps"
	"slices"
	"time"

	"laurel/shared/core/profile"
	"laurel/shared/store/items"
)

const (
	namesPatience = 2 * time.Second // the time that a board waits for names from the table
	maxNames      = 10_000          // that are kept in the process
)

// Names returns the public parts of users: by the texts that were read with them, "" for one who is known to have none,
// and for those without a text from the table, which is kept for a minute. It does not fail and waits at most two
// seconds: a board without some names is better than none.
func (s *Store) Names(ctx context.Context, users []string, texts map[string]string) map[string]profile.Public {
	names, asked := make(map[string]profile.Public, len(users)), map[string]bool{}
	s.mu.Lock()
	for _, user := range users {
		var public profile.Public
		var known bool
		if text, shown := texts[user]; shown {
			p, err := profile.ParsePublic(text)
			public, known = p, err == nil
		} else {
			public, known = s.names.Get(user)
		}
		if known && public != (profile.Public{}) {
			names[user] = public
		}
		if !known && user != "" {
			asked[user] = true
		}
	}
	s.mu.Unlock()
	if len(asked) > 0 {
		if err := s.readNames(ctx, slices.Collect(maps.Keys(asked)), names); err != nil {
			s.Log.WarnContext(ctx, "answered without some names", "users", len(asked), "error", err.Error())
		}
	}
	return names
}

func (s *Store) readNames(ctx context.Context, users []string, names map[string]profile.Public) error {
	ctx, cancel := context.WithTimeout(ctx, namesPatience)
	defer cancel()
	head, err := s.Items.Known(ctx)
	if err != nil {
		return err
	}
	began, keys := time.Now(), head.KeysOf(users)
	found, err := s.Items.Read(ctx, items.Query{People: keys})
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, user := range users {
		public := found.People[keys[i]].Value.Public(s.Ledger.Guests())
		if s.names.Set(user, public, began, maxNames); public != (profile.Public{}) {
			names[user] = public
		}
	}
	return nil
}
