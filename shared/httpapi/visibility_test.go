package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/httpapi"
)

// A hidden user is on no live board that others see, and told the places that would
// be; what is final stays, and it is undone at will.
func TestHiding(t *testing.T) {
	t.Parallel()
	f := open(t)
	f.Did("bob like 1", "ann visit 1")
	f.Night(1)
	ann, bob := f.User("ann"), f.User("bob")
	f.Did("bob like 2", "ann visit 2", "cid visit 2", "cid visit 3", "dan visit 4", "ann follow bob", "ann follow dan")
	whole := f.Entries(today, "")
	f.Says(f.Put("/v1/users/bob/visibility", bob, `{"boards":"hidden"}`), http.StatusOK,
		`{"boards":"hidden","days":"private"}`)
	f.Shows(today, "", `[{"rank":1,"score":5,"user":{"id":"ann"}},{"rank":2,"score":2,"user":{"id":"cid"}},{"rank":3,`+
		`"score":1,"user":{"id":"dan"}}]`)
	f.Shows("/v1/boards/activity/day?period=2026-11-20", "", `[{"rank":1,"score":1,"user":{"id":"ann"}}]`)
	f.Shows(today+"/users/cid?around=1", "", f.Entries(today, ""))
	f.Shows(today+"/users/bob", "", "[]")
	f.Shows(friends, ann, `[{"rank":1,"boardRank":1,"score":5,"user":{"id":"ann"}},{"rank":2,"boardRank":3,"score":1,`+
		`"user":{"id":"dan"}}]`)
	if s := read[httpapi.Board](t, f.Get(today+"/users/bob", bob)).Standing; s.Rank != nil || s.Score != 0 ||
		s.PreviousRank != nil {
		t.Errorf("others are told %+v", s)
	}
	own := read[httpapi.Standings](t, f.Get("/v1/users/bob/standings", bob)).Standings[0]
	if own.Rank == nil || *own.Rank != 2 || own.Score != 2 || own.Total != 4 || own.ToNext == nil || *own.ToNext != 4 ||
		own.PreviousRank == nil || *own.PreviousRank != 1 {
		t.Errorf("the hidden user is told %+v", own)
	}
	f.Shows("/v1/boards/activity/day/users/bob/friends", bob, `[{"rank":1,"boardRank":2,"score":2,"user":{"id":"bob"}}]`)
	if got := f.Did("bob like 9")[0]; got.Status != "counted" || got.Points != 2 {
		t.Errorf("what a hidden user does: %+v", got)
	}
	f.Did("bob unlike 9")
	f.Says(f.Put("/v1/users/bob/visibility", f.Service(), `{"boards":"shown"}`), http.StatusOK,
		`{"boards":"shown","days":"private"}`)
	f.Shows(today, "", whole)

	f.Night(10)
	f.Says(f.Put("/v1/users/bob/visibility", f.User("bob"), `{"boards":"hidden"}`), http.StatusOK,
		`{"boards":"hidden","days":"private"}`)
	f.Shows(today+"?period=2026-11-21", "", whole)
	const then = "?period=2026-11-20" // dan was not on that one
	mine := `{"rank":1,"boardRank":1,"score":2,"user":{"id":"bob"}},{"rank":2,"boardRank":2,"score":1,"user":{"id":"ann"}}`
	f.Shows(friends+then, ann, "["+mine+`,{"rank":null,"boardRank":null,"score":0,"user":{"id":"dan"}}]`)
	f.Says(f.Put("/v1/users/dan/visibility", f.Service(), `{"boards":"hidden"}`), http.StatusOK,
		`{"boards":"hidden","days":"private"}`)
	f.Shows(friends+then, ann, "["+mine+"]")
	if b := read[httpapi.FriendsBoard](t, f.Get(friends+then, ann)); b.Total != 2 || !b.Final {
		t.Errorf("%+v", b)
	}
}

// An excluded user is off the boards, nothing of what comes meanwhile is kept but undos, and
// what was earned before comes back.
func TestExclusion(t *testing.T) {
	t.Parallel()
	f := open(t)
	ann := f.User("ann")
	f.Did("ann like 0", "ann like 1", "bob visit 1", "bob follow ann")
	for range 2 { // it may be repeated
		f.Says(f.Put("/v1/users/ann/exclusion", f.Service(), ""), http.StatusOK, `{"excluded":true}`)
	}
	f.Shows(today, "", `[{"rank":1,"score":3,"user":{"id":"bob"}}]`)
	if got := f.Did("ann like 2", "ann unlike 1", "bob follow ann"); got[0].Status != "excluded" || got[0].Points != 0 ||
		got[1].Status != "excluded" || got[2].Status != "duplicate" {
		t.Errorf("receipts %+v", got)
	}
	a := f.Put("/v1/users/ann/following", ann, `{"users":[{"id":"bob"}]}`)
	f.Says(a, http.StatusConflict, "")
	for _, s := range read[httpapi.Standings](t, f.Get("/v1/users/ann/standings", ann)).Standings {
		if s.Rank != nil || s.Score != 0 {
			t.Errorf("an excluded user stands %+v", s)
		}
	}
	if got := read[httpapi.Activity](t, f.Get("/v1/users/ann/activity?days=1", ann)); got.Totals["like"].Points != 2 {
		t.Errorf("days of an excluded user: %+v", got)
	}
	f.Night(10) // the 20th is archived meanwhile
	f.Says(f.Delete("/v1/users/ann/exclusion", f.Service()), http.StatusOK, `{"excluded":false}`)
	f.Shows(today+"?period=2026-11-20", "", `[{"rank":1,"score":3,"user":{"id":"bob"}}]`)
	f.Shows("/v1/boards/activity/month?period=2026-11", "", // without what was undone meanwhile
		`[{"rank":1,"score":3,"user":{"id":"bob"}},{"rank":2,"score":2,"user":{"id":"ann"}}]`)
	if got := f.Did("ann like 3")[0]; got.Status != "counted" {
		t.Errorf("afterwards %+v", got)
	}
}

// What is read of a visibility and of an exclusion can be put again, and what a body leaves
// out stays as it is.
func TestVisibilityAndExclusionAreRead(t *testing.T) {
	t.Parallel()
	f := open(t)
	put := func(path, body, want string) {
		t.Helper()
		f.Says(f.Put(path, f.Service(), body), http.StatusOK, want)
		f.Says(f.Get(path, f.Service()), http.StatusOK, want)
		f.Says(f.Put(path, f.Service(), want), http.StatusOK, want)
	}
	const visibility, exclusion = "/v1/users/ann/visibility", "/v1/users/ann/exclusion"
	f.Says(f.Get(visibility, f.User("ann")), http.StatusOK, `{"boards":"shown","days":"private"}`)
	put(visibility, `{"days":"public"}`, `{"boards":"shown","days":"public"}`)
	f.Did("ann like 1")
	f.Shows(today, "", `[{"rank":1,"score":2,"user":{"id":"ann"}}]`)
	put(visibility, `{"boards":"hidden"}`, `{"boards":"hidden","days":"public"}`)
	f.Says(f.Get(exclusion, f.Service()), http.StatusOK, `{"excluded":false}`)
	put(exclusion, "", `{"excluded":true}`)
	put(exclusion, `{"excluded":false}`, `{"excluded":false}`)
	put(exclusion, "{}", `{"excluded":true}`)
	put(exclusion, `{"shadow":true}`, `{"excluded":true,"shadow":true}`)
	f.Delete(exclusion, f.Service())
	put(visibility, `{"boards":"shown"}`, `{"boards":"shown","days":"public"}`)
	f.Shows(today, "", `[{"rank":1,"score":2,"user":{"id":"ann"}}]`)
	put(visibility, `{}`, `{"boards":"shown","days":"public"}`)
	put(visibility, `{"days":"private"}`, `{"boards":"shown","days":"private"}`)
	put(visibility, `{"boards":"hidden","days":"public"}`, `{"boards":"hidden","days":"public"}`)
	if a := f.Delete("/v1/users/ann", f.Service()); a.Status != http.StatusAccepted {
		t.Error(a.Status, a.Body)
	}
	f.Says(f.Get(visibility, f.Service()), http.StatusOK, `{"boards":"shown","days":"private"}`)
}

// A shadowed user is as if excluded for all others, and notices nothing.
func TestShadow(t *testing.T) {
	t.Parallel()
	f := open(t)
	ann := f.User("ann")
	f.Did("ann like 1", "bob visit 1", "bob follow ann")
	own := []string{
		"/v1/users/ann/standings", "/v1/boards/activity/day/users/ann/friends", "/v1/users/ann/activity?days=1",
		"/v1/users/ann/export",
	}
	var before []string
	for _, path := range own {
		before = append(before, strings.TrimSpace(f.Get(path, ann).Body))
	}
	f.Says(f.Put("/v1/users/ann/exclusion", f.Service(), ""), http.StatusOK, `{"excluded":true}`)
	for range 2 { // it takes the place of the exclusion, and may be repeated
		f.Says(f.Put("/v1/users/ann/exclusion", f.Service(), `{"shadow":true}`), http.StatusOK,
			`{"excluded":true,"shadow":true}`)
	}
	others := `[{"rank":1,"score":3,"user":{"id":"bob"}}]`
	f.Shows(today, "", others)
	f.Shows("/v1/boards/activity/day/users/bob/friends", f.User("bob"),
		`[{"rank":1,"boardRank":1,"score":3,"user":{"id":"bob"}}]`)
	f.Shows(today+"/users/ann", "", "[]")
	for i, path := range own {
		f.Says(f.Get(path, ann), http.StatusOK, before[i])
	}
	if got := f.Did("ann like 2")[0]; got.Status != "counted" || got.Points != 2 || got.Scores["day"] != 4 {
		t.Errorf("a shadowed user's receipt: %+v", got)
	}
	f.Shows(today, "", others)
	f.Says(f.Put("/v1/users/ann/following", ann, `{"users":[{"id":"bob"}]}`), http.StatusOK, `{"total":1}`)
	f.Night(10) // the 20th becomes final without the user
	f.Shows(today+"?period=2026-11-20", "", others)
	f.Says(f.Delete("/v1/users/ann/exclusion", f.Service()), http.StatusOK, `{"excluded":false}`)
	f.Shows("/v1/boards/activity/month?period=2026-11", "", `[{"rank":1,"score":4,"user":{"id":"ann"}},`+
		`{"rank":2,"score":3,"user":{"id":"bob"}}]`)
	f.Says(f.Put("/v1/users/ann/exclusion", f.Service(), `{"shadow":1}`), http.StatusUnprocessableEntity, "")
}

// The days of a user are for all once the user opens them, and not while excluded.
func TestDaysAreOpened(t *testing.T) {
	t.Parallel()
	client, trips := testserver.CountedRedis(t)
	f := &forum{harness.NewForum(t, harness.Setup{Redis: client}).Serve()}
	f.Did("ann like 1")
	const path, visibility = "/v1/users/ann/days?days=2", "/v1/users/ann/visibility"
	const want = `{"user":{"id":"ann"},"timezone":"UTC","days":[{"day":"2026-11-20","scores":{"activity":2,"steps":0}},` +
		`{"day":"2026-11-19","scores":{"activity":0,"steps":0}}]}`
	private := func() {
		t.Helper()
		if p := f.Get(path, f.User("ann")).Problem(t); p.Status != http.StatusNotFound || p.Code != "days_private" {
			t.Errorf("%+v", p)
		}
	}
	private()
	f.Put(visibility, f.User("ann"), `{"days":"public"}`)
	trips.Expect(t, "days", 0, func() { f.Says(f.Get(path, ""), http.StatusOK, want) })
	f.Put(visibility, f.User("ann"), `{"boards":"hidden"}`)
	f.Says(f.Get(path, ""), http.StatusOK, want)
	f.Put("/v1/users/ann/exclusion", f.Service(), "")
	private()
	f.Delete("/v1/users/ann/exclusion", f.Service())
	f.Says(f.Get(path, ""), http.StatusOK, want)
	f.Put(visibility, f.User("ann"), `{"days":"private"}`)
	private()
}

// Nobody reads or changes what is another's, and users do nothing that is the
// service's.
func TestPeopleAreTheirOwn(t *testing.T) {
	t.Parallel()
	f := open(t)
	f.Did("ann like 1", "ann follow bob")
	before := f.State()
	f.Put("/v1/users", f.User("ann"), `{"users":[{"id":"ann","name":"Ann"}]}`)
	type request struct{ method, path, body string }
	own := []request{
		{"GET", friends, ""},
		{"GET", "/v1/users/ann/following", ""},
		{"PUT", "/v1/users/ann/following", `{"users":[]}`},
		{"PUT", "/v1/users/ann/visibility", `{"boards":"hidden"}`},
		{"GET", "/v1/users/ann/visibility", ""},
		{"GET", "/v1/users/ann/standings", ""},
		{"GET", "/v1/users/ann/activity", ""},
	}
	services := []request{
		{"PUT", "/v1/users/ann", `{"name":"Ann"}`},
		{"PUT", "/v1/users", `{"users":[{"id":"ann","name":"Ann"}]}`},
		{"DELETE", "/v1/users/ann", ""},
		{"GET", "/v1/users/ann/erasure", ""},
		{"PUT", "/v1/users/ann/exclusion", ""},
		{"DELETE", "/v1/users/ann/exclusion", ""},
		{"GET", "/v1/users/ann/exclusion", ""},
		{"GET", "/v1/status", ""},
	}
	refused := func(r request, token string, status int) {
		a := f.Do(r.method, r.path, token, r.body)
		if a.Problem(t); a.Status != status || a.Header.Get("Cache-Control") != "private, no-store" {
			t.Errorf("%s %s: %d, %v, want %d", r.method, r.path, a.Status, a.Header, status)
		}
	}
	for _, r := range own {
		refused(r, f.User("bob"), http.StatusForbidden)
		refused(r, "", http.StatusUnauthorized)
	}
	for _, r := range services {
		refused(r, f.User("ann"), http.StatusForbidden)
		refused(r, "", http.StatusUnauthorized)
	}
	after := f.State()
	for key := range after {
		if before[key] != after[key] {
			t.Errorf("%s has changed", key)
		}
	}
	for _, r := range own {
		if a := f.Do(r.method, r.path, f.User("ann"), r.body); a.Status != http.StatusOK ||
			a.Header.Get("Cache-Control") != "private, no-store" {
			t.Errorf("%s %s by the user: %d, %v", r.method, r.path, a.Status, a.Header)
		}
	}
	if a := f.Get("/v1/users/ann", "not a token"); a.Status != http.StatusNotFound { // public: a token changes nothing
		t.Errorf("a profile with a token that is none: %d", a.Status)
	}
}
