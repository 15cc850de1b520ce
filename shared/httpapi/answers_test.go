package httpapi_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
)

// The words of every answer, as section 8 of the design has them.
func TestShapes(t *testing.T) {
	t.Parallel()
	berlin, err := board.LoadCalendar("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	f := openWith(t, harness.Setup{Ledger: ledger.New(activity.Default(), berlin)})
	if got, want := f.Post(f.Service(),
		list(likes)).Body, `{"receipts":[{"status":"counted","points":2,"board":"activity","day":"2026-11-20",`+
		`"scores":{"day":2,"month":2}}]}`; strings.TrimSpace(got) != want {
		t.Errorf("receipts: %s\nwant %s", got, want)
	}
	if got, want := f.Post(f.Service(),
		list(at("2026-11-01T00:00:00Z"))).Body, `{"receipts":[{"status":"too_late","points":0,"board":"activity",`+
		`"day":"2026-11-01"}]}`; strings.TrimSpace(got) != want {
		t.Errorf("receipts: %s\nwant %s", got, want)
	}
	head := `"timezone":"Europe/Berlin","startsAt":"2026-11-20T00:00:00+01:00","endsAt":"2026-11-21T00:00:00+01:00",` +
		`"asOf":"2026-11-20T13:00:00.000+01:00","final":false,`
	for path, want := range map[string]string{
		"/v1/boards": `{"boards":[{"board":"activity","windows":["day","month"],` +
			`"labels":{"en":"Activity","vi":"Hoạt động","zh":"活跃榜"},"unit":{"en":"points","vi":"điểm","zh":"积分"}},` +
			`{"board":"steps","windows":["day","month"],"labels":{"en":"Steps","vi":"Bước chân","zh":"步数榜"},` +
			`"unit":{"en":"steps","vi":"bước","zh":"步"}}]}`,
		"/v1/boards/activity/day?user=ann": `{"board":"activity","window":"day","period":"2026-11-20",` + head +
			`"total":1,"entries":[{"rank":1,"score":2,"reachedAt":"2026-11-20T13:00:00.000+01:00","user":{"id":"ann"}}],` +
			`"next":null,"standing":{"user":{"id":"ann"},"rank":1,"score":2,"reachedAt":"2026-11-20T13:00:00.000+01:00",` +
			`"total":1,"percentile":100,"toNext":null,"previousRank":null}}`,
		"/v1/boards/activity/day/users/bob": `{"board":"activity","window":"day","period":"2026-11-20",` + head +
			`"total":1,"entries":[],"next":null,"standing":{"user":{"id":"bob"},"rank":null,"score":0,"reachedAt":null,` +
			`"total":1,"percentile":null,"toNext":1,"previousRank":null}}`,
		"/v1/boards/steps/day": `{"board":"steps","window":"day","period":"2026-11-20",` + head +
			`"total":0,"entries":[],"next":null}`,
		"/v1/boards/activity/day/periods": `{"board":"activity","window":"day","periods":[` +
			`{"period":"2026-11-20","startsAt":"2026-11-20T00:00:00+01:00","endsAt":"2026-11-21T00:00:00+01:00",` +
			`"final":false,"total":1}],"next":null}`,
		"/v1/boards/steps/month/periods": `{"board":"steps","window":"month","periods":[],"next":null}`,
		"/v1/users/ann/standings": `{"user":{"id":"ann"},"standings":[` +
			`{"board":"activity","window":"day","period":"2026-11-20","rank":1,"score":2,` +
			`"reachedAt":"2026-11-20T13:00:00.000+01:00","total":1,"percentile":100,` +
			`"toNext":null,"previousRank":null},` +
			`{"board":"activity","window":"month","period":"2026-11","rank":1,"score":2,` +
			`"reachedAt":"2026-11-20T13:00:00.000+01:00","total":1,"percentile":100,` +
			`"toNext":null,"previousRank":null},` +
			`{"board":"steps","window":"day","period":"2026-11-20","rank":null,"score":0,"reachedAt":null,"total":0,` +
			`"percentile":null,` +
			`"toNext":1,"previousRank":null},` +
			`{"board":"steps","window":"month","period":"2026-11","rank":null,"score":0,"reachedAt":null,"total":0,` +
			`"percentile":null,` +
			`"toNext":1,"previousRank":null}]}`,
		"/v1/users/ann/activity?days=2": `{"user":{"id":"ann"},"timezone":"Europe/Berlin","days":[` +
			`{"day":"2026-11-20","scores":{"activity":2,"steps":0},"actions":{"like":{"count":1,"points":2}}},` +
			`{"day":"2026-11-19","scores":{"activity":0,"steps":0},"actions":{}}],"totals":{"like":{"count":1,"points":2}}}`,
		"/v1/health": `{"status":"ok","stores":{"redis":"ok","table":"ok"}}`,
	} {
		a := f.Get(path, f.Service())
		if strings.TrimSpace(a.Body) != want || a.Status != http.StatusOK ||
			a.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %d %s\nwant %s", path, a.Status, a.Body, want)
		}
	}
	if got := f.Get("/v1/rules", "").Body; !strings.Contains(got, `"bookmark":{"undo":"unbookmark"`) {
		t.Errorf("the rules are %s", got)
	}
}

// Every window of a board that keeps them all: periods and their ends.
func TestWindows(t *testing.T) {
	t.Parallel()
	rules, err := activity.ParseRules([]byte(`{"boards":{"b":{"windows":["day","week","month","year","all"]}},
		"versions":[{"actions":{"visit":{"board":"b","points":1,"entry":"day","by":["user"]}}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	f := openWith(t, harness.Setup{Ledger: ledger.New(rules, board.NewCalendar(time.UTC))})
	if a := f.Post(f.User("ann"), list(`{"action":"visit","target":"p"}`)); a.Status != http.StatusOK ||
		!strings.Contains(a.Body, `"scores":{"all":1,"day":1,"month":1,"week":1,"year":1}`) {
		t.Error(a.Body)
	}
	for window, want := range map[string][3]string{
		"day":   {"2026-11-20", "2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z"},
		"week":  {"2026-W47", "2026-11-16T00:00:00Z", "2026-11-23T00:00:00Z"},
		"month": {"2026-11", "2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z"},
		"year":  {"2026", "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"},
		"all":   {"all", "2000-01-01T00:00:00Z", ""},
	} {
		for _, path := range []string{"/v1/boards/b/" + window, "/v1/boards/b/" + window + "?period=" + want[0]} {
			b := read[httpapi.Board](t, f.Get(path, ""))
			var end string
			if b.EndsAt != nil {
				end = *b.EndsAt
			}
			if got := [3]string{b.Period, b.StartsAt, end}; got != want || b.Total != 1 {
				t.Errorf("%s: %v with %d, want %v with 1", path, got, b.Total, want)
			}
		}
	}
	// The service may not report what the rules leave to users.
	if a := f.Post(f.Service(), list(`{"action":"visit","target":"p","user":"ann"}`)); a.Status != http.StatusForbidden {
		t.Error(a.Status, a.Body)
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	f := open(t)
	var all []string
	for _, user := range "abcdefghij" {
		all = append(all, `{"action":"like","target":"a1","user":"`+string(user)+`"}`)
	}
	read[httpapi.Receipts](t, f.Post(f.Service(), list(all...)))
	for query, want := range map[string]string{
		"":                               "abcdefghij",
		"?limit=3":                       "abc",
		"?limit=3&offset=8":              "ij",
		"?offset=10":                     "",
		"?offset=2147483648&limit=100":   "",
		"?period=2026-11-19":             "",
		"/users/e?around=0":              "e",
		"/users/a":                       "abc",
		"/users/e?around=25":             "abcdefghij",
		"/users/nobody":                  "",
		"/users/e?around=1&period=":      "-",
		"?limit=2&offset=2&user=nobody":  "cd",
		"/users/e?period=2026-11-20":     "cdefg",
		"/users/e?period=2026-11-21":     "",
		"/users/%65?around=1":            "def",
		"?limit=100&offset=9&user=%2Fa%": "-",
	} {
		a := f.Get("/v1/boards/activity/day"+query, "")
		if want == "-" {
			if a.Problem(t); a.Status != http.StatusUnprocessableEntity {
				t.Errorf("%s: %d %s", query, a.Status, a.Body)
			}
			continue
		}
		var got strings.Builder
		b := read[httpapi.Board](t, a)
		for _, e := range b.Entries {
			got.WriteString(string(e.User.ID))
		}
		if got.String() != want || b.Entries == nil {
			t.Errorf("%s: %q, want %q", query, got.String(), want)
		}
	}
}

// Ids of every kind come back as they went in, in bodies and in paths.
func TestIDs(t *testing.T) {
	t.Parallel()
	f := open(t)
	for id, path := range map[string]string{
		"a/b": "a%2Fb", "a b": "a%20b", "ü": "%C3%BC", "日本": "日本", "a+b": "a+b",
		"50%": "50%25", "?": "%3F", "#": "%23",
		"-1": "-1", "9007199254740993": "9007199254740993", "...": "...", "<&>": "%3C&%3E", "a%2Fb": "a%252Fb",
		"\u2028": "%E2%80%A8", "users": "users",
	} {
		quoted := `"` + id + `"`
		receipts := read[httpapi.Receipts](t,
			f.Post(f.Service(), list(`{"action":"visit","target":`+quoted+`,"user":`+quoted+`}`))).Receipts
		if receipts[0].Status != "counted" {
			t.Errorf("%q: %+v", id, receipts[0])
		}
		b := read[httpapi.Board](t, f.Get("/v1/boards/activity/day/users/"+path+"?around=0", ""))
		if string(b.Standing.User.ID) != id || b.Standing.Score != 1 ||
			len(b.Entries) != 1 || string(b.Entries[0].User.ID) != id {
			t.Errorf("%q: %+v", id, b)
		}
		s := read[httpapi.Standings](t, f.Get("/v1/users/"+path+"/standings", f.User(id)))
		if string(s.User.ID) != id || *s.Standings[0].Rank < 1 {
			t.Errorf("%q: %+v", id, s)
		}
	}
}

func TestRulesVersions(t *testing.T) {
	t.Parallel()
	rules, err := activity.ParseRules([]byte(`{"boards":{"b":{"windows":["day"]}},"versions":[
		{"actions":{"visit":{"board":"b","points":1,"entry":"day","by":["service"]}}},
		{"from":"2026-11-20","actions":{"look":{"board":"b","points":1,"entry":"day","by":["service"]}}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	f := openWith(t, harness.Setup{Ledger: ledger.New(rules, board.NewCalendar(time.UTC))})
	body := list(
		`{"action":"visit","target":"p","user":"u","at":"2026-11-19T23:59:59Z"}`,
		`{"action":"visit","target":"p","user":"u","at":"2026-11-20T00:00:00Z"}`,
		`{"action":"look","target":"p","user":"u","at":"2026-11-19T23:59:59Z"}`, `{"action":"look","target":"p","user":"u"}`,
	)
	got := f.Post(f.Service(), body).Problem(t).Locations()
	if diff := cmp.Diff([]string{"body.activities[1].action", "body.activities[2].action"}, got); diff != "" {
		t.Error(diff)
	}
}
