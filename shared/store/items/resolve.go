package items

import (
	"context"
	"slices"
	"sync"
	"time"

	"laurel/shared/core/codec"
)

const (
	maxStandIns = 20_000           // users whose stand-ins are kept in the process, as long as articles are
	triedAgain  = 10 * time.Second // the time until an unavailable table is asked for the head again
)

// Keys returns the keys of the account's person: its own, and those of people who were merged into it.
func (a *Account) Keys() []Key { return append([]Key{a.Key}, a.Person.Value.Copy().Merged...) }

// Own returns the hashes of the person's keys, of which key is the first; nil if nobody was merged into the person.
func (p *Person) Own(key Key) (own []codec.PersonHash) {
	if p == nil || len(p.Merged) == 0 {
		return nil
	}
	own = append(own, key.Hash())
	for _, k := range p.Merged {
		own = append(own, k.Hash())
	}
	return own
}

// StandIn returns the id of the person who stands for a user, by the item of the one with an id who was taken for that:
// after a merge, or an erasure of a merged person, it is another one.
func (h *Head) StandIn(person *Person, id, user string) string {
	switch {
	case person != nil && person.Into != "":
		return person.Into
	case id != user && !h.Joined(person, user):
		return user
	default:
		return id
	}
}

// Joined reports whether a user was merged into a person.
func (h *Head) Joined(person *Person, user string) bool {
	return person != nil && len(person.Merged) > 0 && slices.Contains(person.Merged, h.KeyOf(user))
}

// Resolve returns the ids of the people who stand for users: of a user who was merged into another one the other's,
// else the user's own. It knows merges of a minute ago, and those of this Store at once. In a forum without merges it
// reads the head at most, once a minute.
func (s *Store) Resolve(ctx context.Context, users ...string) ([]string, error) {
	head, err := s.recentHead(ctx)
	if err != nil || !head.Merged {
		return users, err
	}
	resolved, q, began := make([]string, len(users)), Query{Eventually: true}, time.Now()
	keyOf, unknown := head.Keys(), map[int]Key{}
	for i, user := range users {
		var known bool
		if resolved[i], known = s.standIns.get(user); !known {
			unknown[i] = keyOf(user)
			q.People = append(q.People, unknown[i])
		}
	}
	if len(unknown) == 0 {
		return resolved, nil
	}
	found, err := s.Read(ctx, q)
	if err != nil {
		return nil, err
	}
	for i, key := range unknown {
		resolved[i] = head.StandIn(found.People[key].Value, users[i], users[i])
		s.standIns.put(users[i], resolved[i], began)
	}
	return resolved, nil
}

// StandIns reads the people of keys: for one who was merged into another the other's row, with the erasure of the
// first: places under a key from before its own erasure are nobody's.
func (s *Store) StandIns(ctx context.Context, keys []Key) (map[Key]Row[*Person], error) {
	found, err := s.Read(ctx, Query{People: keys})
	if err != nil {
		return nil, err
	}
	if found.Head == nil || !found.Head.Merged {
		return found.People, nil
	}
	into, keyOf := map[Key]Key{}, found.Head.Keys()
	var q Query
	for key, row := range found.People {
		if row.Value != nil && row.Value.Into != "" {
			into[key] = keyOf(row.Value.Into)
			q.People = append(q.People, into[key])
		}
	}
	if len(into) == 0 {
		return found.People, nil
	}
	others, err := s.Read(ctx, q)
	if err != nil {
		return nil, err
	}
	for key, other := range into {
		row := others.People[other]
		if row.Value != nil && !row.Value.Tombstone() {
			person := *row.Value
			person.Erased = found.People[key].Value.Erased
			row.Value = &person
		}
		found.People[key] = row
	}
	return found.People, nil
}

// StandIn returns the id of the person who stands for a user as far as the process knows, else the user's own. A reader
// of the person's item finds out.
func (s *Store) StandIn(user string) string {
	if id, known := s.standIns.get(user); known {
		return id
	}
	return user
}

// StandsFor notes who stands for a user, as a reader of the table has found.
func (s *Store) StandsFor(user, id string) { s.standIns.put(user, id, time.Now()) }

// recentHead returns the head as it was a minute ago or later.
func (s *Store) recentHead(ctx context.Context) (*Head, error) {
	now := s.real()
	if head := s.headWithin(keptLately, now); head != nil {
		return head, nil
	}
	known, failed := s.LastHead(), s.failed.Load()
	if known != nil && failed != nil && now.Sub(*failed) < triedAgain {
		return known, nil
	}
	head, err := s.Head(ctx)
	if err != nil && known != nil && ctx.Err() == nil {
		s.failed.Store(&now)
		return known, nil
	}
	return head, err
}

// standIns are the people who stand for users, as far as they were read lately.
type standIns struct {
	mu   sync.Mutex
	kept Aged[string, string]
	last time.Time // change by this process
}

func (s *standIns) get(user string) (id string, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept.Get(user)
}

// put keeps the stand-in of a user, unless this process has changed anybody since the read began.
func (s *standIns) put(user, id string, began time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if began.After(s.last) {
		s.kept.Set(user, id, began, maxStandIns)
	}
}

// change notes merges and erasures of this process.
func (s *standIns) change(changes []Change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range changes {
		if c.Person == nil || c.Person.Value == nil {
			continue
		}
		switch p := c.Person.Value; {
		case p.Into != "":
			s.last = time.Now()
			s.kept.Set(p.ID, p.Into, s.last, maxStandIns)
		case p.Erased != 0:
			delete(s.kept, p.ID)
			s.last = time.Now()
		}
	}
}
