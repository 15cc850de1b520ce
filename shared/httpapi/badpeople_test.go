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
		{"another's id in the body of one", `{"id":"bob","name":"Ann"}`, "422 body.id"},
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
			"422 body.name body.avatar body.face path.user query.dryRun",
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
				"body.users[4].id body.users[4].name body.users[6].id",
		},
		{"101 users", `{"users":[` + numberedList(101, `{"id":"u%d","name":"U"}`) + `]}`, "422 body.users"},
	}},
	{"service PUT /v1/users/ann/following", [][3]string{
		{"a list that is missing", `{}`, "422 body.users"},
		{"a list that is none", `{"users":"bob"}`, "422 body.users"},
		{"a list that is null", `{"users":null}`, "422 body.users"},
		{
			"a list of one's own id and others",
			`{"users":[{"id":"bob"},{"id":"ann"},{"id":"bob","name":7},{"id":7},"cid",{},{"id":".."},{"id":"` +
				strings.Repeat("u", 65) + `"}]}`,
			"422 body.users[1].id body.users[2].name body.users[2].id body.users[3].id body.users[4] body.users[5].id " +
				"body.users[6].id body.users[7].id",
		},
		{"a list of 5,001", `{"users":[` + numberedList(5_001, `{"id":"u%d"}`) + `]}`, "422 body.users"},
		{"a page of a list", `{"users":[{"id":"bob"}],"total":2,"next":"/v1/users/ann/following?offset=1"}`, "422 body.next"},
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
		{"a visibility that is missing", ``, "400 body"},
		{"days for friends", `{"days":"friends"}`, "422 body.days"},
		{"a visibility of true", `{"boards":true,"profile":"hidden"}`, "422 body.boards body.profile"},
		{"another visibility", `{"boards":"Hidden"}`, "422 body.boards"},
		{"a visibility of no JSON", `hidden`, "400 body"},
	}},
	{"service PUT /v1/users/ann/exclusion", [][3]string{
		{"an exclusion of text", `{"excluded":"no"}`, "422 body.excluded"},
		{"an exclusion of no JSON", `{`, "400 body"},
	}},
	{"service", [][3]string{
		{"excluding nobody", "PUT /v1/users/%2E%2E/exclusion?until=2027", "422 path.user query.until"},
		{"taking nobody's exclusion back", "DELETE /v1/users/a%0A/exclusion", "422 path.user"},
		{"erasing nobody", "DELETE /v1/users/a%7F?really=1", "422 path.user query.really"},
		{"the erasure of nobody", "/v1/users/%ff/erasure", "422 path.user"},
		{"the profile of nobody", "/v1/users/" + strings.Repeat("u", 65), "422 path.user"},
		{
			"friends in no period",
			friends + "?period=2026-11&limit=0&offset=-1",
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
	f := open(t)
	f.Did("ann like 1", "ann follow bob")
	f.Put("/v1/users/ann", f.Service(), `{"name":"Ann"}`)
	f.refuses(t, badPeople)
	f.Says(f.Get("/v1/users/ann", ""), http.StatusOK, `{"id":"ann","name":"Ann"}`)
}

var badQueries = []badRequests{
	{"nobody", [][3]string{
		{"an unknown board", "/v1/boards/karma/day", "404"},
		{"a board in capitals", "/v1/boards/Activity/day", "404"},
		{"an unknown window", "/v1/boards/activity/hour", "404"},
		{"a window that the board does not keep", "/v1/boards/activity/week", "404"},
		{"a board without a window", "/v1/boards/activity", "404"},
		{"an unknown address", "/v2/boards/activity/day", "404"},
		{"the root", "/", "404"},
		{"a slash at the end", "/v1/boards/activity/day/", "404"},
		{"two slashes", "/v1//boards/activity/day", "404"},
		{"dots in the path", "/v1/boards/../boards/activity/day", "404"},
		{"an empty user", "/v1/boards/activity/day/users/", "404"},
		{"another method", "PUT /v1/boards/activity/day", "405"},
		{"GET of what takes POST", "/v1/activities", "405"},
		{"a day for a month", "/v1/boards/activity/month?period=2026-11-20", "422 query.period"},
		{"a month for a day", "/v1/boards/activity/day?period=2026-11", "422 query.period"},
		{"all for a day", "/v1/boards/activity/day?period=all", "422 query.period"},
		{"a day that is none", "/v1/boards/activity/day?period=2026-02-29", "422 query.period"},
		{"a day in another spelling", "/v1/boards/activity/day?period=2026-1-5", "422 query.period"},
		{"a day of the year 0", "/v1/boards/activity/day?period=0000-01-01", "422 query.period"},
		{"a day of the year 9999", "/v1/boards/activity/day?period=9999-12-31", "422 query.period"},
		{"month 13", "/v1/boards/activity/month?period=2026-13", "422 query.period"},
		{"an empty period", "/v1/boards/activity/day?period=", "422 query.period"},
		{"a period with a null character", "/v1/boards/activity/day?period=%00", "422 query.period"},
		{"a limit of 0", "/v1/boards/activity/day?limit=0", "422 query.limit"},
		{"a limit of 101", "/v1/boards/activity/day?limit=101", "422 query.limit"},
		{"a negative limit", "/v1/boards/activity/day?limit=-1", "422 query.limit"},
		{"half a limit", "/v1/boards/activity/day?limit=1.5", "422 query.limit"},
		{"a limit in words", "/v1/boards/activity/day?limit=many", "422 query.limit"},
		{"a limit without a value", "/v1/boards/activity/day?limit", "422 query.limit"},
		{"a limit in hexadecimal", "/v1/boards/activity/day?limit=0x10", "422 query.limit"},
		{"a negative offset", "/v1/boards/activity/day?offset=-1", "422 query.offset"},
		{"an offset beyond 2^31", "/v1/boards/activity/day?offset=2147483649", "422 query.offset"},
		{"an offset beyond 2^64", "/v1/boards/activity/day?offset=18446744073709551616", "422 query.offset"},
		{"a parameter misspelt", "/v1/boards/activity/day?limt=5", "422 query.limt"},
		{"a parameter in capitals", "/v1/boards/activity/day?Limit=5", "422 query.Limit"},
		{"a parameter twice", "/v1/boards/activity/day?limit=5&limit=6", "422 query.limit"},
		{"the parameter of a path", "/v1/boards/activity/day?board=steps", "422 query.board"},
		{"an escape that is none", "/v1/boards/activity/day?limit=%zz", "422 query"},
		{"a semicolon", "/v1/boards/activity/day?limit=5;offset=2", "422 query"},
		{"an empty user to add", "/v1/boards/activity/day?user=", "422 query.user"},
		{"a user to add with a newline", "/v1/boards/activity/day?user=a%0Ab", "422 query.user"},
		{"a user to add that is not UTF-8", "/v1/boards/activity/day?user=%ff", "422 query.user"},
		{"a user of dots", "/v1/boards/activity/day/users/%2E%2E", "422 path.user"},
		{
			"a user of 65 bytes in the path",
			"/v1/boards/activity/day/users/" + strings.Repeat("u", 65),
			"422 path.user",
		},
		{"a user that is not UTF-8", "/v1/boards/activity/day/users/%ff", "422 path.user"},
		{"a user with a control character", "/v1/boards/activity/day/users/a%7F", "422 path.user"},
		{"a user twice", "/v1/boards/activity/day?users=ann&users=ann", "422 query.users[1]"},
		{"nobody among users", "/v1/boards/activity/day?users=&users=ann", "422 query.users[0]"},
		{"101 users", "/v1/boards/activity/day?users=u" + strings.Repeat("&users=u", 100), "422 query.users"},
		{"something else than movement", "/v1/boards/activity/day?with=names", "422 query.with"},
		{"users of a standing", "/v1/boards/activity/day/users/ann?users=bob", "422 query.users"},
		{"26 neighbours", "/v1/boards/activity/day/users/ann?around=26", "422 query.around"},
		{"limit of a standing", "/v1/boards/activity/day/users/ann?limit=5", "422 query.limit"},
		{
			"several faults",
			"/v1/boards/activity/day/users/a%00?around=-1&period=2026&x=1",
			"422 path.user query.around query.x query.period",
		},
		{"the periods of an unknown board", "/v1/boards/karma/day/periods", "404"},
		{"the periods of a window that the board does not keep", "/v1/boards/activity/year/periods", "404"},
		{"0 periods", "/v1/boards/activity/day/periods?limit=0", "422 query.limit"},
		{"101 periods", "/v1/boards/activity/day/periods?limit=101", "422 query.limit"},
		{"periods in words", "/v1/boards/activity/day/periods?limit=all", "422 query.limit"},
		{"periods before a month for days", "/v1/boards/activity/day/periods?before=2026-11", "422 query.before"},
		{
			"periods before a day that is none",
			"/v1/boards/activity/day/periods?before=2026-02-30",
			"422 query.before",
		},
		{"periods before nothing", "/v1/boards/activity/day/periods?before=", "422 query.before"},
		{
			"periods before two",
			"/v1/boards/activity/day/periods?before=2026-11-20&before=2026-11-19",
			"422 query.before",
		},
		{
			"an offset of periods",
			"/v1/boards/activity/month/periods?offset=1&limit=-1&before=x",
			"422 query.limit query.before query.offset",
		},
	}},
	{"service", [][3]string{
		{"0 days", "/v1/users/ann/activity?days=0", "422 query.days"},
		{"63 days", "/v1/users/ann/activity?days=63", "422 query.days"},
		{"days beyond 32 bits", "/v1/users/ann/activity?days=4294967297", "422 query.days"},
		{"a parameter of standings", "/v1/users/ann/standings?board=activity", "422 query.board"},
		{"the standings of nobody", "/v1/users/%20%0A/standings", "422 path.user"},
	}},
	{"nobody", [][3]string{
		{"a parameter of the rules", "/v1/rules?at=2026-11-20", "422 query.at"},
		{"a parameter of health", "/v1/health?deep=1", "422 query.deep"},
	}},
}
