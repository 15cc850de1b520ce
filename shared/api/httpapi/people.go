package httpapi

import (
	"context"
	"errors"
	"time"

	"laurel/shared/api/wire"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/profile"
	"laurel/shared/forum/people"
)

// written returns the answer to a profile that was put: as it was sent, its since as every moment.
func (a *api) written(user string, p profile.Profile) wire.UserProfile {
	if since, err := board.ParseNearest(p.Since); err == nil {
		p.Since = a.moment(since)
	} else { // it was left out, or removes the known one
		p.Since = ""
	}
	return wire.UserProfile{ID: user, Profile: p}
}

// A privateProfile has the parts, too, that the service alone reads.
type privateProfile struct {
	wire.UserProfile
	Groups []string `json:"groups"` // an empty list for none
}

func (a *api) privateProfile(ctx context.Context, in *userPath) (privateProfile, error) {
	p, err := a.known(ctx, in.User)
	return privateProfile{a.written(in.User, p), p.Groups}, err
}

// known returns the profile of a user who has one.
func (a *api) known(ctx context.Context, user string) (profile.Profile, error) {
	p, ok, err := a.People.Get(ctx, user)
	if err == nil && !ok {
		err = newProblem(CodeNoProfile, "no such profile")
	}
	return p, err
}

func (a *api) putProfile(ctx context.Context, in *userPath) (wire.UserProfile, error) {
	var body wire.PutProfile
	found := decode(ctx, &body)
	body.Check(in.User, found)
	if p := refused(ctx, found); p != nil {
		return wire.UserProfile{}, p
	}
	err := a.People.Put(ctx, map[string]profile.Profile{in.User: body.Nearest()})
	return a.written(in.User, body.Profile), err
}

func (a *api) putProfiles(ctx context.Context, _ *struct{}) (wire.ProfileList, error) {
	var body wire.ProfileList
	found := decode(ctx, &body)
	body.Check(found)
	if p := refused(ctx, found); p != nil {
		return wire.ProfileList{}, p
	}
	answer := wire.ProfileList{Users: make([]wire.UserProfile, len(body.Users))}
	profiles, ids := make(map[string]profile.Profile, len(body.Users)), make([]string, len(body.Users))
	for i, p := range body.Users {
		ids[i] = p.ID
	}
	ids = a.resolve(ctx, ids)
	for i, p := range body.Users {
		answer.Users[i] = a.written(ids[i], p.Profile)
		profiles[p.ID] = p.Nearest()
	}
	return answer, a.People.Put(ctx, profiles)
}

func (a *api) profile(ctx context.Context, in *userPath) (wire.UserProfile, error) {
	p, err := a.known(ctx, in.User)
	shown := profile.Profile{Name: p.Name, Avatar: p.Avatar, Link: p.Link} // the other parts are not public
	return wire.UserProfile{ID: in.User, Profile: shown}, err
}

// erase works on an erasure for five seconds at most, well below the time that a function and its gateway have.
func (a *api) erase(ctx context.Context, in *userPath) (people.Erasure, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	return a.People.Erase(ctx, in.User, 0, "")
}

func (a *api) erasure(ctx context.Context, in *userPath) (people.Erasure, error) {
	return a.People.Erasure(ctx, in.User)
}

func (a *api) merge(ctx context.Context, in *userPath) (people.Merge, error) {
	var body wire.Merge
	found := decode(ctx, &body)
	own := activity.Violation{
		Code: activity.CodeOwnID, Location: "body.into", Value: body.Into,
		Message: "must not be the user's own id, or that of a user who was merged into this one",
	}
	if body.Into == in.User {
		found.Add(own)
	}
	if p := refused(ctx, found); p != nil {
		return people.Merge{}, p
	}
	m, err := a.People.Merge(ctx, in.User, body.Into, body.Reason)
	if errors.Is(err, people.ErrMergeSelf) {
		found.Add(own)
		return m, refused(ctx, found)
	}
	return m, err
}

func (a *api) mergeOf(ctx context.Context, in *userPath) (people.Merge, error) {
	return a.People.MergeOf(ctx, in.User)
}

// userOf makes a user of an id, "" for one who was erased, and a profile.
func userOf(id string, p profile.Public) profile.User {
	if id == "" {
		return profile.User{Erased: true}
	}
	return profile.User{ID: &id, Public: p}
}
