package items

import (
	"context"
	"sync"
	"time"

	"laurel/shared/core/codec"
)

const (
	keptStandIns = time.Minute      // the time for which the process keeps a stand-in
	maxStandIns  = 20_000           // users of whom that is kept
	triedAgain   = 10 * time.Second // the time until an unavailable table is asked for the head again
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
		resolved[i] = users[i]
		if p := found.People[key].Value; p != nil && p.Into != "" {
			resolved[i] = p.Into
		}
		s.standIns.put(users[i], resolved[i], began)
	}
	return resolved, nil
}

// StandIns reads the people of keys: for one who was merged into another the other's row.
func (s *Store) StandIns(ctx context.Context, keys []Key) (map[Key]Row[*Person], error) {
	found, err := s.Read(ctx, Query{People: keys})
	if err != nil || found.Head == nil || !found.Head.Merged {
		return found.peopleOr(err)
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
		found.People[key] = others.People[other]
	}
	return found.People, nil
}

// peopleOr returns the people that were read, unless there was an error.
func (f *Found) peopleOr(err error) (map[Key]Row[*Person], error) {
	if err != nil {
		return nil, err
	}
	return f.People, nil
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
	if known := s.head.Load(); known != nil && time.Since(time.Unix(0, s.headRead.Load())) < keptStandIns {
		return known.head, nil
	}
	head, err := s.Head(ctx)
	if known := s.head.Load(); err != nil && known != nil && ctx.Err() == nil {
		s.headRead.Store(time.Now().Add(triedAgain - keptStandIns).UnixNano())
		return known.head, nil
	}
	return head, err
}

// standIns are the people who stand for users, as far as they were read lately.
type standIns struct {
	mu   sync.Mutex
	kept map[string]standIn
	last time.Time // change by this process
}

type standIn struct {
	id   string
	read time.Time
}

func (s *standIns) get(user string) (id string, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, found := s.kept[user]
	return k.id, found && time.Since(k.read) < keptStandIns
}

// put keeps the stand-in of a user, unless this process has changed anybody since the read began. A full cache is
// emptied first.
func (s *standIns) put(user, id string, began time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if began.After(s.last) {
		s.set(user, standIn{id, began})
	}
}

func (s *standIns) set(user string, k standIn) {
	if s.kept == nil || len(s.kept) >= maxStandIns {
		s.kept = map[string]standIn{}
	}
	s.kept[user] = k
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
			s.set(p.ID, standIn{p.Into, time.Now()})
			s.last = time.Now()
		case p.Erased != 0:
			delete(s.kept, p.ID)
			s.last = time.Now()
		}
	}
}
