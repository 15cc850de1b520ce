package people

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"laurel/shared/records"
)

const (
	showsAtOnce   = 8               // people who are shown side by side
	namesPatience = 2 * time.Second // for which a board waits for names from the table
)

// Get returns a user's profile; false if there is none.
func (s *Store) Get(ctx context.Context, user string) (p Profile, ok bool, err error) {
	person, _, err := s.readPerson(ctx, user)
	p = Profile(person.Name)
	return p, p != Profile{}, err
}

// Put replaces whole profiles, at most 100; one without since keeps what is known. One that is as
// it was is not written. After an error some may be replaced.
func (s *Store) Put(ctx context.Context, profiles map[string]Profile) error {
	head, err := s.Records.Head(ctx)
	if err != nil {
		return err
	}
	var changed []string
	pending := slices.Sorted(maps.Keys(profiles))
	err = records.Again(ctx, func() (err error) {
		var written []string
		written, pending, err = s.putSome(ctx, head, pending, profiles)
		changed = append(changed, written...)
		return err
	})
	s.show(ctx, changed...)
	return err
}

// putSome writes profiles, and returns those users whose are yet to be written. The error wraps
// table.ErrConflict if others came before them.
func (s *Store) putSome(ctx context.Context, head *records.Head, users []string, profiles map[string]Profile) (
	written, again []string, err error,
) {
	keys := make([]records.Key, len(users))
	for i, user := range users {
		keys[i] = head.KeyOf(user)
	}
	found, err := s.Records.Read(ctx, records.Query{People: keys})
	if err != nil {
		return nil, nil, err
	}
	var changes []records.Change
	var of []string
	for i, user := range users {
		row, next := found.People[keys[i]], records.Person{}
		if row.Err != nil {
			err = errors.Join(err, row.Err)
			continue
		}
		if row.Revision != 0 {
			next = *row.Value
		}
		was := next.Name
		if next.ID, next.Name = user, nameOf(profiles[user], was); next.Name == was {
			continue
		}
		of = append(of, user)
		changes = append(changes, records.Change{
			Was: row.Revision, Person: &records.PersonChange{Key: keys[i], Value: &next},
		})
	}
	for i, w := range s.Records.Write(ctx, changes...) {
		err = cmp.Or(err, w.Err)
		if w.Err == nil {
			written = append(written, of[i])
		} else {
			again = append(again, of[i])
		}
	}
	return written, again, err
}

// nameOf returns the name that a profile is, after another one.
func nameOf(p Profile, was records.Name) records.Name {
	switch p.Since {
	case "":
		p.Since = was.Since
	case NoSince:
		p.Since = ""
	}
	return records.Name(p)
}

// show shows people as they are now. The recorder says in the head whom it could not show.
func (s *Store) show(ctx context.Context, users ...string) {
	s.names.drop(users...)
	var group errgroup.Group
	group.SetLimit(showsAtOnce)
	for _, user := range users {
		group.Go(func() error {
			if err := s.Recorder.ShowUser(ctx, user); err != nil {
				s.Log.WarnContext(ctx, "a person is not shown yet", "cause", err.Error())
			}
			return nil
		})
	}
	_ = group.Wait()
}

// Names returns what is shown of users: by the texts that were read with them, "" for one who is
// known to have none, and for those without a text from the table, which is kept for a minute.
// It does not fail and waits at most two seconds: a board without some names is better than none.
func (s *Store) Names(ctx context.Context, users []string, texts map[string]string) map[string]records.Public {
	names, asked := make(map[string]records.Public, len(users)), map[string]bool{}
	for _, user := range users {
		text, known := texts[user]
		if known {
			public, err := records.ParsePublic(text)
			if known = err == nil; known && public != (records.Public{}) {
				names[user] = public
			}
		} else if p, kept := s.names.get(user); kept {
			if known = true; p != (records.Public{}) {
				names[user] = p
			}
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
