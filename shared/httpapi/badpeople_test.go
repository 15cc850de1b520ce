package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// badPeople are requests about users that are refused, whole.
var badPeople = []badRequests{
	{"service PUT /v1/users/ann", [][3]string{
		{"a profile of no body", "", "400 body"},
		{"a profile that is a form", "Content-Type: application/x-www-form-urlencoded", "415 header.Content-Type"},
		{"a profile cut short", `{"name":"Ann`, "400 body"},
		{"a profile and more", `{"name":"Ann"}{}`, "400 body"},
		{"a name twice", `{"name":"Ann","name":"Bob"}`, "400 body"},
		{"a profile of 256 KiB and more", `{"name":"Ann"}` + strings.Repeat(" ", 256<<10), "413"},
		{"a profile of null", `null`, "422 body"},
		{"a profile of a list", `[{"name":"Ann"}]`, "422 body"},
		{"an empty profile", `{}`, "422 body.name"},
		{"a name of null", `{"name":null}`, "422 body.name"},
		{"a name of blanks", `{"name":"  "}`, "422 body.name"},
		{"a name of 101 characters", `{"name":"` + strings.Repeat("é", 101) + `"}`, "422 body.name"},
		{"an id in the body of one", `{"id":"ann","name":"Ann"}`, "422 body.id"},
		{"addresses that are empty or null", `{"name":"Ann","avatar":"","link":null}`, "422 body.avatar body.link"},
		{
			"addresses that are none",
			`{"name":"Ann","avatar":"javascript:alert(1)","link":"/u/ann"}`,
			"422 body.avatar body.link",
		},
	}},
	{"service PUT /v1/users/a%00?dryRun=1", [][3]string{
		{
			"everything wrong",
			`{"name":7,"avatar":"data:,x","face":{}}`,
			"422 body.name body.face body.avatar query.dryRun path.user",
		},
	}},
	{"service PUT /v1/users", [][3]string{
		{"users that are missing", `{}`, "422 body.users"},
		{"users that are none", `{"users":[]}`, "422 body.users"},
		{"users that are one", `{"users":{"id":"ann","name":"Ann"}}`, "422 body.users"},
		{"users beside others", `{"users":[{"id":"ann","name":"Ann"}],"all":true}`, "422 body.all"},
		{
			"users with faults each",
			`{"users":[{"name":"Ann"},{"id":"","name":"B"},{"id":7,"name":"C"},null,{"id":"..","name":""},` +
				`{"id":"dan","name":"D"},{"id":"dan","name":"D"}]}`,
			"422 body.users[0].id body.users[1].id body.users[2].id body.users[3] " +
				"body.users[4].name body.users[4].id body.users[6].id",
		},
		{"101 users", `{"users":[` + numberedList(101, `{"id":"u%d","name":"U"}`) + `]}`, "422 body.users"},
	}},
	{"service PUT /v1/users/ann/following", [][3]string{
		{"a list that is missing", `{}`, "422 body.users"},
		{"a list that is none", `{"users":"bob"}`, "422 body.users"},
		{"a list that is null", `{"users":null}`, "422 body.users"},
		{
			"a list of one's own id and others",
			`{"users":["bob","ann","bob",7,null,"","..","` + strings.Repeat("u", 65) + `"]}`,
			"422 body.users[1] body.users[2] body.users[3] body.users[4] body.users[5] body.users[6] body.users[7]",
		},
		{"a list of 5,001", `{"users":[` + numberedList(5_001, `"u%d"`) + `]}`, "422 body.users"},
		{"a list that is not JSON", `bob`, "400 body"},
	}},
	{"service", [][3]string{
		{
			"a page of a list",
			"/v1/users/ann/following?limit=101&offset=-1&around=1",
			"422 query.limit query.offset query.around",
		},
	}},
	{"service PUT /v1/users/ann/visibility", [][3]string{
		{"a visibility that is missing", `{}`, "422 body.boards"},
		{"a visibility of true", `{"boards":true,"profile":"hidden"}`, "422 body.boards body.profile"},
		{"another visibility", `{"boards":"Hidden"}`, "422 body.boards"},
		{"a visibility of no JSON", `hidden`, "400 body"},
	}},
	{"service", [][3]string{
		{"excluding nobody", "PUT /v1/users/%2E%2E/exclusion?until=2027", "422 query.until path.user"},
		{"taking nobody's exclusion back", "DELETE /v1/users/a%0A/exclusion", "422 path.user"},
		{"erasing nobody", "DELETE /v1/users/a%7F?really=1", "422 query.really path.user"},
		{"the erasure of nobody", "/v1/users/%ff/erasure", "422 path.user"},
		{"the profile of nobody", "/v1/users/" + strings.Repeat("u", 65), "422 path.user"},
		{
			"friends in no period",
			friends + "?period=2026-11&limit=0&offset=1",
			"422 query.limit query.offset query.period",
		},
		{"friends on no board", "/v1/boards/karma/day/users/ann/friends", "404"},
		{"friends in a window that the board does not keep", "/v1/boards/activity/year/users/ann/friends", "404"},
	}},
}

func numberedList(n int, format string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(all, ",")
}

// Promise 8 for what is said about users: every violation is listed, and nothing applied.
func TestPromise8NoSilenceAboutUsers(t *testing.T) {
	t.Parallel()
	f := newTown(t).open()
	f.did("ann like 1", "ann follow bob")
	f.put("/v1/users/ann", f.service(), `{"name":"Ann"}`)
	f.refuses(t, badPeople)
	f.says(f.get("/v1/users/ann", ""), http.StatusOK, `{"id":"ann","name":"Ann"}`)
}
