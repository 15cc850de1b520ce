package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"laurel/shared/httpapi"
)

// The list is replaced whole, kept by activities, and read in pages by id.
func TestFollowing(t *testing.T) {
	t.Parallel()
	f := newTown(t).open()
	const path = "/v1/users/ann/following"
	ann := f.user("ann")
	f.says(f.get(path, ann), http.StatusOK, `{"users":[],"total":0}`)
	f.says(f.put(path, ann, `{"users":["eve","bob","dan"]}`), http.StatusOK, `{"user":"ann","total":3}`)
	f.says(f.get(path, ann), http.StatusOK, `{"users":[{"id":"bob"},{"id":"dan"},{"id":"eve"}],"total":3}`)
	f.says(f.get(path+"?limit=1&offset=1", ann), http.StatusOK, `{"users":[{"id":"dan"}],"total":3}`)
	f.says(f.get(path+"?offset=3", f.service()), http.StatusOK, `{"users":[],"total":3}`)
	if b := read[httpapi.Board](t, f.get(today, "")); b.Total != 0 {
		t.Errorf("replacing a list gave points: %+v", b)
	}
	f.says(f.put(path, f.service(), `{"users":["zoe","bob"]}`), http.StatusOK, `{"user":"ann","total":2}`)
	f.says(f.get(path, ann), http.StatusOK, `{"users":[{"id":"bob"},{"id":"zoe"}],"total":2}`)
	f.says(f.put(path, ann, `{"users":[]}`), http.StatusOK, `{"user":"ann","total":0}`)
	f.says(f.get(path, ann), http.StatusOK, `{"users":[],"total":0}`)

	f = newTown(t).open()
	f.did("ann follow bob", "ann follow cid", "ann follow ann", "ann unfollow bob")
	f.says(f.get(path, ann), http.StatusOK, `{"users":[{"id":"cid"}],"total":1}`)

	ids := make([]string, 5_000)
	for i := range ids {
		ids[i] = fmt.Sprintf(`"user-%04d"`, i)
	}
	f.says(f.put(path, ann, `{"users":[`+strings.Join(ids, ",")+`]}`), http.StatusOK, `{"user":"ann","total":5000}`)
	f.says(f.get(path+"?limit=2&offset=4998", ann), http.StatusOK, `{"users":[{"id":"user-4998"},{"id":"user-4999"}],"total":5000}`)
}

// Friends have a rank among each other and one on the board, live and final; those
// without points come last, by id.
func TestFriends(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	f := w.open()
	f.did("bob like 1", "bob like 2", "xen like 1", "cid visit 1", "yan visit 1", "zoe like 1", "zoe visit 2")
	ann := f.user("ann")
	f.put("/v1/users/ann/following", ann, `{"users":["nil","eve","bob","cid"]}`)
	const (
		bob    = `{"rank":1,"boardRank":1,"score":4,"user":{"id":"bob"}}`
		cid    = `{"rank":2,"boardRank":4,"score":1,"user":{"id":"cid"}}`
		annLow = `{"rank":null,"boardRank":null,"score":0,"user":{"id":"ann"}}`
		eve    = `{"rank":null,"boardRank":null,"score":0,"user":{"id":"eve"}}`
		nilly  = `{"rank":null,"boardRank":null,"score":0,"user":{"id":"nil"}}`
	)
	f.shows(friends, ann, "["+strings.Join([]string{bob, cid, annLow, eve, nilly}, ",")+"]")
	f.shows(friends+"?limit=1", f.service(), "["+bob+"]")
	if b := read[httpapi.FriendsBoard](t, f.get(friends, ann)); b.Total != 5 || b.Final || b.Period != "2026-11-20" || b.EndsAt == nil {
		t.Errorf("%+v", b)
	}
	f.shows("/v1/boards/activity/month/users/nobody/friends", f.user("nobody"), `[{"rank":null,"boardRank":null,"score":0,"user":{"id":"nobody"}}]`)

	f.did("ann like 1") // the same score as another, reached at the same moment: by id
	const annUp = `{"rank":2,"boardRank":3,"score":2,"user":{"id":"ann"}}`
	cidNow := `{"rank":3,"boardRank":5,"score":1,"user":{"id":"cid"}}`
	want := "[" + strings.Join([]string{bob, annUp, cidNow, eve, nilly}, ",") + "]"
	f.shows(friends, ann, want)
	f = w.night(10)
	ann = f.user("ann")
	f.shows(friends+"?period=2026-11-20", ann, want)
	f.shows(friends+"?period=2026-11-20&limit=2", ann, "["+bob+","+annUp+"]")
	if b := read[httpapi.FriendsBoard](t, f.get(friends+"?period=2026-11-20", ann)); !b.Final || b.Total != 5 {
		t.Errorf("%+v", b)
	}
	// The list is that of today.
	f.put("/v1/users/ann/following", ann, `{"users":["zoe"]}`)
	f.shows(friends+"?period=2026-11-20", ann, `[{"rank":1,"boardRank":2,"score":3,"user":{"id":"zoe"}},{"rank":2,"boardRank":3,"score":2,"user":{"id":"ann"}}]`)
}
