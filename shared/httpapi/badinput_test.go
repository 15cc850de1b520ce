package httpapi_test

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
)

const (
	like  = `{"action":"like","target":"a1"}`
	likes = `{"action":"like","target":"a1","user":"ann"}` // as the service says it
)

// list makes the body of a report.
func list(activities ...string) string {
	return `{"activities":[` + strings.Join(activities, ",") + `]}`
}

// A badCase is a request that has to be turned away, whole.
type badCase struct {
	name   string
	caller string // "", user, service
	method string // GET when there is no body, else POST
	path   string // of the activities
	header []string
	body   string
	status int
	places []string // of its faults, in order
}

var badBodies = []badCase{
	{name: "no body", method: http.MethodPost, status: 400, places: []string{"body"}},
	{name: "blank body", body: "  \n", status: 400, places: []string{"body"}},
	{name: "not JSON", body: "like a1", status: 400, places: []string{"body"}},
	{name: "a form", body: "action=like", header: []string{"Content-Type", "application/x-www-form-urlencoded"}, status: 415, places: []string{"header.Content-Type"}},
	{name: "JSON of another type", body: list(like), header: []string{"Content-Type", "text/json"}, status: 415, places: []string{"header.Content-Type"}},
	{name: "a type that is none", body: list(like), header: []string{"Content-Type", "application/json; ="}, status: 415, places: []string{"header.Content-Type"}},
	{name: "another charset", body: list(like), header: []string{"Content-Type", "application/json; charset=latin1"}, status: 415, places: []string{"header.Content-Type"}},
	{name: "compressed", body: list(like), header: []string{"Content-Encoding", "gzip"}, status: 415, places: []string{"header.Content-Encoding"}},
	{name: "cut short", body: `{"activities":[{"action":"like","target":"a`, status: 400, places: []string{"body"}},
	{name: "a comma too many", body: `{"activities":[` + like + `,]}`, status: 400, places: []string{"body"}},
	{name: "single quotes", body: `{'activities':[]}`, status: 400, places: []string{"body"}},
	{name: "a comment", body: `{"activities":[` + like + `]/* */}`, status: 400, places: []string{"body"}},
	{name: "NaN", body: list(`{"action":"steps","value":NaN}`), status: 400, places: []string{"body"}},
	{name: "a number with a leading zero", body: list(`{"action":"steps","value":0123}`), status: 400, places: []string{"body"}},
	{name: "two documents", body: list(like) + list(like), status: 400, places: []string{"body"}},
	{name: "something after", body: list(like) + "x", status: 400, places: []string{"body"}},
	{name: "a byte order mark", body: "\xef\xbb\xbf" + list(like), status: 400, places: []string{"body"}},
	{name: "UTF-16", body: "\xff\xfe{\x00}\x00", status: 400, places: []string{"body"}},
	{name: "bytes that are not UTF-8", body: list(`{"action":"like","target":"a` + "\xff" + `"}`), status: 400, places: []string{"body"}},
	{name: "an overlong encoding", body: list(`{"action":"like","target":"` + "\xc0\xaf" + `"}`), status: 400, places: []string{"body"}},
	{name: "bytes of a surrogate", body: list(`{"action":"like","target":"` + "\xed\xa0\x80" + `"}`), status: 400, places: []string{"body"}},
	{name: "half a surrogate", body: list(`{"action":"like","target":"\ud800"}`), status: 400, places: []string{"body"}},
	{name: "the wrong half of a surrogate", body: list(`{"action":"like","target":"\udc00\ud800"}`), status: 400, places: []string{"body"}},
	{name: "a raw control character", body: list("{\"action\":\"like\",\"target\":\"a\n1\"}"), status: 400, places: []string{"body"}},
	{name: "an escape that is none", body: list(`{"action":"like","target":"\x41"}`), status: 400, places: []string{"body"}},
	{name: "a name twice", body: list(`{"action":"like","target":"a1","target":"a2"}`), status: 400, places: []string{"body"}},
	{name: "a name twice, once escaped", body: list(`{"action":"like","target":"a1","t\u0061rget":"a2"}`), status: 400, places: []string{"body"}},
	{name: "activities twice", body: `{"activities":[],"activities":[` + like + `]}`, status: 400, places: []string{"body"}},
	{name: "a name twice in what is unknown", body: list(`{"action":"like","target":"a1","x":{"y":1,"y":2}}`), status: 400, places: []string{"body"}},
	{name: "a name that is none", body: `{1:2}`, status: 400, places: []string{"body"}},
	{name: "deep arrays", body: strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000), status: 400, places: []string{"body"}},
	{name: "deep objects in what is unknown", body: list(`{"action":"like","target":"a1","x":` + strings.Repeat(`{"x":`, 20_000) + `1` + strings.Repeat("}", 20_000) + `}`), status: 400, places: []string{"body"}},
	{name: "deep and never closed", body: strings.Repeat(`{"activities":[`, 15_000), status: 400, places: []string{"body"}},
	{name: "a byte more than 256 KiB", body: list(like) + strings.Repeat(" ", 256<<10-len(list(like))+1), status: 413},
	{name: "a megabyte of one id", body: list(`{"action":"like","target":"` + strings.Repeat("a", 1<<20) + `"}`), status: 413},

	{name: "null", body: `null`, status: 422, places: []string{"body"}},
	{name: "a string", body: `"like"`, status: 422, places: []string{"body"}},
	{name: "an array", body: `[` + like + `]`, status: 422, places: []string{"body"}},
	{name: "an empty object", body: `{}`, status: 422, places: []string{"body.activities"}},
	{name: "activities in capitals", body: `{"Activities":[` + like + `]}`, status: 422, places: []string{"body.Activities", "body.activities"}},
	{name: "something beside the activities", body: `{"activities":[` + like + `],"dryRun":true}`, status: 422, places: []string{"body.dryRun"}},
	{name: "activities are null", body: `{"activities":null}`, status: 422, places: []string{"body.activities"}},
	{name: "activities are one object", body: `{"activities":` + like + `}`, status: 422, places: []string{"body.activities"}},
	{name: "no activities", body: list(), status: 422, places: []string{"body.activities"}},
	{name: "101 by a user", body: list(slices.Repeat([]string{like}, 101)...), status: 422, places: []string{"body.activities"}},
	{name: "501 by the service", caller: "service", body: list(slices.Repeat([]string{likes}, 501)...), status: 422, places: []string{"body.activities"}},
	{name: "an activity is null", body: list("null"), status: 422, places: []string{"body.activities[0]"}},
	{name: "activities of every wrong kind", body: list(`"like"`, "1", "true", "[]", like), status: 422, places: []string{"body.activities[0]", "body.activities[1]", "body.activities[2]", "body.activities[3]"}},
	{name: "an empty activity", body: list("{}"), status: 422, places: []string{"body.activities[0].action"}},
	{name: "unknown fields", body: list(`{"action":"like","target":"a1","points":5,"Ref":"r"}`), status: 422, places: []string{"body.activities[0].points", "body.activities[0].Ref"}},
	{name: "an unknown field that is an object", body: list(`{"action":"like","target":"a1","meta":{"a":[1,{}]}}`), status: 422, places: []string{"body.activities[0].meta"}},
	{name: "a field without a name", body: list(`{"action":"like","target":"a1","":1}`), status: 422, places: []string{"body.activities[0]."}},
	{name: "an unknown action", body: list(`{"action":"hug","target":"a1"}`), status: 422, places: []string{"body.activities[0].action"}},
	{name: "an action in capitals", body: list(`{"action":"Like","target":"a1"}`), status: 422, places: []string{"body.activities[0].action"}},
	{name: "an empty action", body: list(`{"action":"","target":"a1"}`), status: 422, places: []string{"body.activities[0].action"}},
	{name: "an action that is a number", body: list(`{"action":7,"target":"a1"}`), status: 422, places: []string{"body.activities[0].action"}},
	{name: "an action that is null", body: list(`{"action":null,"target":"a1"}`), status: 422, places: []string{"body.activities[0].action"}},
	{name: "the undo of what has none", body: list(`{"action":"unvisit","target":"a1"}`), status: 422, places: []string{"body.activities[0].action"}},
	{name: "no target", body: list(`{"action":"like"}`), status: 422, places: []string{"body.activities[0].target"}},
	{name: "an empty target", body: list(`{"action":"like","target":""}`), status: 422, places: []string{"body.activities[0].target"}},
	{name: "a target that is a number", body: list(`{"action":"like","target":9007199254740993}`), status: 422, places: []string{"body.activities[0].target"}},
	{name: "a target that is true", body: list(`{"action":"like","target":true}`), status: 422, places: []string{"body.activities[0].target"}},
	{name: "a target that is an array", body: list(`{"action":"like","target":["a1"]}`), status: 422, places: []string{"body.activities[0].target"}},
	{name: "a target of 129 bytes", body: list(`{"action":"like","target":"` + strings.Repeat("a", 129) + `"}`), status: 422, places: []string{"body.activities[0].target"}},
	{name: "a target of 65 characters, 130 bytes", body: list(`{"action":"like","target":"` + strings.Repeat("é", 65) + `"}`), status: 422, places: []string{"body.activities[0].target"}},
	{name: "a target that is a dot", body: list(`{"action":"like","target":"."}`, `{"action":"like","target":".."}`), status: 422, places: []string{"body.activities[0].target", "body.activities[1].target"}},
	{name: "a target with a newline", body: list(`{"action":"like","target":"a\nb"}`), status: 422, places: []string{"body.activities[0].target"}},
	{name: "a target with a null character", body: list(`{"action":"like","target":"a\u0000"}`), status: 422, places: []string{"body.activities[0].target"}},
	{name: "a target with a C1 control", body: list(`{"action":"like","target":"a\u0085"}`), status: 422, places: []string{"body.activities[0].target"}},
	{name: "following an id that no user can have", body: list(`{"action":"follow","target":"` + strings.Repeat("a", 65) + `"}`), status: 422, places: []string{"body.activities[0].target"}},
	{name: "a ref where none belongs", body: list(`{"action":"like","target":"a1","ref":"c1"}`), status: 422, places: []string{"body.activities[0].ref"}},
	{name: "an empty ref", body: list(`{"action":"comment","target":"a1","ref":""}`), status: 422, places: []string{"body.activities[0].ref"}},
	{name: "a ref that is a number", body: list(`{"action":"comment","target":"a1","ref":12}`), status: 422, places: []string{"body.activities[0].ref"}},
	{name: "a long ref", body: list(`{"action":"comment","target":"a1","ref":"` + strings.Repeat("r", 129) + `"}`), status: 422, places: []string{"body.activities[0].ref"}},
	{name: "a metric without a value", body: list(`{"action":"steps"}`), status: 422, places: []string{"body.activities[0].value"}},
	{name: "a value where none belongs", body: list(`{"action":"like","target":"a1","value":3}`), status: 422, places: []string{"body.activities[0].value"}},
	{name: "a value below the least", body: list(`{"action":"steps","value":-1}`), status: 422, places: []string{"body.activities[0].value"}},
	{name: "a value above the most", body: list(`{"action":"steps","value":200001}`), status: 422, places: []string{"body.activities[0].value"}},
	{name: "half a step", body: list(`{"action":"steps","value":0.5}`), status: 422, places: []string{"body.activities[0].value"}},
	{name: "a value that is text", body: list(`{"action":"steps","value":"500"}`), status: 422, places: []string{"body.activities[0].value"}},
	{name: "a value that is null", body: list(`{"action":"steps","value":null}`), status: 422, places: []string{"body.activities[0].value"}},
	{name: "a value beyond every integer", body: list(`{"action":"steps","value":1e400}`), status: 422, places: []string{"body.activities[0].value"}},
	{name: "a value of 20 digits", body: list(`{"action":"steps","value":99999999999999999999}`), status: 422, places: []string{"body.activities[0].value"}},
	{name: "a value of a thousand digits", body: list(`{"action":"steps","value":` + strings.Repeat("9", 1000) + `}`), status: 422, places: []string{"body.activities[0].value"}},
	{name: "a metric with an empty target", body: list(`{"action":"steps","value":1,"target":""}`), status: 422, places: []string{"body.activities[0].target"}},

	{name: "a user who says who", body: list(`{"action":"like","target":"a1","user":"ann"}`), status: 422, places: []string{"body.activities[0].user"}},
	{name: "a user who says somebody else", body: list(`{"action":"like","target":"a1","user":"bob"}`), status: 422, places: []string{"body.activities[0].user"}},
	{name: "a user who says when", body: list(`{"action":"like","target":"a1","at":"2026-11-20T11:00:00Z"}`), status: 422, places: []string{"body.activities[0].at"}},
	{name: "a user who publishes", body: list(like, `{"action":"publish","target":"a1"}`), status: 403, places: []string{"body.activities[1].action"}},
	{name: "a user who unpublishes, and more", body: list(`{"action":"unpublish","target":"a1"}`, `{"action":"hug"}`), status: 403, places: []string{"body.activities[0].action", "body.activities[1].action"}},

	{name: "the service without a user", caller: "service", body: list(like), status: 422, places: []string{"body.activities[0].user"}},
	{name: "a user that is a number", caller: "service", body: list(`{"action":"like","target":"a1","user":17}`), status: 422, places: []string{"body.activities[0].user"}},
	{name: "a user that is empty", caller: "service", body: list(`{"action":"like","target":"a1","user":""}`), status: 422, places: []string{"body.activities[0].user"}},
	{name: "a user of 65 bytes", caller: "service", body: list(`{"action":"like","target":"a1","user":"` + strings.Repeat("u", 65) + `"}`), status: 422, places: []string{"body.activities[0].user"}},
	{name: "a moment without a zone", caller: "service", body: list(at("2026-11-20T11:00:00")), status: 422, places: []string{"body.activities[0].at"}},
	{name: "a moment with a blank", caller: "service", body: list(at("2026-11-20 11:00:00Z")), status: 422, places: []string{"body.activities[0].at"}},
	{name: "a day", caller: "service", body: list(at("2026-11-20")), status: 422, places: []string{"body.activities[0].at"}},
	{name: "seconds since 1970", caller: "service", body: list(`{"action":"like","target":"a1","user":"ann","at":1795173600}`), status: 422, places: []string{"body.activities[0].at"}},
	{name: "the year 0", caller: "service", body: list(at("0000-01-01T00:00:00Z")), status: 422, places: []string{"body.activities[0].at"}},
	{name: "the year 1999", caller: "service", body: list(at("1999-12-31T23:59:59Z")), status: 422, places: []string{"body.activities[0].at"}},
	{name: "the year 9999", caller: "service", body: list(at("9999-12-31T23:59:59Z")), status: 422, places: []string{"body.activities[0].at"}},
	{name: "the year 10000", caller: "service", body: list(at("10000-01-01T00:00:00Z")), status: 422, places: []string{"body.activities[0].at"}},
	{name: "the 30th of February", caller: "service", body: list(at("2026-02-30T00:00:00Z")), status: 422, places: []string{"body.activities[0].at"}},
	{name: "25 o'clock", caller: "service", body: list(at("2026-11-20T25:00:00Z")), status: 422, places: []string{"body.activities[0].at"}},
	{name: "the name of a zone", caller: "service", body: list(at("2026-11-20T11:00:00 Europe/Berlin")), status: 422, places: []string{"body.activities[0].at"}},
	{name: "a zone of 99 hours", caller: "service", body: list(at("2026-11-20T11:00:00+99:00")), status: 422, places: []string{"body.activities[0].at"}},

	{
		name: "several faults of every kind", caller: "service", status: 422,
		body: `{"activities":[` + likes + `,{"action":"steps","value":-5,"user":3,"x":1},` +
			`{"action":"comment","target":"","ref":7,"at":"yesterday","user":"ann"},{"action":"hug","target":"` + "\u007f" + `"}],"y":0}`,
		places: []string{
			"body.activities[1].user", "body.activities[1].x", "body.activities[1].value",
			"body.activities[2].target", "body.activities[2].ref", "body.activities[2].at",
			"body.activities[3].user", "body.activities[3].action", "body.activities[3].target", "body.y",
		},
	},
	{name: "faults of the query and the body", path: "/v1/activities?dryRun=1", body: list("{}"), status: 422, places: []string{"body.activities[0].action", "query.dryRun"}},
}

// at is a like at a moment, as the service says it.
func at(moment string) string {
	return `{"action":"like","target":"a1","user":"ann","at":"` + moment + `"}`
}

var badQueries = []badCase{
	{name: "an unknown board", path: "/v1/boards/karma/day", status: 404},
	{name: "a board in capitals", path: "/v1/boards/Activity/day", status: 404},
	{name: "an unknown window", path: "/v1/boards/activity/hour", status: 404},
	{name: "a window that the board does not keep", path: "/v1/boards/activity/week", status: 404},
	{name: "a board without a window", path: "/v1/boards/activity", status: 404},
	{name: "an unknown address", path: "/v2/boards/activity/day", status: 404},
	{name: "the root", path: "/", status: 404},
	{name: "a slash at the end", path: "/v1/boards/activity/day/", status: 404},
	{name: "two slashes", path: "/v1//boards/activity/day", status: 404},
	{name: "dots in the path", path: "/v1/boards/../boards/activity/day", status: 404},
	{name: "an empty user", path: "/v1/boards/activity/day/users/", status: 404},
	{name: "another method", method: http.MethodPut, path: "/v1/boards/activity/day", status: 405},
	{name: "GET of what takes POST", method: http.MethodGet, path: "/v1/activities", status: 405},
	{name: "a day for a month", path: "/v1/boards/activity/month?period=2026-11-20", status: 422, places: []string{"query.period"}},
	{name: "a month for a day", path: "/v1/boards/activity/day?period=2026-11", status: 422, places: []string{"query.period"}},
	{name: "all for a day", path: "/v1/boards/activity/day?period=all", status: 422, places: []string{"query.period"}},
	{name: "a day that is none", path: "/v1/boards/activity/day?period=2026-02-29", status: 422, places: []string{"query.period"}},
	{name: "a day in another spelling", path: "/v1/boards/activity/day?period=2026-1-5", status: 422, places: []string{"query.period"}},
	{name: "a day of the year 0", path: "/v1/boards/activity/day?period=0000-01-01", status: 422, places: []string{"query.period"}},
	{name: "a day of the year 9999", path: "/v1/boards/activity/day?period=9999-12-31", status: 422, places: []string{"query.period"}},
	{name: "month 13", path: "/v1/boards/activity/month?period=2026-13", status: 422, places: []string{"query.period"}},
	{name: "an empty period", path: "/v1/boards/activity/day?period=", status: 422, places: []string{"query.period"}},
	{name: "a period with a null character", path: "/v1/boards/activity/day?period=%00", status: 422, places: []string{"query.period"}},
	{name: "a limit of 0", path: "/v1/boards/activity/day?limit=0", status: 422, places: []string{"query.limit"}},
	{name: "a limit of 101", path: "/v1/boards/activity/day?limit=101", status: 422, places: []string{"query.limit"}},
	{name: "a negative limit", path: "/v1/boards/activity/day?limit=-1", status: 422, places: []string{"query.limit"}},
	{name: "half a limit", path: "/v1/boards/activity/day?limit=1.5", status: 422, places: []string{"query.limit"}},
	{name: "a limit in words", path: "/v1/boards/activity/day?limit=many", status: 422, places: []string{"query.limit"}},
	{name: "a limit without a value", path: "/v1/boards/activity/day?limit", status: 422, places: []string{"query.limit", "query.limit"}},
	{name: "a limit in hexadecimal", path: "/v1/boards/activity/day?limit=0x10", status: 422, places: []string{"query.limit"}},
	{name: "a negative offset", path: "/v1/boards/activity/day?offset=-1", status: 422, places: []string{"query.offset"}},
	{name: "an offset beyond 2^31", path: "/v1/boards/activity/day?offset=2147483649", status: 422, places: []string{"query.offset"}},
	{name: "an offset beyond 2^64", path: "/v1/boards/activity/day?offset=18446744073709551616", status: 422, places: []string{"query.offset"}},
	{name: "a parameter misspelt", path: "/v1/boards/activity/day?limt=5", status: 422, places: []string{"query.limt"}},
	{name: "a parameter in capitals", path: "/v1/boards/activity/day?Limit=5", status: 422, places: []string{"query.Limit"}},
	{name: "a parameter twice", path: "/v1/boards/activity/day?limit=5&limit=6", status: 422, places: []string{"query.limit"}},
	{name: "the parameter of a path", path: "/v1/boards/activity/day?board=steps", status: 422, places: []string{"query.board"}},
	{name: "an escape that is none", path: "/v1/boards/activity/day?limit=%zz", status: 422, places: []string{"query"}},
	{name: "a semicolon", path: "/v1/boards/activity/day?limit=5;offset=2", status: 422, places: []string{"query.limit", "query"}},
	{name: "an empty user to add", path: "/v1/boards/activity/day?user=", status: 422, places: []string{"query.user"}},
	{name: "a user to add with a newline", path: "/v1/boards/activity/day?user=a%0Ab", status: 422, places: []string{"query.user"}},
	{name: "a user to add that is not UTF-8", path: "/v1/boards/activity/day?user=%ff", status: 422, places: []string{"query.user"}},
	{name: "a user of dots", path: "/v1/boards/activity/day/users/%2E%2E", status: 422, places: []string{"path.user"}},
	{name: "a user of 65 bytes in the path", path: "/v1/boards/activity/day/users/" + strings.Repeat("u", 65), status: 422, places: []string{"path.user"}},
	{name: "a user that is not UTF-8", path: "/v1/boards/activity/day/users/%ff", status: 422, places: []string{"path.user"}},
	{name: "a user with a control character", path: "/v1/boards/activity/day/users/a%7F", status: 422, places: []string{"path.user"}},
	{name: "26 neighbours", path: "/v1/boards/activity/day/users/ann?around=26", status: 422, places: []string{"query.around"}},
	{name: "limit of a standing", path: "/v1/boards/activity/day/users/ann?limit=5", status: 422, places: []string{"query.limit"}},
	{name: "several faults", path: "/v1/boards/activity/day/users/a%00?around=-1&period=2026&x=1", status: 422, places: []string{"query.around", "query.x", "query.period", "path.user"}},
	{name: "the periods of an unknown board", path: "/v1/boards/karma/day/periods", status: 404},
	{name: "the periods of a window that the board does not keep", path: "/v1/boards/activity/year/periods", status: 404},
	{name: "0 periods", path: "/v1/boards/activity/day/periods?limit=0", status: 422, places: []string{"query.limit"}},
	{name: "101 periods", path: "/v1/boards/activity/day/periods?limit=101", status: 422, places: []string{"query.limit"}},
	{name: "periods in words", path: "/v1/boards/activity/day/periods?limit=all", status: 422, places: []string{"query.limit"}},
	{name: "periods before a month for days", path: "/v1/boards/activity/day/periods?before=2026-11", status: 422, places: []string{"query.before"}},
	{name: "periods before a day that is none", path: "/v1/boards/activity/day/periods?before=2026-02-30", status: 422, places: []string{"query.before"}},
	{name: "periods before nothing", path: "/v1/boards/activity/day/periods?before=", status: 422, places: []string{"query.before"}},
	{name: "periods before two", path: "/v1/boards/activity/day/periods?before=2026-11-20&before=2026-11-19", status: 422, places: []string{"query.before"}},
	{name: "an offset of periods", path: "/v1/boards/activity/month/periods?offset=1&limit=-1&before=x", status: 422, places: []string{"query.limit", "query.offset", "query.before"}},
	{name: "0 days", caller: "service", path: "/v1/users/ann/activity?days=0", status: 422, places: []string{"query.days"}},
	{name: "63 days", caller: "service", path: "/v1/users/ann/activity?days=63", status: 422, places: []string{"query.days"}},
	{name: "days beyond 32 bits", caller: "service", path: "/v1/users/ann/activity?days=4294967297", status: 422, places: []string{"query.days"}},
	{name: "a parameter of standings", caller: "service", path: "/v1/users/ann/standings?board=activity", status: 422, places: []string{"query.board"}},
	{name: "the standings of nobody", caller: "service", path: "/v1/users/%20%0A/standings", status: 422, places: []string{"path.user"}},
	{name: "a parameter of the rules", path: "/v1/rules?at=2026-11-20", status: 422, places: []string{"query.at"}},
	{name: "a parameter of health", path: "/v1/health?deep=1", status: 422, places: []string{"query.deep"}},
}

// Promise 8: no silence. Whatever is wrong is answered with a problem that names
// every fault by its place, and nothing of the request is applied.
func TestPromise8NoSilence(t *testing.T) {
	t.Parallel()
	f := open(t)
	if a := f.post(f.service(), list(likes, at("2026-11-19T10:00:00Z"))); a.status != http.StatusOK {
		t.Fatal(a.body)
	}
	before := f.state()
	tokens := map[string]string{"user": f.user("ann"), "service": f.service()}
	for _, c := range slices.Concat(badBodies, badQueries) {
		if c.path == "" || strings.HasPrefix(c.path, "/v1/activities?") {
			c.path, c.method = cmp.Or(c.path, "/v1/activities"), http.MethodPost
			c.caller = cmp.Or(c.caller, "user")
		}
		a := f.do(cmp.Or(c.method, http.MethodGet), c.path, tokens[c.caller], c.body, c.header...)
		p := a.problem(t)
		if a.status != c.status {
			t.Errorf("%s: status %d, want %d: %s", c.name, a.status, c.status, a.body)
		}
		if got := p.places(); !slices.Equal(got, c.places) {
			t.Errorf("%s: faults at %q, want %q: %s", c.name, got, c.places, a.body)
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
	if n := len(badBodies) + len(badQueries); n < 80 {
		t.Errorf("%d cases are not enough", n)
	} else {
		t.Logf("%d cases", n)
	}
	if f.log.Len() > 0 {
		t.Errorf("bad input is no error of ours: %s", f.log)
	}
}
