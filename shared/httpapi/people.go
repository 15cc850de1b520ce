package httpapi

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/boards"
	"laurel/shared/export"
	"laurel/shared/ledger"
	"laurel/shared/pages"
	"laurel/shared/people"
)

// A PeopleStore is what the operations about users need of package live.
type PeopleStore interface {
	Friends(context.Context, board.View) (boards.FriendsPage, error)
	Following(ctx context.Context, user string, offset, limit int64) (boards.Following, error)
	ReplaceFollowing(ctx context.Context, user string, targets []string, at board.Moment) error
	OwnStandings(ctx context.Context, user string, views []board.View) ([]board.Standing, error)
	Status(ctx context.Context, user string) (ledger.UserStatus, error)
	SetVisibility(ctx context.Context, user string, v pages.Visibility) (ledger.UserStatus, error)
	SetExclusion(ctx context.Context, user string, excluded bool) error
	Shadow(ctx context.Context, user string) error
}

// People are who users are: names and faces.
type People interface {
	// Names returns the profiles of those on pages, made of the copies that came with
	// them as far as these go. It leaves out who has none, and whose is not to be had
	// just now: a board without a name is better than no board.
	Names(
		ctx context.Context, users []string, copies map[string]string, generation string,
	) map[string]people.Profile
	// Authors returns the profiles of authors of articles, made of the copies that
	// came with the articles, "" for one that did not, as far as these go.
	Authors(ctx context.Context, copies map[string]string) map[string]people.Profile
	// Get returns a user's profile, if there is one.
	Get(ctx context.Context, user string) (p people.Profile, ok bool, err error)
	// Put replaces the profiles of at most 100 users, each whole.
	Put(ctx context.Context, profiles map[string]people.Profile) error
}

// An Exporter gathers what is kept of users.
type Exporter interface {
	// Newest returns what is kept of a user, of what can be long the newest.
	Newest(ctx context.Context, user string) (export.UserData, error)
}

// An Eraser takes users out of everything.
type Eraser interface {
	// Erase begins to erase a user, or goes on, until it is done or the context
	// ends: then the error is none, and the erasure still runs.
	Erase(ctx context.Context, user string) (archive.Erasure, error)
	// Erasure returns how far an erasure is; the error wraps archive.ErrNoErasure.
	Erasure(ctx context.Context, user string) (archive.Erasure, error)
}

// A User is who is on a board, or on a list.
type User struct {
	ID     UserID `json:"id"`
	Name   string `json:"name,omitempty" example:"Ann Lee"`
	Avatar string `json:"avatar,omitempty" format:"http-url" example:"https://forum.example/ann.png"`
	Link   string `json:"link,omitempty" format:"http-url" example:"https://forum.example/u/ann"`
	Erased bool   `json:"erased,omitempty" doc:"Whether the user was erased; the place remains"`
}

// A UserID is a user's id; that of one who was erased is "", and null in JSON.
type UserID string

// MarshalJSON writes the id, or null.
func (id UserID) MarshalJSON() ([]byte, error) {
	if id == "" {
		return []byte("null"), nil
	}
	return marshal(string(id))
}

// Schema describes an id that may be null.
func (UserID) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeString, Nullable: true, Examples: []any{"ann"}, Description: "null for an erased user",
	}
}

// userOf makes a user of an id, "" for one who was erased, and a profile.
func userOf(id string, p people.Profile) User {
	if id == "" {
		return User{Erased: true}
	}
	return User{ID: UserID(id), Name: p.Name, Avatar: p.Avatar, Link: p.Link}
}

// names returns the profiles of users, by the copies that were read with them.
func (a *api) names(ctx context.Context, users []string, copies boards.Copies) map[string]people.Profile {
	if a.People == nil {
		return nil
	}
	return a.People.Names(ctx, users, copies.Profiles, copies.Generation)
}
