package archive_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/archive"
	"laurel/shared/people"
)

func put(t *testing.T, p *archive.Profiles, profiles map[string]people.Profile) map[string]people.Copy {
	t.Helper()
	copies, err := p.Put(t.Context(), profiles)
	if err != nil {
		t.Fatal(err)
	}
	return copies
}

// got checks some users' profiles.
func got(t *testing.T, p *archive.Profiles, want map[string]people.Copy) {
	t.Helper()
	copies, err := p.Get(t.Context(), slices.Collect(maps.Keys(want))...)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, copies); diff != "" {
		t.Errorf("profiles (-want +got):\n%s", diff)
	}
}

// A written profile is read, versions increase with changes, the same profile changes
// nothing, and a deleted one starts again: for ids of every kind.
func TestProfilesAreStored(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, store archive.Store) {
		t.Helper()
		p := archive.NewProfiles(store)
		ids := []string{"ada", "{0}:a", `"quoted" 50%`, "a#b", "😀", "مرحبا", "7", "007", strings.Repeat("x", 64)}
		first, want := map[string]people.Profile{}, map[string]people.Copy{"nobody": {}}
		for _, id := range ids {
			first[id] = people.Profile{Name: "I am " + id, Link: "https://a.example/"}
			want[id] = people.Copy{Version: 1, Profile: first[id]}
		}
		for range 2 {
			copies := put(t, p, first)
			delete(want, "nobody")
			if diff := cmp.Diff(want, copies); diff != "" {
				t.Errorf("copies (-want +got):\n%s", diff)
			}
			want["nobody"] = people.Copy{}
			got(t, p, want)
		}
		ada := people.Profile{Name: "Ada", Avatar: "https://a.example/a.png"}
		put(t, p, map[string]people.Profile{"ada": ada, "7": first["7"]})
		want["ada"] = people.Copy{Version: 2, Profile: ada} // replaced whole
		got(t, p, want)
		for _, was := range []bool{true, false} {
			if deleted, err := p.Delete(t.Context(), "ada"); deleted != was || err != nil {
				t.Errorf("deleted: %t, %v", deleted, err)
			}
		}
		want["ada"] = people.Copy{}
		got(t, p, want)
		put(t, p, map[string]people.Profile{"ada": ada})
		want["ada"] = people.Copy{Version: 1, Profile: ada}
		got(t, p, want)
	})
}

// A hundred profiles take one read and a hundred writes; more are read, too.
func TestAHundredProfilesAreOneRead(t *testing.T) {
	t.Parallel()
	store := &counting{Store: open(t)}
	p := archive.NewProfiles(store)
	profiles := map[string]people.Profile{}
	var users []string
	for i := range 151 {
		users = append(users, fmt.Sprint("user-", i))
		if i < 100 {
			profiles[users[i]] = people.Profile{Name: users[i]}
		}
	}
	for i := range 2 {
		put(t, p, profiles)
		if store.gets.Load() != int64(i)+1 || store.replaced.Load() != 100 {
			t.Errorf("after Put %d: %d reads and %d writes", i+1, store.gets.Load(), store.replaced.Load())
		}
	}
	copies, err := p.Get(t.Context(), users...)
	if err != nil || len(copies) != 151 || store.gets.Load() != 4 {
		t.Errorf("%d copies after %d reads, %v", len(copies), store.gets.Load(), err)
	}
	if copies["user-99"].Version != 1 || !copies["user-150"].None() {
		t.Errorf("copies: %+v and %+v", copies["user-99"], copies["user-150"])
	}
}

// No concurrent change is lost: each has its own version, and the last one stays.
func TestConcurrentPutsOfProfiles(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, store archive.Store) {
		t.Helper()
		p := archive.NewProfiles(store)
		var versions sync.Map // names by version
		concurrently(t, 16, func(i int) error {
			for j := range 3 {
				mine := people.Profile{Name: fmt.Sprint(i, ".", j)}
				copies, err := p.Put(t.Context(), map[string]people.Profile{"ada": mine, fmt.Sprint(i): mine})
				if err != nil {
					return err
				}
				if other, taken := versions.LoadOrStore(copies["ada"].Version, mine.Name); taken {
					t.Errorf("version %d is %s and %s", copies["ada"].Version, other, mine.Name)
				}
			}
			return nil
		})
		latest, _ := versions.Load(int64(48))
		got(t, p, map[string]people.Copy{
			"ada": {Version: 48, Profile: people.Profile{Name: fmt.Sprint(latest)}},
			"3":   {Version: 3, Profile: people.Profile{Name: "3.2"}},
		})
	})
}

// A damaged profile is named and hides no other; an unavailable store is an error.
func TestDamagedProfileIsNamed(t *testing.T) {
	t.Parallel()
	store := open(t)
	p := archive.NewProfiles(store)
	put(t, p, map[string]people.Profile{"ada": {Name: "Ada"}})
	for i, data := range []string{"", "0", "7", "1 \x03Eve\x00\x00\x00 "} {
		eve := fmt.Sprint("eve-", i)
		key := archive.Key{Partition: "USER#" + eve, Sort: "profile"}
		replace(t, store, archive.Item{Key: key, Data: []byte(data)}, nil)
		copies, err := p.Get(t.Context(), "ada", eve)
		named := errors.Is(err, archive.ErrDamaged) && contains(err, key.String()) && !contains(err, eve) // logs get it
		if !named || len(copies) != 1 || copies["ada"].Profile.Name != "Ada" {
			t.Errorf("%q: %v, %v", data, copies, err)
		}
	}
	for at := 1; at <= 3; at++ {
		broken := archive.NewProfiles(&harness.Crash{Store: store, At: at, How: harness.Before})
		_, err := broken.Get(t.Context(), "ada")
		if at == 1 && !errors.Is(err, harness.ErrCrash) {
			t.Errorf("a read: %v", err)
		}
		_, err = broken.Put(t.Context(), map[string]people.Profile{"ada": {Name: fmt.Sprint(at)}})
		if !errors.Is(err, harness.ErrCrash) {
			t.Errorf("a write after call %d: %v", at, err)
		}
	}
}

// counting counts calls.
type counting struct {
	archive.Store
	gets, replaced atomic.Int64
}

func (c *counting) Get(ctx context.Context, keys ...archive.Key) ([]archive.Item, error) {
	c.gets.Add(1)
	return c.Store.Get(ctx, keys...)
}

func (c *counting) Replace(ctx context.Context, item archive.Item, old []byte) error {
	c.replaced.Add(1)
	return c.Store.Replace(ctx, item, old)
}
