package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/httpapi"
	"laurel/shared/records"
)

// The list is replaced whole, kept by activities, and read in pages by id.
func TestFollowing(t *testing.T) {
	t.Parallel()
	f := open(t)
	const path = "/v1/users/ann/following"
	ann := f.User("ann")
	f.Says(f.Get(path, ann), http.StatusOK, `{"users":[],"total":0,"next":null}`)
	f.Says(f.Put(path, ann, `{"users":[{"id":"eve"},{"id":"bob"},{"id":"dan"}]}`), http.StatusOK, `{"total":3}`)
	f.Says(f.Get(path, ann), http.StatusOK, `{"users":[{"id":"bob"},{"id":"dan"},{"id":"eve"}],"total":3,"next":null}`)
	f.Says(f.Get(path+"?limit=1&offset=1", ann), http.StatusOK, `{"users":[{"id":"dan"}],"total":3,`+
		`"next":"`+path+`?limit=1&offset=2"}`)
	f.Says(f.Get(path+"?offset=3", f.Service()), http.StatusOK, `{"users":[],"total":3,"next":null}`)
	if b := read[httpapi.Board](t, f.Get(today, "")); b.Total != 0 {
		t.Errorf("replacing a list gave points: %+v", b)
	}
	f.Says(f.Put(path, f.Service(), `{"users":[{"id":"zoe"},{"id":"bob"}]}`), http.StatusOK, `{"total":2}`)
	f.Says(f.Get(path, ann), http.StatusOK, `{"users":[{"id":"bob"},{"id":"zoe"}],"total":2,"next":null}`)
	f.Says(f.Put(path, ann, `{"users":[]}`), http.StatusOK, `{"total":0}`)
	f.Says(f.Get(path, ann), http.StatusOK, `{"users":[],"total":0,"next":null}`)

	f = open(t)
	f.Did("ann follow bob", "ann follow cid", "ann follow ann", "ann unfollow bob")
	f.Says(f.Get(path, ann), http.StatusOK, `{"users":[{"id":"cid"}],"total":1,"next":null}`)

	ids := make([]string, 5_000)
	for i := range ids {
		ids[i] = fmt.Sprintf(`{"id":"user-%04d"}`, i)
	}
	f.Says(f.Put(path, ann, `{"users":[`+strings.Join(ids, ",")+`]}`), http.StatusOK, `{"total":5000}`)
	f.Says(f.Get(path+"?limit=2&offset=4998", ann), http.StatusOK,
		`{"users":[{"id":"user-4998"},{"id":"user-4999"}],"total":5000,"next":null}`)
}

// Friends have a rank among each other and one on the board, live and final; those
// without points come last, by id.
func TestFriends(t *testing.T) {
	t.Parallel()
	f := open(t)
	f.Did("bob like 1", "bob like 2", "xen like 1", "cid visit 1", "yan visit 1", "zoe like 1", "zoe visit 2")
	ann := f.User("ann")
	f.Put("/v1/users/ann/following", ann, `{"users":[{"id":"nil"},{"id":"eve"},{"id":"bob"},{"id":"cid"}]}`)
	const (
		bob    = `{"rank":1,"boardRank":1,"score":4,"user":{"id":"bob"}}`
		cid    = `{"rank":2,"boardRank":4,"score":1,"user":{"id":"cid"}}`
		annLow = `{"rank":null,"boardRank":null,"score":0,"user":{"id":"ann"}}`
		eve    = `{"rank":null,"boardRank":null,"score":0,"user":{"id":"eve"}}`
		nilly  = `{"rank":null,"boardRank":null,"score":0,"user":{"id":"nil"}}`
	)
	f.Shows(friends, ann, "["+strings.Join([]string{bob, cid, annLow, eve, nilly}, ",")+"]")
	f.Shows(friends+"?limit=1", f.Service(), "["+bob+"]")
	if b := read[httpapi.FriendsBoard](t, f.Get(friends, ann)); b.Total != 5 || b.Final || b.Period != "2026-11-20" ||
		b.EndsAt == nil {
		t.Errorf("%+v", b)
	}
	f.Shows("/v1/boards/activity/month/users/nobody/friends", f.User("nobody"),
		`[{"rank":null,"boardRank":null,"score":0,"user":{"id":"nobody"}}]`)

	f.Did("ann like 1") // the same score as another, reached at the same moment: by id
	const annUp = `{"rank":2,"boardRank":3,"score":2,"user":{"id":"ann"}}`
	cidNow := `{"rank":3,"boardRank":5,"score":1,"user":{"id":"cid"}}`
	want := "[" + strings.Join([]string{bob, annUp, cidNow, eve, nilly}, ",") + "]"
	f.Shows(friends, ann, want)
	f.Night(10)
	f.Shows(friends+"?period=2026-11-20", ann, want)
	f.Shows(friends+"?period=2026-11-20&limit=2", ann, "["+bob+","+annUp+"]")
	if b := read[httpapi.FriendsBoard](t, f.Get(friends+"?period=2026-11-20", ann)); !b.Final || b.Total != 5 {
		t.Errorf("%+v", b)
	}
	// The list is that of today.
	f.Put("/v1/users/ann/following", ann, `{"users":[{"id":"zoe"}]}`)
	f.Shows(friends+"?period=2026-11-20", ann,
		`[{"rank":1,"boardRank":2,"score":3,"user":{"id":"zoe"}},{"rank":2,"boardRank":3,"score":2,"user":{"id":"ann"}}]`)
}

// Promise 6: a board with its names is one round trip to Redis, and so is a friends board while the
// list is known; the table is not asked.
func TestPromise6ReadsOfPeople(t *testing.T) {
	t.Parallel()
	client, w := testserver.CountedRedis(t)
	f := harness.NewForum(t, harness.Setup{Redis: client}).Serve()
	var did, profiles, follows []string
	for i := range 40 {
		user := fmt.Sprintf("user-%d", i)
		did = append(did, user+" like 1", user+fmt.Sprintf(" visit %d", i%7))
		profiles = append(profiles, fmt.Sprintf(`{"id":%q,"name":"I am %d"}`, user, i))
		follows = append(follows, fmt.Sprintf(`{"id":%q}`, user))
	}
	f.Did(did...)
	f.Says(f.Put("/v1/users", f.Service(), `{"users":[`+strings.Join(profiles, ",")+`]}`), http.StatusOK, `{"users":[`+
		strings.Join(profiles, ",")+`]}`)
	f.Put("/v1/users/user-7/following", f.Service(), `{"users":[`+strings.Join(append(follows[:7:7], follows[8:]...), ",")+
		`]}`)
	f.Put("/v1/users/user-9/visibility", f.Service(), `{"boards":"hidden"}`)
	service := f.Service()
	for path, want := range map[string]int64{
		today:                             1,
		today + "?limit=20&offset=10":     1,
		today + "?limit=5&user=user-7":    1,
		today + "/users/user-7?around=10": 1,
		"/v1/boards/activity/month/users/user-7?around=10": 1,
		"/v1/boards/activity/day/users/user-7/friends":     1,
		"/v1/boards/activity/month/users/user-7/friends":   1,
	} {
		f.Get(path, service) // Redis learns the script
		before, read := w.Count(), reads(f.Table)
		a := f.Get(path, service)
		if got, asked := w.Count()-before, reads(f.Table)-read; got != want || asked != 0 || a.Status != http.StatusOK {
			t.Errorf("%s: %d round trips, want %d, and %v units of the table: %s", path, got, want, asked, a.Body)
		}
		if strings.Contains(path, "/boards/") && !strings.Contains(a.Body, `"name":"I am `) {
			t.Errorf("%s has no names: %s", path, a.Body)
		}
	}
}

// reads are the units that were read of a table.
func reads(table records.Table) float64 {
	read, _ := table.Units()
	return read
}
