package archive

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"laurel/shared/people"
)

// profilesAtOnce is how many profiles are written at the same time.
const profilesAtOnce = 16

// Profiles keep what users are called: an item a user, in a partition of its own,
// so that none is hot. Its data is the text of a people.Copy. They are safe for
// concurrent use.
type Profiles struct {
	store Store
}

// NewProfiles returns the profiles that a store keeps.
func NewProfiles(store Store) *Profiles { return &Profiles{store: store} }

// profileKey has a name that no board's can have, as those are in lower case.
func profileKey(user string) Key { return Key{"USER#" + user, "profile"} }

// Get reads profiles, a hundred in one read. Who has none has a copy that says so.
// One that cannot be read is an error that wraps ErrDamaged; the others are there.
func (p *Profiles) Get(ctx context.Context, users ...string) (map[string]people.Copy, error) {
	found, err := p.get(ctx, users)
	copies := make(map[string]people.Copy, len(found))
	for user, f := range found {
		copies[user] = f.Copy
	}
	return copies, err
}

// found is a profile and the data that it was read from; nil for none.
type found struct {
	people.Copy
	data []byte
}

func (p *Profiles) get(ctx context.Context, users []string) (map[string]found, error) {
	all := make(map[string]found, len(users))
	var damage []error
	for some := range slices.Chunk(users, maxKeys) {
		keys, whose := make([]Key, len(some)), make(map[Key]string, len(some))
		for i, user := range some {
			keys[i] = profileKey(user)
			whose[keys[i]], all[user] = user, found{}
		}
		items, err := p.store.Get(ctx, keys...)
		if err != nil {
			return nil, fmt.Errorf("archive: read profiles: %w", err)
		}
		for _, item := range items {
			user := whose[item.Key]
			c, err := people.ParseCopy(string(item.Data))
			if err == nil && c.None() {
				err = errors.New("it has no profile")
			}
			if err != nil {
				damage = append(damage, damaged(item.Key, err.Error()))
				delete(all, user)
				continue
			}
			all[user] = found{c, item.Data}
		}
	}
	return all, errors.Join(damage...)
}

// Put writes profiles, each whole, and returns the copies of what is there then:
// all that were read are read at once, and those that differ are written, some at
// a time. A profile that is there as it is given stays as it is, so Put may be done
// again. On an error the others are written.
func (p *Profiles) Put(ctx context.Context, profiles map[string]people.Profile) (map[string]people.Copy, error) {
	users := slices.Sorted(maps.Keys(profiles))
	there, err := p.get(ctx, users)
	if err != nil {
		return nil, err
	}
	var (
		mu     sync.Mutex
		errs   []error
		copies = make(map[string]people.Copy, len(users))
		all    sync.WaitGroup
		free   = make(chan struct{}, profilesAtOnce)
	)
	for _, user := range users {
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			c, err := p.put(ctx, user, profiles[user], there[user])
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				errs = append(errs, err)
				return
			}
			copies[user] = c
		})
	}
	all.Wait()
	return copies, errors.Join(errs...)
}

// put writes one profile over what was read. Each time that somebody else was
// faster it reads again: one of them has got on.
func (p *Profiles) put(ctx context.Context, user string, mine people.Profile, there found) (people.Copy, error) {
	for {
		if !there.None() && there.Profile == mine {
			return there.Copy, nil
		}
		next := people.Copy{Version: there.Version + 1, Profile: mine}
		item := Item{Key: profileKey(user), Data: []byte(next.String())}
		err := p.store.Replace(ctx, item, there.data)
		if err == nil {
			return next, nil
		}
		if !errors.Is(err, ErrExists) {
			return people.Copy{}, fmt.Errorf("archive: write a profile: %w", err)
		}
		again, err := p.get(ctx, []string{user})
		if err != nil {
			return people.Copy{}, err
		}
		there = again[user]
	}
}

// Delete removes a user's profile, and says whether there was one. It may be done
// again.
func (p *Profiles) Delete(ctx context.Context, user string) (bool, error) {
	key := profileKey(user)
	items, err := p.store.Get(ctx, key)
	if err != nil {
		return false, fmt.Errorf("archive: read a profile: %w", err)
	}
	if len(items) == 0 {
		return false, nil
	}
	if err := p.store.Delete(ctx, key); err != nil {
		return false, fmt.Errorf("archive: delete a profile: %w", err)
	}
	return true, nil
}
