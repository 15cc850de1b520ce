package people

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

// MaxName is the most characters of a name.
const MaxName = 100

// NoSince in a profile that is written removes the known Since.
const NoSince = "none"

// A Profile is a user's name, picture and page, "" for a missing one, and the private groups.
type Profile struct {
	Name   string `json:"name"`
	Avatar string `json:"avatar,omitempty"` // URL of a picture
	Link   string `json:"link,omitempty"`   // URL of a page
	Since  string `json:"since,omitempty"`  // when the account was made, RFC 3339; not public

	// Groups in a profile that is written replace the known ones; nil keeps these, an empty list removes them.
	Groups []string `json:"groups,omitzero"`
}

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
	return append(found, GroupViolations(p.Groups)...)
}

// GroupViolations returns the violations of a person's groups, nil if they are valid: there are at most
// activity.MaxMemberGroups, each is written as an id of activity.MaxMemberGroup bytes, and is in the list once.
func GroupViolations(groups []string) (found []activity.Violation) {
	if len(groups) > activity.MaxMemberGroups {
		return []activity.Violation{{
			Code: activity.CodeTooManyItems, Location: "groups", Value: len(groups),
			Message: fmt.Sprintf("must have at most %d items", activity.MaxMemberGroups),
		}}
	}
	for i, group := range groups {
		code, message := activity.CheckID(group, activity.MaxMemberGroup)
		if code == "" && slices.Contains(groups[:i], group) {
			code, message = activity.CodeDuplicateItem, "duplicate item"
		}
		if code != "" {
			found = append(found, activity.Violation{
				Code: code, Location: fmt.Sprintf("groups[%d]", i), Message: message, Value: group,
			})
		}
	}
	return found
}

// Clean returns as much of the profile as it may have, and the violations that this has removed. A name of which
// nothing shows is "" then: Put takes the one that is known, else the user's id. Of groups all or none are taken: with
// some of them a person could be on a board that the others keep them from.
func (p Profile) Clean() (Profile, []activity.Violation) {
	found := p.Violations()
	for _, v := range found {
		if strings.HasPrefix(v.Location, "groups") {
			p.Groups = nil
		}
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
	return profileOf(&person), person.Profile != (items.Profile{}), err
}

// profileOf returns a person's profile. Its groups are not nil: written again, it changes nothing.
func profileOf(p *items.Person) Profile {
	kept := p.Profile
	return Profile{kept.Name, kept.Avatar, kept.Link, kept.Since, append([]string{}, p.Groups...)}
}

// Put replaces whole profiles, at most 100; one without since or groups keeps the known ones. One that is as it was is
// not written. After an error some may be replaced.
func (s *Store) Put(ctx context.Context, profiles map[string]Profile) error {
	changes := make(map[string]change, len(profiles))
	for user, p := range profiles {
		changes[user] = p.replace
	}
	_, err := s.changeAll(ctx, changes)
	return err
}

// An Update has the parts of a profile that a forum tells: a part that is "" or nil stays as it is known.
type Update struct {
	Profile
	Joined, Left []string // groups, where Groups are nil
}

// Update changes profiles, at most 100, and returns the users whose profile differs now. A user without a profile
// gets one, with the id for a name that is not told. A user who would have more groups than a person may have keeps
// the known ones, and is among crowded. After an error some may be changed.
func (s *Store) Update(ctx context.Context, updates map[string]Update) (changed, crowded []string, err error) {
	changes, over := make(map[string]change, len(updates)), map[string]bool{}
	for user, u := range updates {
		changes[user] = func(person *items.Person) { over[user] = !u.apply(person) }
	}
	changed, err = s.changeAll(ctx, changes)
	for _, user := range slices.Sorted(maps.Keys(over)) {
		if over[user] {
			crowded = append(crowded, user)
		}
	}
	return changed, crowded, err
}

// apply changes a person, and reports whether there was room for all groups.
func (u Update) apply(person *items.Person) bool {
	was, p := profileOf(person), u.Profile
	p.Avatar, p.Link = cmp.Or(p.Avatar, was.Avatar), cmp.Or(p.Link, was.Link)
	if p.Groups == nil && len(u.Joined)+len(u.Left) > 0 {
		left := func(group string) bool { return slices.Contains(u.Left, group) }
		p.Groups = sortedGroups(append(slices.DeleteFunc(was.Groups, left), u.Joined...))
	}
	room := len(p.Groups) <= activity.MaxMemberGroups
	if !room {
		p.Groups = nil
	}
	if person.Profile != (items.Profile{}) || u.Name+u.Avatar+u.Link+u.Since != "" || len(p.Groups) > 0 {
		p.replace(person)
	}
	return room
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
		written, again, err := s.changeSome(ctx, head, slices.Sorted(maps.Keys(changes)), changes)
		changed = append(changed, written...)
		changes = maps.Clone(changes)
		maps.DeleteFunc(changes, func(user string, _ change) bool { return !slices.Contains(again, user) })
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

// changeSome changes people, and returns those users who are yet to be written. The error wraps
// table.ErrConflict if others came before them.
func (s *Store) changeSome(ctx context.Context, head *items.Head, users []string, all map[string]change) (
	written, again []string, err error,
) {
	keys := head.KeysOf(users)
	found, err := s.Items.Read(ctx, items.Query{People: keys})
	if err != nil {
		return nil, nil, err
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
			return nil, users, fmt.Errorf("people: %w: a user was merged meanwhile", table.ErrConflict)
		}
		next.ID = user
		if all[user](&next); next.Profile == was.Profile && slices.Equal(next.Groups, was.Groups) {
			continue
		}
		changed = append(changed, user)
		changes = append(changes, items.NextPerson(keys[i], row, &next))
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

// replace replaces the profile of a person whose id is known.
func (p Profile) replace(person *items.Person) {
	was := person.Profile
	person.Profile = items.Profile{
		Name: cmp.Or(p.Name, was.Name, person.ID), Avatar: p.Avatar, Link: p.Link, Since: p.Since,
	}
	switch p.Since {
	case "":
		person.Profile.Since = was.Since
	case NoSince:
		person.Profile.Since = ""
	}
	if p.Groups != nil {
		person.Groups = sortedGroups(p.Groups)
	}
}

// sortedGroups returns groups as a person has them: sorted byte by byte, each once; nil for none.
func sortedGroups(groups []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(groups)))
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
