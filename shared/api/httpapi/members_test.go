package httpapi_test

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/api/httpapi"
	"laurel/shared/core/activity"
)

// askedOf are requests by the pattern of their route. BOARD stands for each of some boards, those for members included,
// and PERIOD for a live period and a final one. They are sent without a token, and with the service's.
var askedOf = map[string][]string{
	"GET /v1/boards":         {"/v1/boards"},
	"GET /v1/boards/{board}": {"/v1/boards/BOARD?user=ann&with=movement", "/v1/boards/BOARD?windows=month,day"},
	"GET /v1/boards/{board}/{window}": {
		"/v1/boards/BOARD/PERIOD&user=ann&with=movement", "/v1/boards/BOARD/PERIOD&users=bob&users=rex",
		"/v1/boards/BOARD/day?limit=1", "/v1/boards/BOARD/hour", "/v1/boards/BOARD/day?limit=x",
	},
	"GET /v1/boards/{board}/{window}/periods":              {"/v1/boards/BOARD/day/periods"},
	"GET /v1/boards/{board}/{window}/winners":              {"/v1/boards/BOARD/day/winners?top=10"},
	"GET /v1/boards/{board}/{window}/users/{user}":         {"/v1/boards/BOARD/PERIOD/users/rex"},
	"GET /v1/boards/{board}/{window}/users/{user}/friends": {"/v1/boards/BOARD/PERIOD/users/bob/friends"},
	"GET /v1/users/{user}":                                 {"/v1/users/ann", "/v1/users/rex"},
	"GET /v1/users/{user}/days":                            {"/v1/users/ann/days", "/v1/users/rex/days"},
	"GET /v1/users/{user}/wreaths":                         {"/v1/users/ann/wreaths", "/v1/users/rex/wreaths"},
	"GET /v1/articles":                                     {"/v1/articles", "/v1/articles?sort=new&group=g"},
	"GET /v1/articles/{id}":                                {"/v1/articles/a1"},
	"GET /v1/groups":                                       {"/v1/groups"},
	"GET /v1/rules":                                        {"/v1/rules"},
	"GET /v1/health":                                       {"/v1/health"},
	"GET /openapi.json":                                    {"/openapi.json"},
	"GET /problems/{problem}":                              {"/problems/unknown_board", "/problems/none"},
	"GET /v1/login/discourse":                              {"/v1/login/discourse?return=https://f.example"},
	"GET /embed":                                           {"/embed"},
	"GET /embed/{path...}": {
		"/embed/", "/embed/laurel.js", "/embed/BOARD/PERIOD", "/embed/BOARD/PERIOD&user=bob", "/embed/BOARD/day.html",
		"/embed/BOARD/month.svg", "/embed/BOARD/day.txt", "/embed/BOARD/day.atom", "/embed/BOARD/month/race.svg",
		"/embed/BOARD/day/winners.html", "/embed/BOARD/day/winners.svg", "/embed/BOARD/day/winners.txt",
		"/embed/users/bob/BOARD/day.svg", "/embed/users/rex/BOARD/month.svg",
	},
	"POST /v1/hooks/{source}": {"/v1/hooks/standard"},
	"POST /v1/pair":           {"/v1/pair"},
}

// privateReads are requests for boards for members that a person's token answers.
var privateReads = []string{
	"/v1/private/boards", "/v1/private/boards/reviews", "/v1/private/boards/reviews/day",
	"/v1/private/boards/reviews/day?period=2026-11-16", "/v1/private/boards/reviews/day/periods",
	"/v1/private/boards/reviews/day/winners", "/v1/private/boards/reviews/day/users/bob",
	"/v1/private/boards/reviews/day/users/bob?period=2026-11-16", "/v1/private/boards/reviews/day/users/ann/friends",
	"/v1/private/users/ann/wreaths",
	// Of those with "of":"teams".
	"/v1/private/boards/houses", "/v1/private/boards/houses/day?user=ann&with=movement",
	"/v1/private/boards/houses/day?period=2026-11-16&users=rex", "/v1/private/boards/houses/day/periods",
	"/v1/private/boards/houses/day/winners", "/v1/private/boards/houses/month/users/ann",
}

// played opens a forum of some rules in which people did the same, but for reviews: guests.json has the rules that
// guests see of members.json. rex does nothing else.
func played(t *testing.T, name string, reviews bool) *forum {
	t.Helper()
	source := harness.Must(os.ReadFile("testdata/rules/" + name + ".json"))(t)
	rules := harness.Must(activity.ParseRules(source))(t)
	f := openWith(t, harness.Setup{Ledger: ledgerOf(rules)})
	for day := 13; day <= 20; day++ {
		f.Now = time.Date(2026, 11, day, 12, 0, 0, 0, time.UTC)
		f.Did(fmt.Sprintf("ann like n%d", day), fmt.Sprintf("bob like n%d", day), fmt.Sprintf("bob like m%d", day))
		if reviews {
			f.Did(fmt.Sprintf("ann review r%d", day), fmt.Sprintf("ann review s%d", day), fmt.Sprintf("bob review r%d", day),
				fmt.Sprintf("rex review r%d", day))
		}
	}
	for _, user := range []string{"ann", "rex"} {
		f.Put("/v1/users/"+user, f.Service(), `{"name":"`+user+` N.","groups":["red"]}`)
		f.Put("/v1/users/"+user+"/visibility", f.Service(), `{"days":"public"}`)
	}
	article := `{"id":"a1","title":"T","author":{"id":"ann"},"groups":["g"],"publishedAt":"2026-11-20T11:00:00Z"}`
	if a := f.Do(http.MethodPost, "/v1/articles", f.Service(), article); a.Status >= 300 {
		t.Fatal(a.Body)
	}
	f.Night(0)
	f.Now = f.Now.Add(time.Minute)
	return f
}

// others are parts of answers that differ by themselves: an address of the table's in feeds.
var others = regexp.MustCompile(`tag:[^,]*,|urn:laurel:[^:<]*`)

// seen returns all that a caller gets, but for the request's number. The tag of a feed is of its table's id.
func (f *forum) seen(method, path, token string) string {
	f.TB.Helper()
	a := f.Do(method, path, token, map[bool]string{true: "{}"}[method == http.MethodPost])
	a.Header.Del("X-Request-Id")
	a.Header.Del("Date")
	if strings.HasSuffix(path, ".atom") {
		a.Header.Del("ETag")
	}
	body := a.Body
	for _, number := range regexp.MustCompile(`"instance":"[^"]*"`).FindAllString(body, -1) {
		body = strings.ReplaceAll(body, number, "")
	}
	head := harness.Must(f.Items.Head(f.TB.Context()))(f.TB)
	return fmt.Sprint(a.Status, " ", a.Header, " ", strings.ReplaceAll(others.ReplaceAllString(body, ""), head.Table, ""))
}

// Every answer without a token, and every public one with a token, is the same, byte for byte and in its headers, as
// the one of a forum whose rules have no boards for members and whose people did nothing for them. A route that
// askedOf does not know fails the test.
func TestMembersBoardsArePrivate(t *testing.T) {
	t.Parallel()
	with, without := played(t, "members", true), played(t, "guests", false)
	patterns := httpapi.Patterns(with.Requests())
	known := map[string]bool{}
	for pattern := range askedOf {
		known[pattern] = true
	}
	for pattern, public := range patterns {
		if !public {
			known[pattern] = false
		}
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(known)), slices.Sorted(maps.Keys(patterns))); diff != "" {
		t.Errorf("askedOf lacks routes without a token, or has too many (-askedOf +routes):\n%s", diff)
	}
	compare := func(method, path, token string) {
		t.Helper()
		got, want := with.seen(method, path, token), without.seen(method, path, token)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s %s as %q (-no boards for members +boards for members):\n%s", method, path, token, diff)
		}
	}
	for _, pattern := range slices.Sorted(maps.Keys(patterns)) {
		method, path, _ := strings.Cut(pattern, " ")
		if !patterns[pattern] {
			compare(method, strings.NewReplacer("{board}", "reviews", "{window}", "day", "{user}", "ann", "{id}", "a1",
				"{target}", "a1").Replace(path), "")
		}
		for _, request := range askedOf[pattern] {
			for _, path := range filledIn(request) {
				compare(method, path, "")
				if method == http.MethodGet {
					compare(method, path, with.Service())
					compare(http.MethodHead, path, "")
				}
			}
		}
	}
	for _, path := range privateReads {
		a := with.Get(path, with.User("ann"))
		if a.Status != http.StatusOK || a.Header.Get("Cache-Control") != "private, no-store" ||
			!strings.Contains(a.Body, "reviews") && !strings.Contains(a.Body, `"houses"`) {
			t.Errorf("%s: %d %v %s", path, a.Status, a.Header, a.Body)
		}
		if strings.Contains(path, "houses/") && !strings.HasSuffix(path, "periods") &&
			!strings.Contains(a.Body, `"team":{"id":"red","label":"Red house","members":2}`) {
			t.Errorf("%s: %s", path, a.Body)
		}
	}
}

// filledIn returns the requests that one stands for.
func filledIn(request string) (all []string) {
	for _, name := range []string{"activity", "reviews", "writers", "houses", "nothing"} {
		for _, period := range []string{"day?period=2026-11-20", "day?period=2026-11-16", "month?period=2026-11"} {
			window, query, _ := strings.Cut(period, "?")
			one := strings.ReplaceAll(request, "BOARD", name)
			if place, rest, ok := strings.Cut(one, "PERIOD"); ok && strings.HasPrefix(rest, "/") {
				one = place + window + rest + "?" + query
			} else if ok {
				one = place + period + rest
			}
			all = append(all, one)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
