package httpapi

import (
	"github.com/danielgtaylor/huma/v2"

	"laurel/shared/records"
)

// A User is who is on a board, or on a list.
type User struct {
	ID     UserID `json:"id"`
	Name   string `json:"name,omitempty" example:"Ann Lee"`
	Avatar string `json:"avatar,omitempty" format:"http-url" example:"https://forum.example/ann.png"`
	Link   string `json:"link,omitempty" format:"http-url" example:"https://forum.example/u/ann"`
	Firsts int64  `json:"firsts,omitempty" example:"3" doc:"On how many final boards the user was the first, of the last 250 that gave a wreath; none when left out"`
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
func userOf(id string, p records.Public) User {
	if id == "" {
		return User{Erased: true}
	}
	return User{ID: UserID(id), Name: p.Name, Avatar: p.Avatar, Link: p.Link, Firsts: p.Firsts}
}
