package httpapi

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"laurel/shared/board"
	"laurel/shared/people"
	"laurel/shared/records"
	"laurel/shared/request"
)

// A UserProfile is a user's profile.
type UserProfile struct {
	ID string `json:"id" example:"ann"`
	request.Profile
}

// written returns the answer to a profile that was put: as it was sent, its since as every moment.
func (a *api) written(user string, p request.Profile) UserProfile {
	if p.Since != nil {
		if at, err := board.ParseNearest(*p.Since); err == nil {
			p.Since = new(a.moment(at))
		} else { // null
			p.Since = nil
		}
	}
	return UserProfile{user, p}
}

// UserProfiles are some users' profiles.
type UserProfiles struct {
	Users []UserProfile `json:"users"`
}

// The statuses of problems that every operation with a body may have.
var bodyErrors = []int{
	http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType,
	http.StatusServiceUnavailable,
}

// profileErrors are those of reading what the table may have of a user.
var profileErrors = []int{http.StatusNotFound, http.StatusServiceUnavailable}

func (a *api) registerPeople() {
	register(a, operation{
		id: "put-user", method: http.MethodPut, path: "/v1/users/{user}", tag: "people",
		summary: "Replace a user's profile",
		detail: "The whole profile is replaced, but for since where it is left out. Live and final boards show it from " +
			"now on.",
		access: forService, body: request.PutProfile{}, errors: bodyErrors,
	}, a.putProfile)
	register(a, operation{
		id: "put-users", method: http.MethodPut, path: "/v1/users", tag: "people",
		summary: "Replace up to 100 profiles",
		detail:  "Each as for one user. If the request fails, some may be replaced; send it again.",
		access:  forService, body: request.ProfileList{}, errors: bodyErrors,
	}, a.putProfiles)
	register(a, operation{
		id: "delete-user", method: http.MethodDelete, path: "/v1/users/{user}", tag: "people",
		summary: "Erase a user",
		detail: "Removes the user from live boards, follow lists (the user's and others') and the ledger, and the " +
			"profile: what the user did at once, the id elsewhere within minutes. On final boards the place remains, and " +
			"the user is shown as erased. It may be repeated. Later activities of the user start anew.",
		access: forService, errors: []int{http.StatusServiceUnavailable}, status: http.StatusAccepted,
	}, a.erase)
}

func (a *api) registerPeopleReads() {
	register(a, operation{
		id: "read-user", method: http.MethodGet, path: "/v1/users/{user}", tag: "people",
		summary: "Read a user's profile",
		access:  forAll, cache: cacheLive, errors: profileErrors,
	}, a.profile)
	register(a, operation{
		id: "read-erasure", method: http.MethodGet, path: "/v1/users/{user}/erasure", tag: "people",
		summary: "Read the state of a user's erasure",
		access:  forService, errors: profileErrors,
	}, a.erasure)
}

func (a *api) putProfile(ctx context.Context, in *UserPath) (UserProfile, error) {
	var body request.PutProfile
	found := decode(ctx, &body)
	body.Check(in.User, found)
	if p := refused(ctx, found); p != nil {
		return UserProfile{}, p
	}
	if err := a.People.Put(ctx, map[string]people.Profile{in.User: body.Profile.Profile()}); err != nil {
		return UserProfile{}, err
	}
	return a.written(in.User, body.Profile), nil
}

func (a *api) putProfiles(ctx context.Context, _ *struct{}) (UserProfiles, error) {
	var body request.ProfileList
	found := decode(ctx, &body)
	body.Check(found)
	if p := refused(ctx, found); p != nil {
		return UserProfiles{}, p
	}
	answer := UserProfiles{Users: make([]UserProfile, len(body.Users))}
	profiles := make(map[string]people.Profile, len(body.Users))
	for i, p := range body.Users {
		answer.Users[i] = a.written(p.ID, p.Profile)
		profiles[p.ID] = p.Profile.Profile()
	}
	if err := a.People.Put(ctx, profiles); err != nil {
		return UserProfiles{}, err
	}
	return answer, nil
}

func (a *api) profile(ctx context.Context, in *UserPath) (UserProfile, error) {
	p, ok, err := a.People.Get(ctx, in.User)
	if err != nil {
		return UserProfile{}, err
	}
	if !ok {
		return UserProfile{}, newProblem(CodeNoProfile, "no such profile")
	}
	shown := request.Profile{Name: p.Name, Avatar: p.Avatar, Link: p.Link} // since is not public
	return UserProfile{in.User, shown}, nil
}

// eraseTime is how long a request works on an erasure before it answers that it
// still runs: well below the time a function and its gateway have.
const eraseTime = 5 * time.Second

// An Erasure is how far a user's erasure is.
type Erasure people.ErasureData

func (a *api) erase(ctx context.Context, in *UserPath) (Erasure, error) {
	ctx, cancel := context.WithTimeout(ctx, eraseTime)
	defer cancel()
	e, err := a.People.Erase(ctx, in.User, 0)
	return Erasure(e), err
}

func (a *api) erasure(ctx context.Context, in *UserPath) (Erasure, error) {
	e, err := a.People.Erasure(ctx, in.User)
	if errors.Is(err, people.ErrNoErasure) {
		return Erasure{}, newProblem(CodeNoErasure, "no such erasure")
	}
	return Erasure(e), err
}

// A User is who is on a board, or on a list.
type User struct {
	ID     UserID `json:"id"`
	Name   string `json:"name,omitempty" example:"Ann Lee"`
	Avatar string `json:"avatar,omitempty" format:"http-url" example:"https://forum.example/ann.png"`
	Link   string `json:"link,omitempty" format:"http-url" example:"https://forum.example/u/ann"`
	Firsts int64  `json:"firsts,omitempty" example:"3"`
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
