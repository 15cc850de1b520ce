package httpapi

import (
	"context"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"laurel/shared/people"
	"laurel/shared/report"
	"laurel/shared/strictjson"
)

// maxProfiles is how many profiles one request may put.
const maxProfiles = 100

// A Profile is a user's name and face, as they are put and read.
type Profile struct {
	Name   string  `json:"name" minLength:"1" maxLength:"100" example:"Ann Lee"`
	Avatar *string `json:"avatar,omitempty" format:"uri" maxLength:"2048" example:"https://forum.example/ann.png" doc:"An http or https address"`
	Link   *string `json:"link,omitempty" format:"uri" maxLength:"2048" example:"https://forum.example/u/ann" doc:"An http or https address"`
}

// A UserProfile is a profile with whose it is.
type UserProfile struct {
	ID string `json:"id" minLength:"1" maxLength:"64" example:"ann"`
	Profile
}

// UserProfiles are some users' profiles.
type UserProfiles struct {
	Users []UserProfile `json:"users" minItems:"1" maxItems:"100" nullable:"false"`
}

// A PublicProfile is a user's profile as anybody reads it.
type PublicProfile UserProfile

func (PublicProfile) cacheControl() string { return cacheLive }
func (PublicProfile) stamp() string        { return "" }

// userBody is a request with a user in its path and a body.
type userBody struct {
	UserPath
	bodyInput
}

// Resolve takes the body, and notes what is wrong beside it.
func (in *userBody) Resolve(ctx huma.Context) []error {
	_ = in.bodyInput.Resolve(ctx)
	in.query = append(in.query, userFaults("path.user", in.User)...)
	return nil
}

// onlyUser is a request with a user in its path and nothing else.
type onlyUser struct{ UserPath }

// Resolve names what is wrong with the request beside what huma finds.
func (in *onlyUser) Resolve(ctx huma.Context) []error {
	return append(queryFaults(ctx), userFaults("path.user", in.User)...)
}

// The statuses of problems that every operation with a body may have.
var bodyErrors = []int{
	http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusServiceUnavailable,
}

// tableErrors are those and the one of a deployment without a table.
var tableErrors = append([]int{http.StatusNotImplemented}, bodyErrors...)

func (a *api) registerProfiles() {
	register(a, operation{
		id: "put-user", method: http.MethodPut, path: "/v1/users/{user}", tag: "people",
		summary: "Says who a user is",
		detail:  "A profile is replaced whole. Boards, also final ones, show it from now on.",
		parts:   Record, access: forService, body: Profile{}, errors: tableErrors,
	}, a.putProfile)
	register(a, operation{
		id: "put-users", method: http.MethodPut, path: "/v1/users", tag: "people",
		summary: "Says who up to 100 users are",
		detail:  "As for one user; if the answer is a failure, some may be replaced, and the same may be sent again.",
		parts:   Record, access: forService, body: UserProfiles{}, errors: tableErrors,
	}, a.putProfiles)
	register(a, operation{
		id: "read-user", method: http.MethodGet, path: "/v1/users/{user}", tag: "people",
		summary: "Who a user is",
		parts:   Query, access: forAll, errors: []int{http.StatusNotFound, http.StatusNotImplemented, http.StatusServiceUnavailable},
	}, a.profile)
}

func (a *api) putProfile(ctx context.Context, in *userBody) (UserProfile, error) {
	if a.People == nil {
		return UserProfile{}, noTable()
	}
	verdict := &report.Verdict{}
	r := strictjson.NewReader(in.body, &verdict.Faults)
	_, p, err := readProfile(r, &verdict.Faults, "body", false)
	if err == nil {
		err = r.End()
	}
	if err != nil {
		return UserProfile{}, badBody(strictjson.Reason(err))
	}
	if p := faulty(verdict, in.query); p != nil {
		return UserProfile{}, p
	}
	if err := a.People.Put(ctx, map[string]people.Profile{in.User: p}); err != nil {
		return UserProfile{}, err
	}
	return profileOf(in.User, p), nil
}

func (a *api) putProfiles(ctx context.Context, in *bodyInput) (UserProfiles, error) {
	if a.People == nil {
		return UserProfiles{}, noTable()
	}
	verdict := &report.Verdict{}
	ids, profiles, err := readProfiles(in.body, &verdict.Faults)
	if err != nil {
		return UserProfiles{}, badBody(strictjson.Reason(err))
	}
	if p := faulty(verdict, in.query); p != nil {
		return UserProfiles{}, p
	}
	if err := a.People.Put(ctx, profiles); err != nil {
		return UserProfiles{}, err
	}
	answer := UserProfiles{Users: make([]UserProfile, len(ids))}
	for i, id := range ids {
		answer.Users[i] = profileOf(id, profiles[id])
	}
	return answer, nil
}

func (a *api) profile(ctx context.Context, in *onlyUser) (PublicProfile, error) {
	if a.People == nil {
		return PublicProfile{}, noTable()
	}
	p, ok, err := a.People.Get(ctx, in.User)
	if err != nil {
		return PublicProfile{}, err
	}
	if !ok {
		return PublicProfile{}, newProblem(http.StatusNotFound, "this user has no profile")
	}
	return PublicProfile(profileOf(in.User, p)), nil
}

func profileOf(id string, p people.Profile) UserProfile {
	answer := UserProfile{ID: id, Profile: Profile{Name: p.Name}}
	if p.Avatar != "" {
		answer.Avatar = &p.Avatar
	}
	if p.Link != "" {
		answer.Link = &p.Link
	}
	return answer
}

// readProfiles reads {"users":[...]}, and returns the ids in their order.
func readProfiles(body []byte, f *strictjson.Faults) (ids []string, profiles map[string]people.Profile, err error) {
	const at = "body.users"
	profiles = map[string]people.Profile{}
	err = readList(body, f, "users", maxProfiles, func(r *strictjson.Reader, i int) error {
		place := fmt.Sprintf("%s[%d]", at, i)
		id, p, err := readProfile(r, f, place, true)
		if _, twice := profiles[id]; twice && id != "" {
			f.Add(place+".id", "is there before", id)
		}
		ids, profiles[id] = append(ids, id), p
		return err
	})
	if err == nil && f.Count() == 0 && len(ids) == 0 {
		f.Add(at, "must not be empty", 0)
	}
	return ids, profiles, err
}

// readProfile reads a profile, with the user's id if it has to have one.
func readProfile(r *strictjson.Reader, f *strictjson.Faults, at string, withID bool) (id string, p people.Profile, err error) {
	fields := map[string]*string{"name": &p.Name, "avatar": &p.Avatar, "link": &p.Link}
	if withID {
		fields["id"] = &id
	}
	given := map[string]bool{}
	ok, err := r.Object(at, func(name string) error {
		field, known := fields[name]
		if !known {
			return r.Wrong(at+"."+strictjson.Shorten(name), "is not a field of a profile")
		}
		given[name] = true
		text, err := r.Text(at + "." + name)
		if text == nil {
			delete(fields, name) // one fault a field is enough
			return err
		}
		*field = *text
		if *text == "" && name != "name" && name != "id" {
			f.Add(at+"."+name, "must not be empty; leave it out for none", "")
		}
		return err
	})
	if !ok || err != nil {
		return id, p, err
	}
	if withID && fields["id"] != nil {
		switch message := checkUser(id); {
		case !given["id"]:
			f.Add(at+".id", "is missing", nil)
		case message != "":
			f.Add(at+".id", message, id)
		}
	}
	for _, fault := range p.Violations() {
		switch {
		case fields[fault.Field] == nil:
		case !given[fault.Field]:
			f.Add(at+"."+fault.Field, "is missing", nil)
		default:
			f.Add(at+"."+fault.Field, fault.Message, fault.Value)
		}
	}
	return id, p, nil
}

// readList reads an object whose one field is a list of at most so many elements;
// each reads the element at a place.
func readList(body []byte, f *strictjson.Faults, field string, most int, each func(r *strictjson.Reader, i int) error) error {
	r := strictjson.NewReader(body, f)
	at := "body." + field
	given := false
	ok, err := r.Object("body", func(name string) error {
		if name != field {
			return r.Wrong("body."+strictjson.Shorten(name), "is not a field here; there is only "+field)
		}
		given = true
		n, ok, err := r.Array(at, func(i int) error {
			if i >= most {
				return r.Skip()
			}
			return each(r, i)
		})
		if ok && n > most {
			f.Add(at, fmt.Sprintf("must have at most %d", most), n)
		}
		return err
	})
	if err != nil {
		return err
	}
	if ok && !given {
		f.Add(at, "is missing", nil)
	}
	return r.End()
}

// noTable is the problem of what takes a table, in a deployment without one.
func noTable() *problem {
	return newProblem(http.StatusNotImplemented, "this takes a table, and this deployment has none")
}
