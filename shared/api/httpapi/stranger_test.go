package httpapi_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
)

// asksOf are requests about the user ID by where an operation takes a user's id; none for one whose answer may tell
// that a user was erased, or that cannot be about an erased one.
var asksOf = map[string][]string{
	"GET /v1/boards/{board} query.user": {
		"GET /v1/boards/activity?user=ID",
		"GET /v1/boards/activity?user=ID&with=movement",
	},
	"GET /v1/boards/{board}/{window} query.user": periods("GET /v1/boards/activity/PERIOD&limit=2&user=ID",
		"GET /v1/boards/activity/PERIOD&user=ID&with=movement&offset=1"),
	"GET /v1/boards/{board}/{window} query.users": periods("GET /v1/boards/activity/PERIOD&users=ID&users=bob",
		"GET /v1/boards/activity/PERIOD&limit=3&users=bob&users=ID&with=movement"),
	"GET /v1/boards/{board}/{window}/users/{user} path.user": periods(
		"GET /v1/boards/activity/PERIOD&around=25&with=movement", "GET /v1/boards/activity/PERIOD"),
	"GET /v1/boards/{board}/{window}/users/{user}/friends path.user": periods("GET /v1/boards/activity/PERIOD"),
	"GET /v1/private/users/{user} path.user":                         {"GET /v1/private/users/ID"},
	"GET /v1/private/boards/{board} query.user": {
		"GET /v1/private/boards/activity?user=ID&with=movement",
	},
	"GET /v1/private/boards/{board}/{window} query.user": periods(
		"GET /v1/private/boards/activity/PERIOD&user=ID&with=movement&offset=1"),
	"GET /v1/private/boards/{board}/{window} query.users": periods(
		"GET /v1/private/boards/activity/PERIOD&users=ID&users=bob"),
	"GET /v1/private/boards/{board}/{window}/users/{user} path.user": periods(
		"GET /v1/private/boards/activity/PERIOD&around=25&with=movement"),
	"GET /v1/private/boards/{board}/{window}/users/{user}/friends path.user": periods(
		"GET /v1/private/boards/activity/PERIOD"),
	"GET /v1/private/users/{user}/wreaths path.user": {"GET /v1/private/users/ID/wreaths"},

	"GET /v1/users/{user} path.user":            {"GET /v1/users/ID"},
	"GET /v1/users/{user}/activity path.user":   {"GET /v1/users/ID/activity?days=92"},
	"GET /v1/users/{user}/awards path.user":     {"GET /v1/users/ID/awards"},
	"GET /v1/users/{user}/days path.user":       {"GET /v1/users/ID/days"},
	"GET /v1/users/{user}/entries path.user":    {"GET /v1/users/ID/entries"},
	"GET /v1/users/{user}/exclusion path.user":  {"GET /v1/users/ID/exclusion"},
	"GET /v1/users/{user}/export path.user":     {"GET /v1/users/ID/export"},
	"GET /v1/users/{user}/following path.user":  {"GET /v1/users/ID/following"},
	"GET /v1/users/{user}/standings path.user":  {"GET /v1/users/ID/standings"},
	"GET /v1/users/{user}/visibility path.user": {"GET /v1/users/ID/visibility"},
	"GET /v1/users/{user}/votes path.user":      {"GET /v1/users/ID/votes?article=a1&article=a2"},
	"GET /v1/users/{user}/wreaths path.user":    {"GET /v1/users/ID/wreaths"},

	"GET /v1/users/{user}/merge path.user":          {"GET /v1/users/ID/merge"},
	"GET /v1/users/{user}/voids/{other} path.user":  {"GET /v1/users/ID/voids/bob"},
	"GET /v1/users/{user}/voids/{other} path.other": {"GET /v1/users/bob/voids/ID"},

	// Changes, in this order: the id is a new person's then, or an old one's for whom that is as little.
	"POST /v1/hooks/{source} body.compare.users": {
		`HOOK {"compare":{"actions":["comment"],"users":["ID"],"activities":[]}}`,
	},
	"POST /v1/hooks/{source} body.compare.activities.user": {
		`HOOK {"compare":{"actions":["like"],"users":["ID"],"activities":[{"user":"ID",` +
			`"action":"like","target":"t","at":"2026-11-20T10:00:00Z"}]}}`,
	},
	"POST /v1/activities body.activities.user": {
		`POST /v1/activities {"activities":[{"user":"ID","action":"unlike","target":"n10"}` +
			`,{"user":"ID","action":"like","target":"new"}]}`,
	},
	"POST /v1/activities body.activities.other": {
		`POST /v1/activities {"activities":[{"user":"fan-ID","action":"like","target":"new","other":"ID"}]}`,
	},
	"POST /v1/activities body.activities.target": {
		`POST /v1/activities {"activities":[{"user":"fan-ID","action":"follow","target":"ID"}]}`,
	},
	"POST /v1/hooks/{source} body.activities.user": {
		`HOOK {"activities":[{"user":"ID","action":"like","target":"other"}]}`,
	},
	"POST /v1/hooks/{source} body.activities.other": {
		`HOOK {"activities":[{"user":"fan-ID","action":"like","target":"other","other":"ID"}]}`,
	},
	"POST /v1/hooks/{source} body.compare.activities.other": {
		`HOOK {"compare":{"actions":["like"],"users":["fan-ID"],"activities":[{"user":"fan-ID","other":"ID",` +
			`"action":"like","target":"t","at":"2026-11-20T10:00:00Z"}]}}`,
	},
	"POST /v1/hooks/{source} body.activities.target": {
		`HOOK {"activities":[{"user":"eve-ID","action":"follow","target":"ID"}]}`,
	},
	"POST /v1/hooks/{source} body.articles.author.id": {
		`HOOK {"articles":[{"id":"h-ID","title":"T","author":{"id":"ID"}}]}`,
		"GET /v1/articles/h-ID",
	},
	"POST /v1/hooks/{source} body.users.id": {`HOOK {"users":[{"id":"ID","name":"H"}]}`},
	"POST /v1/hooks/{source} body.exclusions.user": {
		`HOOK {"exclusions":[{"user":"ID","excluded":true}]}`,
		`HOOK {"exclusions":[{"user":"ID","excluded":false}]}`,
	},
	"POST /v1/articles body.author.id": {
		`POST /v1/articles {"id":"p-ID","title":"T","author":{"id":"ID"}}`,
		"GET /v1/articles/p-ID",
	},
	"PUT /v1/articles/{id} body.author.id": {`PUT /v1/articles/a1 {"title":"T","author":{"id":"ID"}}`},
	"PUT /v1/users body.users.id": {
		`PUT /v1/users {"users":[{"id":"ID","name":"N"}]}`,
		"GET /v1/users/ID",
	},
	"PUT /v1/users/{user} path.user":           {`PUT /v1/users/ID {"name":"M"}`, "GET /v1/users/ID"},
	"PUT /v1/users/{user} body.id":             {`PUT /v1/users/ID {"id":"ID","name":"M"}`},
	"PUT /v1/users/{user}/following path.user": {`PUT /v1/users/ID/following {"users":[{"id":"bob"}]}`},
	"PUT /v1/users/{user}/following body.users.id": {
		`PUT /v1/users/dan/following {"users":[{"id":"ID"}]}`,
		"GET /v1/users/dan/following",
	},
	"PUT /v1/users/{user}/visibility path.user": {
		`PUT /v1/users/ID/visibility {"boards":"hidden"}`,
		`PUT /v1/users/ID/visibility {"boards":"shown","days":"public"}`,
	},
	"PUT /v1/users/{user}/exclusion path.user":    {`PUT /v1/users/ID/exclusion {"excluded":true}`},
	"DELETE /v1/users/{user}/exclusion path.user": {"DELETE /v1/users/ID/exclusion "},
	"POST /v1/users/{user}/awards path.user": {
		`POST /v1/users/ID/awards {"points":5,"reason":"r"}`,
		"GET /v1/users/ID/awards",
	},
	"DELETE /v1/users/{user}/awards/{id} path.user":    {"DELETE /v1/users/ID/awards/talk "},
	"DELETE /v1/users/{user}/voids/{other} path.user":  {"DELETE /v1/users/ID/voids/bob "},
	"DELETE /v1/users/{user}/voids/{other} path.other": {"DELETE /v1/users/bob/voids/ID "},
	"PUT /v1/users/{user}/voids/{other} body.other": {
		`PUT /v1/users/dee/voids/ID {"other":"ID"}`, "DELETE /v1/users/dee/voids/ID ",
	},
	"PUT /v1/users/{user}/voids/{other} path.user":  {"PUT /v1/users/ID/voids/dee ", "DELETE /v1/users/ID/voids/dee "},
	"PUT /v1/users/{user}/voids/{other} path.other": {"PUT /v1/users/dee/voids/ID ", "DELETE /v1/users/dee/voids/ID "},

	"GET /v1/users/{user}/erasure path.user":                 nil, // it says that one was asked for
	"DELETE /v1/users/{user} path.user":                      nil,
	"POST /v1/users/{user}/merge path.user":                  nil, // for good
	"POST /v1/users/{user}/merge body.into":                  nil,
	"POST /v1/hooks/{source} body.deletedUsers":              nil,
	"POST /v1/hooks/{source} body.merges.user":               nil, // for good, too
	"POST /v1/hooks/{source} body.merges.into":               nil,
	"POST /v1/hooks/{source} body.compare.activities.target": nil, // a topic's
}

// embedsOf are the embedded boards about the user ID.
var embedsOf = periods("GET /embed/activity/PERIOD&user=ID", "GET /embed/users/ID/activity/PERIOD")

// periods returns the requests with each of some periods, live and final ones, in the place of PERIOD.
func periods(requests ...string) (all []string) {
	for _, r := range requests {
		for p := range strings.FieldsSeq("2026-07 2026-08 2026-09 2026-10 2026-11 2026-11-14 2026-11-15 2026-11-16 " +
			"2026-11-17 2026-11-18 2026-11-20") {
			window := map[bool]string{true: "month", false: "day"}[len(p) == len("2026-07")]
			for _, ending := range embedEndings(r) {
				all = append(all, strings.Replace(r, "PERIOD", window+ending+"?period="+p, 1))
			}
		}
	}
	return all
}

func embedEndings(request string) []string {
	switch {
	case strings.Contains(request, "/embed/users/"):
		return []string{".svg"}
	case strings.Contains(request, "/embed/"):
		return []string{"", ".html", ".svg", ".txt"}
	default:
		return []string{""}
	}
}

// usersOf returns where operations take the id of a user, as the document has it.
func (d *described) usersOf() (all []string) {
	for path, item := range d.document["paths"].(map[string]any) {
		for method, operation := range item.(map[string]any) {
			name := strings.ToUpper(method) + " " + path + " "
			parameters, _ := harness.Below(operation, "parameters").([]any)
			for _, p := range parameters {
				if len(d.idsIn(p, "", nil)) > 0 {
					all = append(all, fmt.Sprint(name, harness.Below(p, "in"), ".", harness.Below(p, "name")))
				}
			}
			for _, place := range d.idsIn(harness.Below(operation, "requestBody"), "body", nil) {
				all = append(all, name+place)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// idsIn returns the properties of a schema that are ids of users.
func (d *described) idsIn(value any, place string, within []string) (all []string) {
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			all = append(all, d.idsIn(one, place, within)...)
		}
	case map[string]any:
		for name, one := range v {
			text, isText := one.(string)
			schema := text[strings.LastIndex(text, "/")+1:]
			switch {
			case name == "$ref" && isText && schema == "UserID":
				all = append(all, place)
			case name == "$ref" && isText && !slices.Contains(within, schema):
				named := harness.Below(d.document, "components", "schemas", schema)
				all = append(all, d.idsIn(named, place, append(within, schema))...)
			case name == "properties":
				for property, one := range one.(map[string]any) {
					all = append(all, d.idsIn(one, place+"."+property, within)...)
				}
			case name != "example" && name != "examples":
				all = append(all, d.idsIn(one, place, within)...)
			}
		}
	}
	return all
}

// Every operation that takes the id of a user is asked about one who was erased.
func TestEveryUsersIDIsAskedFor(t *testing.T) {
	t.Parallel()
	known := slices.Sorted(maps.Keys(asksOf))
	if diff := cmp.Diff(known, theDocument().usersOf()); diff != "" {
		t.Errorf("asksOf lacks operations, or has too many (-asksOf +document):\n%s", diff)
	}
}

// erasureTold has the routes that may reveal an erasure: an export tells how far the erasure is, as its own route does,
// and a comparison why a member of the forum has nothing. A request's own id is other each time, and an award's.
var erasureTold = regexp.MustCompile(`"instance":"[^"]*"|"id":"[a-z2-7]{26}"|"erasure":(null|{.*}})|"apart":"erased",`)

// ask sends a request about a user and returns the answer, in which the user's id is ID.
func (f *forum) ask(request, user string) string {
	f.TB.Helper()
	method, rest, _ := strings.Cut(strings.ReplaceAll(request, "ID", user), " ")
	var a answer
	if method == "HOOK" {
		a = f.hook("standard "+rest[:min(20, len(rest))]+user, rest)
	} else {
		path, body, _ := strings.Cut(rest, " ")
		if path == "" {
			f.TB.Fatal(request)
		}
		a = f.Do(method, path, f.Service(), body)
	}
	a.Header.Del("ETag")
	a.Header.Del("X-Request-Id")
	a.Header.Del("Content-Length")
	a.Header.Del("Date")
	text := fmt.Sprint(a.Status, " ", a.Header, " ", a.Body)
	return erasureTold.ReplaceAllString(strings.ReplaceAll(text, user, "ID"), "")
}

// An erased id is answered as one that never was, byte for byte, in live periods and in final ones: at once, though
// the answers were asked for before, and when all of the erasure is done.
func TestErasedIsAnsweredAsAStranger(t *testing.T) {
	t.Parallel()
	for _, done := range []bool{false, true} {
		t.Run(map[bool]string{false: "at once", true: "when it is done"}[done], func(t *testing.T) {
			t.Parallel()
			f := hooked(t, "")
			f.Now = time.Date(2026, 7, 10, 12, 0, 0, 0, time.UTC)
			days := []time.Time{f.Now, f.Now.AddDate(0, 1, 0), f.Now.AddDate(0, 2, 0), f.Now.AddDate(0, 3, 0)}
			for day := 13; day <= 20; day++ {
				days = append(days, time.Date(2026, 11, day, 12, 0, 0, 0, time.UTC))
			}
			for n, day := range days {
				f.Now = day
				f.Did(fmt.Sprintf("ann like n%d", n), fmt.Sprintf("ann like m%d", n), fmt.Sprintf("bob like n%d", n),
					fmt.Sprintf("cid comment m%d", n), "bob follow ann", "ann follow cid")
				if n < 4 {
					f.Night(0)
				}
			}
			f.published("a1", "ann")
			f.Did("cid like a1", "ann like a1")
			f.Put("/v1/users/ann/voids/bob", f.Service(), "")
			f.Put("/v1/users/ann", f.Service(), `{"name":"Ann Nobis","groups":["staff"]}`)
			f.Put("/v1/users/ann/visibility", f.Service(), `{"boards":"shown","days":"public"}`)
			f.Night(0)
			f.Now = f.Now.Add(time.Minute)
			reads, changes := embedsOf, []string{}
			for _, key := range slices.Sorted(maps.Keys(asksOf)) {
				isRead := strings.HasPrefix(key, "GET")
				for _, r := range asksOf[key] {
					if strings.Contains(key, "/users/{user} path") && strings.Contains(r, "/boards/") {
						r = strings.Replace(r, "?period", "/users/ID?period", 1)
					} else if strings.Contains(key, "/friends path") {
						r = strings.Replace(r, "?period", "/users/ID/friends?period", 1)
					}
					if isRead {
						reads = append(reads, r)
					} else {
						changes = append(changes, r)
					}
				}
			}
			told := 0
			for _, r := range reads { // caches have them now
				if f.ask(r, "ann") != f.ask(r, "zed") {
					told++
				}
			}
			if told < len(reads)/2 {
				t.Errorf("%d of %d reads tell a person from a stranger", told, len(reads))
			}
			if a := f.Delete("/v1/users/ann", f.Service()); a.Status >= 300 {
				t.Fatal(a.Status, a.Body)
			}
			if done {
				f.Night(0)
				f.Night(0)
				if a := f.Get("/v1/users/ann/erasure", f.Service()); !strings.Contains(a.Body, "done") {
					t.Fatal(a.Body)
				}
			}
			f.Now = f.Now.Add(time.Minute)
			compare := func(requests []string, when string) {
				t.Helper()
				for _, r := range requests {
					if !done && strings.HasPrefix(r, "PUT /v1/articles") { // the article still has its author
						continue
					}
					want, got := f.ask(r, "zed"), f.ask(r, "ann")
					if got != want {
						t.Errorf("%s: %s\nerased   %s\nstranger %s", when, r, got, want)
					}
				}
			}
			compare(reads, "erased")
			compare(changes, "changes")
		})
	}
}
