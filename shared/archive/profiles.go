package archive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"laurel/shared/people"
	"laurel/shared/table"
)

// profilesAtOnce is the number of concurrent writes of profiles.
const profilesAtOnce = 16

// Profiles stores users' profiles: an item for each user, in its own partition, so that
// no partition is hot. Its data is the text of a people.Copy. It is safe for concurrent
// use.
type Profiles struct {
	store Store
}

// NewProfiles returns the profiles in a store.
func NewProfiles(store Store) *Profiles { return &Profiles{store: store} }

// profileKey returns a key that no board can have: names of boards are in lower case.
func profileKey(user string) Key { return Key{Partition: "USER#" + user, Sort: "profile"} }

// Get reads profiles, up to a hundred in one read. A user without one has a copy of
// version 0. For a damaged one the error wraps ErrDamaged, and the others are returned.
func (p *Profiles) Get(ctx context.Context, users ...string) (map[string]people.Copy, error) {
	found, err := p.get(ctx, users)
	copies := make(map[string]people.Copy, len(found))
	for user, f := range found {
		copies[user] = f.Copy
	}
	return copies, err
}

// found is a profile and its data, nil for none.
type found struct {
	people.Copy
	data []byte
}

func (p *Profiles) get(ctx context.Context, users []string) (map[string]found, error) {
	all := make(map[string]found, len(users))
	var damage []error
	for some := range slices.Chunk(users, table.MaxKeys) {
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
				err = errors.New("without a profile")
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

// Put writes whole profiles, whose since stays where it is left out and which people.NoSince
// removes, and returns their copies: it reads all, and writes those that differ, some
// concurrently. An equal profile is not written, so Put can be repeated. If there is an
// error, the others are written.
func (p *Profiles) Put(ctx context.Context, profiles map[string]people.Profile) (map[string]people.Copy, error) {
	users := slices.Sorted(maps.Keys(profiles))
	there, err := p.get(ctx, users)
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex
	copies := make(map[string]people.Copy, len(users))
	err = inRuns(users, 1, profilesAtOnce, func(run []string) error {
		user := run[0]
		c, err := p.put(ctx, user, profiles[user], there[user])
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		copies[user] = c
		return nil
	})
	return copies, err
}

// put writes one profile over the one that was read. After a conflict it reads again; the
// other writer has made progress.
func (p *Profiles) put(ctx context.Context, user string, mine people.Profile, there found) (people.Copy, error) {
	for {
		next := people.Copy{Version: there.Version + 1, Profile: mine}
		if next.Profile.Since = cmp.Or(mine.Since, there.Profile.Since); mine.Since == people.NoSince {
			next.Profile.Since = ""
		}
		if !there.None() && there.Profile == next.Profile {
			return there.Copy, nil
		}
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

// Delete removes a user's profile and reports whether there was one. It can be repeated.
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
