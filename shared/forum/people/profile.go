package people

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"golang.org/x/sync/errgroup"

	"laurel/shared/core/profile"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

// showsAtOnce is how many people are shown side by side.
const showsAtOnce = 8

// Get returns a user's profile; false if there is none. Its groups are not nil: written again, it changes nothing.
func (s *Store) Get(ctx context.Context, user string) (p profile.Profile, ok bool, err error) {
	person, err := s.readPerson(ctx, user)
	p = person.Profile
	p.Groups = append([]string{}, p.Groups...)
	return p, p.Name != "", err
}

// Put replaces whole profiles, at most 100; one without since or groups keeps the known ones. One that is as it was is
// not written. After an error some may be replaced.
func (s *Store) Put(ctx context.Context, profiles map[string]profile.Profile) error {
	changes := make(map[string]change, len(profiles))
	for user, p := range profiles {
		changes[user] = func(person *items.Person) { person.Profile = p.Over(person.Profile, person.ID) }
	}
	_, err := s.changeAll(ctx, changes)
	return err
}

// Update changes profiles, at most 100, and returns the users whose profile differs now. A user without a profile
// gets one, with the id for a name that is not told. A user who would have more groups than a person may have keeps
// the known ones, and is among crowded. After an error some may be changed.
func (s *Store) Update(ctx context.Context, updates map[string]profile.Update) (changed, crowded []string, err error) {
	changes, over := make(map[string]change, len(updates)), map[string]bool{}
	for user, u := range updates {
		changes[user] = func(person *items.Person) {
			next, room := u.Over(person.Profile, person.ID)
			person.Profile, over[user] = next, !room
		}
	}
	changed, err = s.changeAll(ctx, changes)
	for _, user := range slices.Sorted(maps.Keys(over)) {
		if over[user] {
			crowded = append(crowded, user)
		}
	}
	return changed, crowded, err
}

// A change changes a person's profile and groups. It may be called again with another person, and does not write into
// the groups that there are.
type change func(*items.Person)

// changeAll changes people, at most 100, shows the changed ones again and returns them. After an error some may be
// changed.
func (s *Store) changeAll(ctx context.Context, changes map[string]change) (changed []string, err error) {
	head, err := s.Items.Head(ctx)
	if err != nil {
		return nil, err
	}
	err = items.Again(ctx, func() (err error) {
		if changes, err = s.ofStandIns(ctx, changes); err != nil {
			return err
		}
		written, err := s.changeSome(ctx, head, changes)
		changed = append(changed, written...)
		return err
	})
	s.show(ctx, changed...)
	return changed, err
}

// ofStandIns returns the changes of the people who stand for users: of a user's own id first, then of ids that were
// merged into it, so that the profile under that id stays.
func (s *Store) ofStandIns(ctx context.Context, changes map[string]change) (map[string]change, error) {
	users := slices.Sorted(maps.Keys(changes))
	resolved, err := s.Items.Resolve(ctx, users...)
	if err != nil {
		return nil, err
	}
	next := make(map[string]change, len(changes))
	for i, user := range users {
		id, one := resolved[i], changes[user]
		if other, twice := next[id]; twice && id == user {
			next[id] = func(p *items.Person) { other(p); one(p) }
		} else if twice {
			next[id] = func(p *items.Person) { one(p); other(p) }
		} else {
			next[id] = one
		}
	}
	return next, nil
}

// changeSome changes people, drops the changes that are done from the map, and returns the users who were written. The
// error wraps table.ErrConflict if others came before them.
func (s *Store) changeSome(ctx context.Context, head *items.Head, all map[string]change) (written []string, err error) {
	users := slices.Sorted(maps.Keys(all))
	keys := head.KeysOf(users)
	found, err := s.Items.Read(ctx, items.Query{People: keys})
	if err != nil {
		return nil, err
	}
	var changes []items.Change
	var changed []string
	for i, user := range users {
		row := found.People[keys[i]]
		if row.Err != nil {
			err = errors.Join(err, row.Err)
			continue
		}
		was, next := row.Value.Copy(), row.Value.Copy()
		if next.Into != "" { // it was merged meanwhile
			s.Items.StandsFor(user, next.Into)
			return nil, fmt.Errorf("people: %w: a user was merged meanwhile", table.ErrConflict)
		}
		next.ID = user
		if all[user](&next); reflect.DeepEqual(next.Profile, was.Profile) {
			delete(all, user)
			continue
		}
		changed = append(changed, user)
		changes = append(changes, items.NextPerson(keys[i], row, &next))
	}
	for i, w := range s.Items.Write(ctx, changes...) {
		err = cmp.Or(err, w.Err)
		if w.Err == nil {
			written = append(written, changed[i])
			delete(all, changed[i])
		}
	}
	return written, err
}

// show shows people as they are now. The recorder says in the head whom it could not show.
func (s *Store) show(ctx context.Context, users ...string) {
	s.mu.Lock()
	for _, user := range users {
		delete(s.names, user)
	}
	s.mu.Unlock()
	var group errgroup.Group
	group.SetLimit(showsAtOnce)
	for _, user := range users {
		group.Go(func() error {
			if err := s.Projector.ShowUser(ctx, user); err != nil {
				s.Log.WarnContext(ctx, "a person is not shown yet", "cause", err.Error())
			}
			return nil
		})
	}
	_ = group.Wait()
}
