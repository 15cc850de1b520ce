package people

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/store/items"
)

// MaxName is the most characters of a name.
const MaxName = 100

// NoSince in a profile that is written removes the known Since.
const NoSince = "none"

// A Profile is a user's name, picture and page, "" for a missing one.
type Profile items.Profile

// Violations returns the profile's violations, nil if it is valid.
func (p Profile) Violations() []activity.Violation {
	var found []activity.Violation
	add := func(location, value string, code activity.Code, message string) {
		if code != "" {
			found = append(found, activity.Violation{Code: code, Location: location, Message: message, Value: value})
		}
	}
	code, message := activity.CheckText(p.Name, MaxName)
	add("name", p.Name, code, message)
	for _, f := range [...][2]string{{"avatar", p.Avatar}, {"link", p.Link}} {
		if f[1] != "" {
			code, message = activity.CheckURL(f[1])
			add(f[0], f[1], code, message)
		}
	}
	if _, err := board.ParseMoment(p.Since); p.Since != "" && p.Since != NoSince && err != nil {
		add("since", p.Since, activity.CodeInvalidTime, "must be an RFC 3339 date and time with a zone")
	}
	return found
}

// Clean returns as much of the profile as it may have, and the violations that this has removed. A name of which
// nothing shows is "" then: Put takes the one that is known, else the user's id.
func (p Profile) Clean() (Profile, []activity.Violation) {
	found := p.Violations()
	for _, v := range found {
		switch v.Location {
		case "avatar":
			p.Avatar = ""
		case "link":
			p.Link = ""
		case "since":
			p.Since = ""
		}
	}
	p.Name = activity.CleanText(p.Name, MaxName)
	return p, found
}

// showsAtOnce is how many people are shown side by side.
const showsAtOnce = 8

// Get returns a user's profile; false if there is none.
func (s *Store) Get(ctx context.Context, user string) (p Profile, ok bool, err error) {
	person, err := s.readPerson(ctx, user)
	p = Profile(person.Profile)
	return p, p != Profile{}, err
}

// Put replaces whole profiles, at most 100; one without since keeps the known one. One that is as it was is not
// written. After an error some may be replaced.
func (s *Store) Put(ctx context.Context, profiles map[string]Profile) error {
	head, err := s.Items.Head(ctx)
	if err != nil {
		return err
	}
	var changed []string
	pending := slices.Sorted(maps.Keys(profiles))
	err = items.Again(ctx, func() (err error) {
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
func (s *Store) putSome(ctx context.Context, head *items.Head, users []string, profiles map[string]Profile) (
	written, again []string, err error,
) {
	keys := make([]items.Key, len(users))
	for i, user := range users {
		keys[i] = head.KeyOf(user)
	}
	found, err := s.Items.Read(ctx, items.Query{People: keys})
	if err != nil {
		return nil, nil, err
	}
	var changes []items.Change
	var changed []string
	for i, user := range users {
		row, next := found.People[keys[i]], items.Person{}
		if row.Err != nil {
			err = errors.Join(err, row.Err)
			continue
		}
		if row.Revision != 0 {
			next = *row.Value
		}
		was := next.Profile
		if next.ID, next.Profile = user, nameOf(user, profiles[user], was); next.Profile == was {
			continue
		}
		changed = append(changed, user)
		changes = append(changes, items.Change{
			Was: row.Revision, Person: &items.PersonChange{Key: keys[i], Value: &next},
		})
	}
	for i, w := range s.Items.Write(ctx, changes...) {
		err = cmp.Or(err, w.Err)
		if w.Err == nil {
			written = append(written, changed[i])
		} else {
			again = append(again, changed[i])
		}
	}
	return written, again, err
}

// nameOf returns the name that a profile is, after another one.
func nameOf(user string, p Profile, was items.Profile) items.Profile {
	p.Name = cmp.Or(p.Name, was.Name, user)
	switch p.Since {
	case "":
		p.Since = was.Since
	case NoSince:
		p.Since = ""
	}
	return items.Profile(p)
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
