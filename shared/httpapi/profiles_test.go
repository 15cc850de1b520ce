package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"laurel/internal/testserver"
	"laurel/shared/httpapi"
)

func TestProfiles(t *testing.T) {
	t.Parallel()
	f := open(t)
	const whole = `{"name":"Ann Lee","avatar":"https://forum.example/ann.png",` +
		`"link":"https://forum.example/u/ann?x=1&y=2"}`
	f.Says(f.Get("/v1/users/ann", ""), http.StatusNotFound, "")
	f.Says(f.Put("/v1/users/ann", f.Service(), whole), http.StatusOK, `{"id":"ann",`+whole[1:])
	a := f.Get("/v1/users/ann", "")
	f.Says(a, http.StatusOK, `{"id":"ann",`+whole[1:])
	if kept := a.Header.Get("Cache-Control"); kept != "public, max-age=0, s-maxage=2" {
		t.Errorf("a profile may be kept: %q", kept)
	}
	if again := f.Get("/v1/users/ann", "", "If-None-Match", a.Header.Get("ETag")); again.Status != http.StatusNotModified {
		t.Errorf("the same again: %d", again.Status)
	}
	// Replaced whole: what is left out is gone.
	f.Says(f.Put("/v1/users/ann", f.Service(), `{"name":"Ann"}`), http.StatusOK, `{"id":"ann","name":"Ann"}`)
	f.Says(f.Get("/v1/users/ann", ""), http.StatusOK, `{"id":"ann","name":"Ann"}`)
	if again := f.Get("/v1/users/ann", "", "If-None-Match", a.Header.Get("ETag")); again.Status != http.StatusOK {
		t.Errorf("another: %d", again.Status)
	}

	many := `{"users":[{"id":"bob","name":"Bob"},{"id":"ann","name":"Ann B.","link":"http://a.example/"}]}`
	f.Says(f.Put("/v1/users", f.Service(), many), http.StatusOK, many)
	f.Says(f.Get("/v1/users/bob", ""), http.StatusOK, `{"id":"bob","name":"Bob"}`)
	f.Says(f.Get("/v1/users/ann", ""), http.StatusOK, `{"id":"ann","name":"Ann B.","link":"http://a.example/"}`)
	hundred := make([]string, 100)
	for i := range hundred {
		hundred[i] = `{"id":"u` + strings.Repeat("x", i%60) + string(rune('a'+i/60)) + `","name":"U"}`
	}
	f.Says(f.Put("/v1/users", f.Service(), `{"users":[`+strings.Join(hundred, ",")+`]}`), http.StatusOK, `{"users":[`+
		strings.Join(hundred, ",")+`]}`)
}

// Boards, live and final, standings, friends and lists show names; who has no
// profile appears with the id alone.
func TestNamesAreEverywhere(t *testing.T) {
	t.Parallel()
	f := open(t)
	f.Did("ann like 1", "ann like 2", "bob like 1", "cid visit 1", "ann follow bob", "ann follow cid")
	f.Put("/v1/users", f.Service(),
		`{"users":[{"id":"ann","name":"Ann"},{"id":"bob","name":"Bob","avatar":"https://b.example/b.png"}]}`)
	const (
		ann = `{"rank":1,"score":8,"user":{"id":"ann","name":"Ann"}}`
		bob = `{"rank":2,"score":2,"user":{"id":"bob","name":"Bob","avatar":"https://b.example/b.png"}}`
		cid = `{"rank":3,"score":1,"user":{"id":"cid"}}`
	)
	const mine = `[{"rank":1,"boardRank":1,"score":8,"user":{"id":"ann","name":"Ann"}},` +
		`{"rank":2,"boardRank":2,"score":2,"user":{"id":"bob","name":"Bob","avatar":"https://b.example/b.png"}},` +
		`{"rank":3,"boardRank":3,"score":1,"user":{"id":"cid"}}]`
	for range 2 { // the first time a copy is missing
		f.Shows(today, "", "["+ann+","+bob+","+cid+"]")
		f.Shows(today+"/users/cid?around=1", "", "["+bob+","+cid+"]")
		f.Shows(friends, f.User("ann"), mine)
		f.Says(f.Get("/v1/users/ann/following", f.User("ann")), http.StatusOK,
			`{"users":[{"id":"bob","name":"Bob","avatar":"https://b.example/b.png"},{"id":"cid"}],"total":2,"next":null}`)
	}
	f.Night(10)
	f.Put("/v1/users/cid", f.Service(), `{"name":"Cid, later"}`)
	const then = "?period=2026-11-20"
	f.Shows(today+then, "", "["+ann+","+bob+`,{"rank":3,"score":1,"user":{"id":"cid","name":"Cid, later"}}]`)
	f.Shows(today+"/users/ann"+then+"&around=1", "", "["+ann+","+bob+"]")
	f.Shows(friends+then, f.User("ann"), strings.Replace(mine, `"id":"cid"`, `"id":"cid","name":"Cid, later"`, 1))
	if b := read[httpapi.Board](t, f.Get(today+then, "")); !b.Final {
		t.Error("the day is not final")
	}
}

// oddIDs are ids that are hard on addresses, keys and logs.
var oddIDs = []string{
	"{0}", "a:b", `q"uote'`, "100%s", "%2F", "a/b", "🙂", "مرحبا", "é è", "}:pages:x", "-1",
	"a?b#c&d=e", "+", "<b>",
}

// Every route about users takes every id that a user can have.
func TestOddIDsInEveryRouteOfPeople(t *testing.T) {
	t.Parallel()
	f := open(t)
	for i, id := range oddIDs {
		f.oddPerson(id, oddIDs[(i+1)%len(oddIDs)])
	}
	f.Night(10)
	const then = "?period=2026-11-20"
	for i, id := range oddIDs {
		friend := oddIDs[(i+1)%len(oddIDs)]
		named := httpapi.User{ID: httpapi.UserID(id), Name: "I am " + id}
		b := read[httpapi.Board](t, f.Get(on(id, then), ""))
		if len(b.Entries) == 0 || !b.Final || string(b.Standing.User.ID) != id || b.Standing.Rank == nil {
			t.Errorf("%q stands %+v on the final board", id, b)
		}
		mine := read[httpapi.FriendsBoard](t, f.Get(on(id, "/friends"+then), f.User(id)))
		if len(mine.Entries) != 2 || mine.Entries[0].Rank == nil || mine.Entries[1].Rank == nil {
			t.Errorf("%q's friends on the final board: %+v", id, mine.Entries)
		}
		for _, e := range mine.Entries {
			if e.User.ID == named.ID && e.User != named || e.User.ID != named.ID && string(e.User.ID) != friend {
				t.Errorf("%q's friend is %+v", id, e.User)
			}
		}
	}
	for i, id := range oddIDs {
		f.Delete(of(id, ""), f.Service())
		f.tick()
		if got := read[httpapi.Erasure](t, f.Get(of(id, "/erasure"), f.Service())); got.State != "done" {
			t.Errorf("%q is erased: %+v", id, got)
		}
		if b := read[httpapi.Board](t, f.Get(today+then+"&limit=100", "")); int(b.Total) != len(oddIDs) || erasedOn(b) != i+
			1 {
			t.Errorf("after %q: %d of %d are erased", id, erasedOn(b), b.Total)
		}
	}
	for _, id := range oddIDs {
		if keys := testserver.Grep(t, f.Redis, id); len(id) > 2 && id != "{0}" &&
			len(keys) > 0 { // that and shorter ones are in every key
			t.Errorf("%q is still in %q", id, keys)
		}
	}
	if strings.Contains(f.Out.String(), `"level":"ERROR"`) {
		t.Errorf("logged: %s", f.Out)
	}
}

func erasedOn(b httpapi.Board) (n int) {
	for _, e := range b.Entries {
		if e.User.Erased && e.User.ID == "" {
			n++
		}
	}
	return n
}

// oddPerson is a user who does everything once.
func (f *forum) oddPerson(id, friend string) {
	f.TB.Helper()
	token := f.User(id)
	body := `{"id":` + quote(id) + `,"name":` + quote("I am "+id) + `}`
	profile := read[httpapi.UserProfile](f.TB, f.Put(of(id, ""), f.Service(), `{"name":`+quote("I am "+id)+`}`))
	if profile.ID != id || read[httpapi.UserProfile](f.TB, f.Get(of(id, ""), "")).Name != "I am "+id {
		f.TB.Errorf("%q has the profile %+v", id, profile)
	}
	if many := read[httpapi.UserProfiles](f.TB,
		f.Put("/v1/users", f.Service(), `{"users":[`+body+`]}`)); many.Users[0].ID != id {
		f.TB.Errorf("%q has the profile %+v", id, many)
	}
	if got := read[httpapi.Followed](f.TB,
		f.Put(of(id, "/following"), token, `{"users":[{"id":`+quote(friend)+`}]}`)); got.Total != 1 {
		f.TB.Errorf("%q follows %+v", id, got)
	}
	if got := read[httpapi.Following](f.TB,
		f.Get(of(id, "/following"), token)); got.Users[0].ID != httpapi.UserID(friend) {
		f.TB.Errorf("%q follows %+v", id, got)
	}
	f.Post(token, list(like))
	for _, boards := range []string{"hidden", "shown"} {
		got := read[httpapi.UserVisibility](f.TB, f.Put(of(id, "/visibility"), token, `{"boards":"`+boards+`"}`))
		if got.Boards != boards {
			f.TB.Errorf("%q is %+v", id, got)
		}
	}
	for _, excluded := range []bool{true, false} {
		method := map[bool]string{true: http.MethodPut, false: http.MethodDelete}[excluded]
		if got := read[httpapi.UserExclusion](f.TB,
			f.Do(method, of(id, "/exclusion"), f.Service(), "")); got.Excluded != excluded {
			f.TB.Errorf("%q is %+v", id, got)
		}
	}
	if got := read[httpapi.Standings](f.TB, f.Get(of(id, "/standings"), token)); got.User.ID != httpapi.UserID(id) ||
		got.Standings[0].Score != 2 {
		f.TB.Errorf("%q stands %+v", id, got)
	}
	if got := read[httpapi.Activity](f.TB, f.Get(of(id, "/activity"), token)); got.User.ID != httpapi.UserID(id) ||
		got.Totals["like"].Count != 1 {
		f.TB.Errorf("%q did %+v", id, got)
	}
	if mine := read[httpapi.FriendsBoard](f.TB, f.Get(on(id, "/friends"), token)); len(mine.Entries) != 2 {
		f.TB.Errorf("%q's friends: %+v", id, mine)
	}
}

// on is the address of a user on today's board, and more after it.
func on(user, more string) string { return today + strings.TrimPrefix(of(user, more), "/v1") }
