package httpapi_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// badPeople are requests about users that have to be turned away, whole. They are
// the service's unless they say otherwise.
var badPeople = []badCase{
	{name: "a profile of no body", path: "/v1/users/ann", status: 400, places: []string{"body"}},
	{name: "a profile that is a form", path: "/v1/users/ann", body: "name=Ann", header: []string{"Content-Type", "application/x-www-form-urlencoded"}, status: 415, places: []string{"header.Content-Type"}},
	{name: "a profile cut short", path: "/v1/users/ann", body: `{"name":"Ann`, status: 400, places: []string{"body"}},
	{name: "a profile and more", path: "/v1/users/ann", body: `{"name":"Ann"}{}`, status: 400, places: []string{"body"}},
	{name: "a name twice", path: "/v1/users/ann", body: `{"name":"Ann","name":"Bob"}`, status: 400, places: []string{"body"}},
	{name: "a profile of 256 KiB and more", path: "/v1/users/ann", body: `{"name":"Ann"}` + strings.Repeat(" ", 256<<10), status: 413},
	{name: "a profile of null", path: "/v1/users/ann", body: `null`, status: 422, places: []string{"body"}},
	{name: "a profile of a list", path: "/v1/users/ann", body: `[{"name":"Ann"}]`, status: 422, places: []string{"body"}},
	{name: "an empty profile", path: "/v1/users/ann", body: `{}`, status: 422, places: []string{"body.name"}},
	{name: "a name of null", path: "/v1/users/ann", body: `{"name":null}`, status: 422, places: []string{"body.name"}},
	{name: "a name of blanks", path: "/v1/users/ann", body: `{"name":"  "}`, status: 422, places: []string{"body.name"}},
	{name: "a name of 101 characters", path: "/v1/users/ann", body: `{"name":"` + strings.Repeat("é", 101) + `"}`, status: 422, places: []string{"body.name"}},
	{name: "an id in the body of one", path: "/v1/users/ann", body: `{"id":"ann","name":"Ann"}`, status: 422, places: []string{"body.id"}},
	{name: "addresses that are empty or null", path: "/v1/users/ann", body: `{"name":"Ann","avatar":"","link":null}`, status: 422, places: []string{"body.avatar", "body.link"}},
	{name: "addresses that are none", path: "/v1/users/ann", body: `{"name":"Ann","avatar":"javascript:alert(1)","link":"/u/ann"}`, status: 422, places: []string{"body.avatar", "body.link"}},
	{name: "everything wrong", path: "/v1/users/a%00?dryRun=1", body: `{"name":7,"avatar":"data:,x","face":{}}`, status: 422, places: []string{"body.name", "body.face", "body.avatar", "query.dryRun", "path.user"}},

	{name: "users that are missing", path: "/v1/users", body: `{}`, status: 422, places: []string{"body.users"}},
	{name: "users that are none", path: "/v1/users", body: `{"users":[]}`, status: 422, places: []string{"body.users"}},
	{name: "users that are one", path: "/v1/users", body: `{"users":{"id":"ann","name":"Ann"}}`, status: 422, places: []string{"body.users"}},
	{name: "users beside others", path: "/v1/users", body: `{"users":[{"id":"ann","name":"Ann"}],"all":true}`, status: 422, places: []string{"body.all"}},
	{name: "users with faults each", path: "/v1/users", body: `{"users":[{"name":"Ann"},{"id":"","name":"B"},{"id":7,"name":"C"},null,{"id":"..","name":""},{"id":"dan","name":"D"},{"id":"dan","name":"D"}]}`, status: 422, places: []string{
		"body.users[0].id", "body.users[1].id", "body.users[2].id", "body.users[3]", "body.users[4].name", "body.users[4].id", "body.users[6].id",
	}},
	{name: "101 users", path: "/v1/users", body: `{"users":[` + numberedList(101, `{"id":"u%d","name":"U"}`) + `]}`, status: 422, places: []string{"body.users"}},

	{name: "a list that is missing", path: "/v1/users/ann/following", body: `{}`, status: 422, places: []string{"body.users"}},
	{name: "a list that is none", path: "/v1/users/ann/following", body: `{"users":"bob"}`, status: 422, places: []string{"body.users"}},
	{name: "a list that is null", path: "/v1/users/ann/following", body: `{"users":null}`, status: 422, places: []string{"body.users"}},
	{name: "a list of one's own id and others", path: "/v1/users/ann/following", body: `{"users":["bob","ann","bob",7,null,"","..","` + strings.Repeat("u", 65) + `"]}`, status: 422, places: []string{
		"body.users[1]", "body.users[2]", "body.users[3]", "body.users[4]", "body.users[5]", "body.users[6]", "body.users[7]",
	}},
	{name: "a list of 5,001", path: "/v1/users/ann/following", body: `{"users":[` + numberedList(5_001, `"u%d"`) + `]}`, status: 422, places: []string{"body.users"}},
	{name: "a list that is not JSON", path: "/v1/users/ann/following", body: `bob`, status: 400, places: []string{"body"}},
	{name: "a page of a list", method: http.MethodGet, path: "/v1/users/ann/following?limit=101&offset=-1&around=1", status: 422, places: []string{"query.limit", "query.offset", "query.around"}},

	{name: "a visibility that is missing", path: "/v1/users/ann/visibility", body: `{}`, status: 422, places: []string{"body.boards"}},
	{name: "a visibility of true", path: "/v1/users/ann/visibility", body: `{"boards":true,"profile":"hidden"}`, status: 422, places: []string{"body.boards", "body.profile"}},
	{name: "another visibility", path: "/v1/users/ann/visibility", body: `{"boards":"Hidden"}`, status: 422, places: []string{"body.boards"}},
	{name: "a visibility of no JSON", path: "/v1/users/ann/visibility", body: `hidden`, status: 400, places: []string{"body"}},

	{name: "excluding nobody", path: "/v1/users/%2E%2E/exclusion?until=2027", status: 422, places: []string{"query.until", "path.user"}},
	{name: "taking nobody's exclusion back", method: http.MethodDelete, path: "/v1/users/a%0A/exclusion", status: 422, places: []string{"path.user"}},
	{name: "erasing nobody", method: http.MethodDelete, path: "/v1/users/a%7F?really=1", status: 422, places: []string{"query.really", "path.user"}},
	{name: "the erasure of nobody", method: http.MethodGet, path: "/v1/users/%ff/erasure", status: 422, places: []string{"path.user"}},
	{name: "the profile of nobody", method: http.MethodGet, path: "/v1/users/" + strings.Repeat("u", 65), status: 422, places: []string{"path.user"}},

	{name: "friends in no period", method: http.MethodGet, path: friends + "?period=2026-11&limit=0&offset=1", status: 422, places: []string{"query.limit", "query.offset", "query.period"}},
	{name: "friends on no board", method: http.MethodGet, path: "/v1/boards/karma/day/users/ann/friends", status: 404},
	{name: "friends in a window that the board does not keep", method: http.MethodGet, path: "/v1/boards/activity/year/users/ann/friends", status: 404},
}

func numberedList(n int, format string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(all, ",")
}

// Promise 8 for what is said about users: every fault is named, and nothing applied.
func TestPromise8NoSilenceAboutUsers(t *testing.T) {
	t.Parallel()
	f := newTown(t).open()
	f.did("ann like 1", "ann follow bob")
	f.put("/v1/users/ann", f.service(), `{"name":"Ann"}`)
	before := f.state()
	for _, c := range badPeople {
		if c.method == "" {
			c.method = http.MethodPut
		}
		a := f.do(c.method, c.path, f.service(), c.body, c.header...)
		p := a.problem(t)
		if got := p.places(); a.status != c.status || !slices.Equal(got, c.places) {
			t.Errorf("%s: %d with faults at %q, want %d, %q: %s", c.name, a.status, got, c.status, c.places, a.body)
		}
		for _, e := range p.Errors {
			if e.Message == "" {
				t.Errorf("%s: no message at %s", c.name, e.Location)
			}
		}
		if after := f.state(); !maps.Equal(before, after) {
			t.Fatalf("%s: something was applied", c.name)
		}
	}
	f.says(f.get("/v1/users/ann", ""), http.StatusOK, `{"id":"ann","name":"Ann"}`)
	if f.log.Len() > 0 {
		t.Errorf("bad input is no error of ours: %s", f.log)
	}
}
