package httpapi_test

import (
	"net/http"
	"testing"

	"laurel/shared/people"
)

// An export tells its user all that is kept, also of one who is hidden or excluded, and
// nobody else but the service.
func TestExport(t *testing.T) {
	t.Parallel()
	f := open(t)
	f.Did("ann like 1", "bob visit 1")
	f.Post(f.User("ann"), list(`{"action":"steps","value":700}`))
	f.Night(10)
	f.Did("ann like 2", "ann unlike 2", "ann visit 3", "bob like 3")
	f.Did("ann follow bob", "ann follow cid", "ann unfollow cid")
	f.Put("/v1/users/ann", f.Service(), `{"name":"Ann"}`)
	f.Put("/v1/users/ann/visibility", f.User("ann"), `{"boards":"hidden","days":"public"}`)
	const path = "/v1/users/ann/export"
	a := f.Get(path, f.User("ann"))
	if got := a.Header.Get("Cache-Control"); got != "private, no-store" {
		t.Errorf("Cache-Control %q", got)
	}
	d := read[people.UserData](t, a)
	if !d.Hidden || !d.DaysPublic || d.Excluded || d.Profile == nil ||
		d.Profile.Name != "Ann" || d.Erasure != nil || len(d.Truncated) > 0 {
		t.Errorf("%+v", d)
	}
	if len(d.Standings) == 0 || d.Standings[0].Rank == 0 {
		t.Errorf("hidden, and told %+v", d.Standings)
	}
	if len(d.Final) != 2 || d.Final[0].Board != "activity" || d.Final[0].Score != 2 || d.Final[0].Rank != 1 ||
		d.Final[1].Score != 700 {
		t.Errorf("final: %+v", d.Final)
	}
	if len(d.Follows) != 2 || d.Follows[0].User != "cid" || d.Follows[0].Following || d.Follows[1].User != "bob" {
		t.Errorf("follows: %+v", d.Follows)
	}
	undone, steps := false, false
	for _, e := range d.Entries {
		undone = undone || e.Action == "like" && e.Target == "2" && e.UndoneAt != "" && e.First != ""
		steps = steps || e.Action == "steps" && e.Value != nil && *e.Value == 700 && e.Day == "2026-11-20"
	}
	if !undone || !steps {
		t.Errorf("entries: %+v", d.Entries)
	}
	f.Put("/v1/users/ann/exclusion", f.Service(), "")
	if d = read[people.UserData](t, f.Get(path, f.Service())); !d.Excluded || len(d.Entries) == 0 || len(d.Days) == 0 {
		t.Errorf("excluded: %+v", d)
	}
	f.Says(f.Get(path, f.User("bob")), http.StatusForbidden, "")
	f.Says(f.Get(path, ""), http.StatusUnauthorized, "")
	nobody := f.Get("/v1/users/nobody/export", f.Service())
	f.Says(nobody, http.StatusOK, `{"user":{"id":"nobody"},"timezone":"UTC","profile":null,`+
		`"hidden":false,"excluded":false,"daysPublic":false,"days":[],`+
		`"entries":[],"follows":[],"votes":[],"articles":[],"standings":[],`+
		`"final":[],"months":[],"erasure":null,"truncated":[]}`)
}
