package items

import (
	"context"
	"slices"
	"sync"
	"time"

	"laurel/shared/core/ledger"
)

const (
	keptCircles = time.Minute // the time that a circle is kept in the process
	maxFollowed = 200_000     // ids in all that are kept: some 10 MB
)

// A Circle has the users whom a person follows, by id, and the person's status. Nobody changes one.
type Circle struct {
	Users  []string
	Status ledger.UserStatus
}

// CircleOf returns a person's circle as it was a minute ago or later. Changes through this Store are in it at once. It
// is read eventually consistent, unless this Store has just changed it. The error wraps table.ErrUnavailable, or is of
// a damaged list.
func (s *Store) CircleOf(ctx context.Context, person Key) (Circle, error) {
	began := time.Now()
	c, changed := s.circles.get(person)
	if c != nil {
		return *c, nil
	}
	q := Query{People: []Key{person}, Eventually: !changed}
	for part := range byte(FollowParts) {
		q.Follows = append(q.Follows, FollowsKey{Person: person, Part: part})
	}
	found, err := s.Read(ctx, q)
	if err != nil {
		return Circle{}, err
	}
	c = &Circle{}
	if c.Users, err = found.Followed(); err != nil {
		return Circle{}, err
	}
	if p := found.People[person].Value; p != nil {
		c.Status = p.Status
	}
	s.circles.put(person, c, began)
	return *c, nil
}

// Followed returns the users on the parts of a follow list that were read, by id.
func (f *Found) Followed() (users []string, err error) {
	for _, row := range f.Follows {
		if row.Err != nil {
			return nil, row.Err
		}
		if row.Revision == 0 {
			continue
		}
		for _, t := range row.Value.Targets {
			if t.Last > t.Undone {
				users = append(users, t.ID)
			}
		}
	}
	slices.Sort(users)
	return users, nil
}

// circles are the circles that were read lately, and the people who were changed lately.
type circles struct {
	mu    sync.Mutex
	kept  map[Key]keptCircle
	size  int
	empty time.Time // since when; earlier changes are not known
}

type keptCircle struct {
	circle *Circle   // nil: it was changed
	since  time.Time // the change, or when the read began
}

func (k keptCircle) size() int {
	if k.circle == nil {
		return 1
	}
	return 1 + len(k.circle.Users)
}

// get returns a circle that is kept, else nil, and whether it may just have been changed.
func (c *circles) get(person Key) (circle *Circle, changed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, found := c.kept[person]
	if !found {
		return nil, time.Since(c.empty) < keptCircles
	}
	if time.Since(k.since) >= keptCircles {
		return nil, false
	}
	return k.circle, k.circle == nil
}

// put keeps a circle, unless it may have been changed since its read began.
func (c *circles) put(person Key, circle *Circle, began time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if was := c.kept[person]; began.After(c.empty) && (was.circle != nil || began.After(was.since)) {
		c.set(person, keptCircle{circle, began})
	}
}

// change notes that people, or their lists, were changed.
func (c *circles) change(changes []Change) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, change := range changes {
		switch {
		case change.Person != nil:
			c.set(change.Person.Key, keptCircle{since: time.Now()})
		case change.Follows != nil:
			c.set(change.Follows.Key.Person, keptCircle{since: time.Now()})
		}
	}
}

// set keeps one. A full cache is emptied first.
func (c *circles) set(person Key, k keptCircle) {
	if was, found := c.kept[person]; found {
		c.size -= was.size()
	}
	if c.size += k.size(); c.size > maxFollowed {
		c.kept, c.size, c.empty = nil, k.size(), time.Now()
	}
	if c.kept == nil {
		c.kept = map[Key]keptCircle{}
	}
	c.kept[person] = k
}
