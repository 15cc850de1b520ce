package httpapi_test

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var badBodies = []badRequests{
	{"user POST /v1/activities", [][3]string{
		{"no body", "", "400 body"},
		{"blank body", "  \n", "400 body"},
		{"not JSON", "like a1", "400 body"},
		{"a form", "Content-Type: application/x-www-form-urlencoded", "415 header.Content-Type"},
		{"JSON of another type", "Content-Type: text/json", "415 header.Content-Type"},
		{"a type that is none", "Content-Type: application/json; =", "415 header.Content-Type"},
		{"another charset", "Content-Type: application/json; charset=latin1", "415 header.Content-Type"},
		{"compressed", "Content-Encoding: gzip", "415 header.Content-Encoding"},
		{"cut short", `{"activities":[{"action":"like","target":"a`, "400 body"},
		{"a comma too many", `{"activities":[` + like + `,]}`, "400 body"},
		{"single quotes", `{'activities':[]}`, "400 body"},
		{"a comment", `{"activities":[` + like + `]/* */}`, "400 body"},
		{"NaN", list(`{"action":"steps","value":NaN}`), "400 body"},
		{"a number with a leading zero", list(`{"action":"steps","value":0123}`), "400 body"},
		{"two documents", list(like) + list(like), "400 body"},
		{"something after", list(like) + "x", "400 body"},
		{"a byte order mark", "\xef\xbb\xbf" + list(like), "400 body"},
		{"UTF-16", "\xff\xfe{\x00}\x00", "400 body"},
		{"bytes that are not UTF-8", list(`{"action":"like","target":"a` + "\xff" + `"}`), "400 body"},
		{"an overlong encoding", list(`{"action":"like","target":"` + "\xc0\xaf" + `"}`), "400 body"},
		{"bytes of a surrogate", list(`{"action":"like","target":"` + "\xed\xa0\x80" + `"}`), "400 body"},
		{"half a surrogate", list(`{"action":"like","target":"\ud800"}`), "400 body"},
		{"the wrong half of a surrogate", list(`{"action":"like","target":"\udc00\ud800"}`), "400 body"},
		{"a raw control character", list("{\"action\":\"like\",\"target\":\"a\n1\"}"), "400 body"},
		{"an escape that is none", list(`{"action":"like","target":"\x41"}`), "400 body"},
		{"a name twice", list(`{"action":"like","target":"a1","target":"a2"}`), "400 body"},
		{"a name twice, once escaped", list(`{"action":"like","target":"a1","t\u0061rget":"a2"}`), "400 body"},
		{"activities twice", `{"activities":[],"activities":[` + like + `]}`, "400 body"},
		{"a name twice in what is unknown", list(`{"action":"like","target":"a1","x":{"y":1,"y":2}}`), "400 body"},
		{"a name that is none", `{1:2}`, "400 body"},
		{"deep arrays", strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000), "400 body"},
		{
			"deep objects in what is unknown",
			list(`{"action":"like","target":"a1","x":` + strings.Repeat(`{"x":`, 20_000) + `1` +
				strings.Repeat("}", 20_000) + `}`),
			"400 body",
		},
		{"deep and never closed", strings.Repeat(`{"activities":[`, 15_000), "400 body"},
		{"a byte more than 256 KiB", list(like) + strings.Repeat(" ", 256<<10-len(list(like))+1), "413"},
		{"a megabyte of one id", list(`{"action":"like","target":"` + strings.Repeat("a", 1<<20) + `"}`), "413"},
		{"null", `null`, "422 body"},
		{"a string", `"like"`, "422 body"},
		{"an array", `[` + like + `]`, "422 body"},
		{"an empty object", `{}`, "422 body.activities"},
		{"activities in capitals", `{"Activities":[` + like + `]}`, "422 body.Activities body.activities"},
		{"something beside the activities", `{"activities":[` + like + `],"dryRun":true}`, "422 body.dryRun"},
		{"activities are null", `{"activities":null}`, "422 body.activities"},
		{"activities are one object", `{"activities":` + like + `}`, "422 body.activities"},
		{"no activities", list(), "422 body.activities"},
		{"101 by a user", list(slices.Repeat([]string{like}, 101)...), "422 body.activities"},
		{"an activity is null", list("null"), "422 [0]"},
		{"activities of every wrong kind", list(`"like"`, "1", "true", "[]", like), "422 [0] [1] [2] [3]"},
		{"an empty activity", list("{}"), "422 [0].action"},
		{"unknown fields", list(`{"action":"like","target":"a1","points":5,"Ref":"r"}`), "422 [0].points [0].Ref"},
		{
			"an unknown field that is an object",
			list(`{"action":"like","target":"a1","meta":{"a":[1,{}]}}`),
			"422 [0].meta",
		},
		{"a field without a name", list(`{"action":"like","target":"a1","":1}`), "422 [0]."},
		{"an unknown action", list(`{"action":"hug","target":"a1"}`), "422 [0].action"},
		{"an action in capitals", list(`{"action":"Like","target":"a1"}`), "422 [0].action"},
		{"an empty action", list(`{"action":"","target":"a1"}`), "422 [0].action"},
		{"an action that is a number", list(`{"action":7,"target":"a1"}`), "422 [0].action"},
		{"an action that is null", list(`{"action":null,"target":"a1"}`), "422 [0].action"},
		{"the undo of what has none", list(`{"action":"unvisit","target":"a1"}`), "422 [0].action"},
		{"no target", list(`{"action":"like"}`), "422 [0].target"},
		{"an empty target", list(`{"action":"like","target":""}`), "422 [0].target"},
		{"a target that is a number", list(`{"action":"like","target":9007199254740993}`), "422 [0].target"},
		{"a target that is true", list(`{"action":"like","target":true}`), "422 [0].target"},
		{"a target that is an array", list(`{"action":"like","target":["a1"]}`), "422 [0].target"},
		{
			"a target of 129 bytes",
			list(`{"action":"like","target":"` + strings.Repeat("a", 129) + `"}`),
			"422 [0].target",
		},
		{
			"a target of 65 characters, 130 bytes",
			list(`{"action":"like","target":"` + strings.Repeat("é", 65) + `"}`),
			"422 [0].target",
		},
		{
			"a target that is a dot",
			list(`{"action":"like","target":"."}`, `{"action":"like","target":".."}`),
			"422 [0].target [1].target",
		},
		{"a target with a newline", list(`{"action":"like","target":"a\nb"}`), "422 [0].target"},
		{"a target with a null character", list(`{"action":"like","target":"a\u0000"}`), "422 [0].target"},
		{"a target with a C1 control", list(`{"action":"like","target":"a\u0085"}`), "422 [0].target"},
		{
			"following an id that no user can have",
			list(`{"action":"follow","target":"` + strings.Repeat("a", 65) + `"}`),
			"422 [0].target",
		},
		{"a ref where none belongs", list(`{"action":"like","target":"a1","ref":"c1"}`), "422 [0].ref"},
		{"an empty ref", list(`{"action":"comment","target":"a1","ref":""}`), "422 [0].ref"},
		{"a ref that is a number", list(`{"action":"comment","target":"a1","ref":12}`), "422 [0].ref"},
		{
			"a long ref",
			list(`{"action":"comment","target":"a1","ref":"` + strings.Repeat("r", 129) + `"}`),
			"422 [0].ref",
		},
		{"a metric without a value", list(`{"action":"steps"}`), "422 [0].value"},
		{"a value where none belongs", list(`{"action":"like","target":"a1","value":3}`), "422 [0].value"},
		{"a value below the least", list(`{"action":"steps","value":-1}`), "422 [0].value"},
		{"a value above the most", list(`{"action":"steps","value":200001}`), "422 [0].value"},
		{"half a step", list(`{"action":"steps","value":0.5}`), "422 [0].value"},
		{"a value that is text", list(`{"action":"steps","value":"500"}`), "422 [0].value"},
		{"a value that is null", list(`{"action":"steps","value":null}`), "422 [0].value"},
		{"a value beyond every integer", list(`{"action":"steps","value":1e400}`), "422 [0].value"},
		{"a value of 20 digits", list(`{"action":"steps","value":99999999999999999999}`), "422 [0].value"},
		{
			"a value of a thousand digits",
			list(`{"action":"steps","value":` + strings.Repeat("9", 1000) + `}`),
			"422 [0].value",
		},
		{"a metric with an empty target", list(`{"action":"steps","value":1,"target":""}`), "422 [0].target"},
		{"a user who says who", list(`{"action":"like","target":"a1","user":"ann"}`), "422 [0].user"},
		{"a user who says somebody else", list(`{"action":"like","target":"a1","user":"bob"}`), "422 [0].user"},
		{"a user who says when", list(`{"action":"like","target":"a1","at":"2026-11-20T11:00:00Z"}`), "422 [0].at"},
		{"a user who publishes", list(like, `{"action":"publish","target":"a1"}`), "403 [1].action"},
		{
			"a user who unpublishes, and more",
			list(`{"action":"unpublish","target":"a1"}`, `{"action":"hug"}`),
			"403 [0].action [1].action",
		},
	}},
	{"service POST /v1/activities", [][3]string{
		{"501 by the service", list(slices.Repeat([]string{likes}, 501)...), "422 body.activities"},
		{"the service without a user", list(like), "422 [0].user"},
		{"a user that is a number", list(`{"action":"like","target":"a1","user":17}`), "422 [0].user"},
		{"a user that is empty", list(`{"action":"like","target":"a1","user":""}`), "422 [0].user"},
		{
			"a user of 65 bytes",
			list(`{"action":"like","target":"a1","user":"` + strings.Repeat("u", 65) + `"}`),
			"422 [0].user",
		},
		{"a moment without a zone", list(at("2026-11-20T11:00:00")), "422 [0].at"},
		{"a moment with a blank", list(at("2026-11-20 11:00:00Z")), "422 [0].at"},
		{"a day", list(at("2026-11-20")), "422 [0].at"},
		{"seconds since 1970", list(`{"action":"like","target":"a1","user":"ann","at":1795173600}`), "422 [0].at"},
		{"the year 0", list(at("0000-01-01T00:00:00Z")), "422 [0].at"},
		{"the year 1999", list(at("1999-12-31T23:59:59Z")), "422 [0].at"},
		{"the year 9999", list(at("9999-12-31T23:59:59Z")), "422 [0].at"},
		{"the year 10000", list(at("10000-01-01T00:00:00Z")), "422 [0].at"},
		{"the 30th of February", list(at("2026-02-30T00:00:00Z")), "422 [0].at"},
		{"25 o'clock", list(at("2026-11-20T25:00:00Z")), "422 [0].at"},
		{"the name of a zone", list(at("2026-11-20T11:00:00 Europe/Berlin")), "422 [0].at"},
		{"a zone of 99 hours", list(at("2026-11-20T11:00:00+99:00")), "422 [0].at"},
		{
			"several faults of every kind",
			`{"activities":[` + likes + `,{"action":"steps","value":-5,"user":3,"x":1},` +
				`{"action":"comment","target":"","ref":7,"at":"yesterday","user":"ann"},` +
				`{"action":"hug","target":"` + "\u007f" + `"}],"y":0}`,
			"422 [1].user [1].x [1].value [2].target [2].ref [2].at [3].target [3].user [3].action body.y",
		},
	}},
	{"user POST /v1/activities?dryRun=1", [][3]string{
		{"faults of the query and the body", list("{}"), "422 [0].action query.dryRun"},
	}},
}

// at is a like at a moment, as the service says it.
func at(moment string) string {
	return `{"action":"like","target":"a1","user":"ann","at":"` + moment + `"}`
}

// Promise 8: no silence. Whatever is wrong is answered with a problem that lists
// every violation with its location, and nothing of the request is applied.
func TestPromise8NoSilence(t *testing.T) {
	t.Parallel()
	f := open(t)
	if a := f.Post(f.Service(), list(likes, at("2026-11-19T10:00:00Z"))); a.Status != http.StatusOK {
		t.Fatal(a.Body)
	}
	f.refuses(t, badBodies)
	f.refuses(t, badQueries)
}

// badRequests are requests that are refused, whole. Of all, at says who sends them,
// and as far as it is the same, the method and the path. A case has a name; what it
// sends, which is the body, or a header, or without a method in at the method, GET if
// none, and the path; and the status and the locations of all violations, in their
// order, where [0] is short for body.activities[0].
type badRequests struct {
	at    string
	cases [][3]string
}

// refuses sends bad requests, and checks that each is answered with a problem that
// lists every violation, and that nothing of it is applied.
func (f *forum) refuses(t *testing.T, all []badRequests) {
	t.Helper()
	tokens := map[string]string{"nobody": "", "user": f.User("ann"), "service": f.Service()}
	before := f.State()
	for _, group := range all {
		who, at, _ := strings.Cut(group.at, " ")
		for _, c := range group.cases {
			name, sent, want := c[0], c[1], c[2]
			method, path, _ := strings.Cut(cmp.Or(at, sent), " ")
			if path == "" {
				method, path = "GET", method
			}
			var headers []string
			if at == "" {
				sent = ""
			} else if header, value, ok := strings.Cut(sent, ": "); ok && strings.HasPrefix(header, "Content-") {
				headers, sent = []string{header, value}, list(like)
			}
			a := f.Do(method, path, tokens[who], sent, headers...)
			p := a.Problem(t)
			if got := summary(p); got != want {
				t.Errorf("%s: %s, want %s: %s", name, got, want, a.Body)
			}
			if strings.Contains(a.Body, `"message":""`) {
				t.Errorf("%s: a violation without a message: %s", name, a.Body)
			}
			if !maps.Equal(before, f.State()) {
				t.Fatalf("%s: something was applied", name)
			}
		}
	}
	if f.Out.Len() > 0 {
		t.Errorf("bad input is no error of ours: %s", f.Out)
	}
}

// summary is the problem's status and the locations of its violations.
func summary(p problem) string {
	words := []string{strconv.Itoa(p.Status)}
	for _, location := range p.Locations() {
		if index, ok := strings.CutPrefix(location, "body.activities["); ok {
			location = "[" + index
		}
		words = append(words, location)
	}
	return strings.Join(words, " ")
}
