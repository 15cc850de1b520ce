package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/testserver"
	"laurel/shared/httpapi"
)

// Every route about users takes every id that a user can have.
func TestOddIDsInEveryRouteOfPeople(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	f := w.open()
	for i, id := range oddIDs {
		f.oddPerson(id, oddIDs[(i+1)%len(oddIDs)])
	}
	f = w.night(10)
	const then = "?period=2026-11-20"
	for i, id := range oddIDs {
		friend := oddIDs[(i+1)%len(oddIDs)]
		named := httpapi.User{ID: httpapi.UserID(id), Name: "I am " + id}
		b := read[httpapi.Board](t, f.get(on(id, then), ""))
		if len(b.Entries) == 0 || !b.Final || b.Standing.User != id || b.Standing.Rank == nil {
			t.Errorf("%q stands %+v on the final board", id, b)
		}
		mine := read[httpapi.FriendsBoard](t, f.get(on(id, "/friends"+then), f.user(id)))
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
		e := read[httpapi.Erasure](t, f.remove(of(id, ""), f.service()))
		if got := read[httpapi.Erasure](t, f.get(of(id, "/erasure"), f.service())); e.State != "done" || e.Removed["finalBoards"] != 1 || !cmp.Equal(e, got) {
			t.Errorf("%q is erased: %+v, later %+v", id, e, got)
		}
		if b := read[httpapi.Board](t, f.get(today+then+"&limit=100", "")); int(b.Total) != len(oddIDs) || erasedOn(b) != i+1 {
			t.Errorf("after %q: %d of %d are erased", id, erasedOn(b), b.Total)
		}
	}
	for _, id := range oddIDs {
		if keys := testserver.Grep(t, w.client, id); len(id) > 2 && id != "{0}" && len(keys) > 0 { // that and shorter ones are in every key
			t.Errorf("%q is still in %q", id, keys)
		}
	}
	if f.log.Len() > 0 {
		t.Errorf("logged: %s", f.log)
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
	f.tb.Helper()
	token := f.user(id)
	body := `{"id":` + quote(id) + `,"name":` + quote("I am "+id) + `}`
	profile := read[httpapi.UserProfile](f.tb, f.put(of(id, ""), f.service(), `{"name":`+quote("I am "+id)+`}`))
	if profile.ID != id || read[httpapi.UserProfile](f.tb, f.get(of(id, ""), "")).Name != "I am "+id {
		f.tb.Errorf("%q has the profile %+v", id, profile)
	}
	if many := read[httpapi.UserProfiles](f.tb, f.put("/v1/users", f.service(), `{"users":[`+body+`]}`)); many.Users[0].ID != id {
		f.tb.Errorf("%q has the profile %+v", id, many)
	}
	if got := read[httpapi.Followed](f.tb, f.put(of(id, "/following"), token, `{"users":[`+quote(friend)+`]}`)); got.User != id || got.Total != 1 {
		f.tb.Errorf("%q follows %+v", id, got)
	}
	if got := read[httpapi.Following](f.tb, f.get(of(id, "/following"), token)); got.Users[0].ID != httpapi.UserID(friend) {
		f.tb.Errorf("%q follows %+v", id, got)
	}
	f.post(token, list(like))
	for _, boards := range []string{"hidden", "shown"} {
		got := read[httpapi.UserVisibility](f.tb, f.put(of(id, "/visibility"), token, `{"boards":"`+boards+`"}`))
		if got.User != id || got.Boards != boards {
			f.tb.Errorf("%q is %+v", id, got)
		}
	}
	for _, excluded := range []bool{true, false} {
		method := map[bool]string{true: http.MethodPut, false: http.MethodDelete}[excluded]
		if got := read[httpapi.Exclusion](f.tb, f.do(method, of(id, "/exclusion"), f.service(), "")); got.User != id || got.Excluded != excluded {
			f.tb.Errorf("%q is %+v", id, got)
		}
	}
	if got := read[httpapi.Standings](f.tb, f.get(of(id, "/standings"), token)); got.User != id || got.Standings[0].Score != 2 {
		f.tb.Errorf("%q stands %+v", id, got)
	}
	if got := read[httpapi.Activity](f.tb, f.get(of(id, "/activity"), token)); got.User != id || got.Totals["like"].Count != 1 {
		f.tb.Errorf("%q did %+v", id, got)
	}
	if mine := read[httpapi.FriendsBoard](f.tb, f.get(on(id, "/friends"), token)); len(mine.Entries) != 2 {
		f.tb.Errorf("%q's friends: %+v", id, mine)
	}
}

// on is the address of a user on today's board, and more after it.
func on(user, more string) string { return today + strings.TrimPrefix(of(user, more), "/v1") }
