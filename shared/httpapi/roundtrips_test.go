package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
)

// Promise 6 for what is read of people: with the copies there, a board with its
// names is one round trip to Redis, and so is every other read; the table is not
// asked. Two of a hidden user's reads are the exceptions.
func TestPromise6ReadsOfPeople(t *testing.T) {
	t.Parallel()
	client, w := testserver.CountedRedis(t)
	town := newTownWith(t, client, ledger.New(activity.Default(), board.NewCalendar(time.UTC)), 1)
	f := town.open()
	var did, profiles, follows []string
	for i := range 40 {
		user := fmt.Sprintf("user-%d", i)
		did = append(did, user+" like 1", user+fmt.Sprintf(" visit %d", i%7))
		profiles = append(profiles, fmt.Sprintf(`{"id":%q,"name":"I am %d"}`, user, i))
		follows = append(follows, fmt.Sprintf("%q", user))
	}
	f.did(did...)
	f.says(f.put("/v1/users", f.service(), `{"users":[`+strings.Join(profiles, ",")+`]}`), http.StatusOK, `{"users":[`+strings.Join(profiles, ",")+`]}`)
	f.put("/v1/users/user-7/following", f.service(), `{"users":[`+strings.Join(append(follows[:7:7], follows[8:]...), ",")+`]}`)
	f.put("/v1/users/user-9/visibility", f.service(), `{"boards":"hidden"}`)
	service := f.service()
	for path, want := range map[string]int64{
		today:                             1,
		today + "?limit=20&offset=10":     1,
		today + "?limit=5&user=user-7":    1,
		today + "/users/user-7?around=10": 1,
		"/v1/boards/activity/month/users/user-7?around=10": 1,
		"/v1/boards/activity/day/users/user-7/friends":     1,
		"/v1/boards/activity/month/users/user-7/friends":   1,
		"/v1/users/user-7/following?limit=20&offset=5":     1,
		"/v1/users/user-7":                             1,
		"/v1/users/user-7/standings":                   1,
		"/v1/users/user-7/activity":                    1,
		"/v1/users/user-9/standings":                   2, // hidden: the places that would be
		"/v1/boards/activity/day/users/user-9/friends": 4,
	} {
		f.get(path, service) // Redis learns the script
		before, read := w.Count(), town.reads()
		a := f.get(path, service)
		if got, asked := w.Count()-before, town.reads()-read; got != want || asked != 0 || a.status != http.StatusOK {
			t.Errorf("%s: %d round trips, want %d, and %v units of the table: %s", path, got, want, asked, a.body)
		}
		if strings.Contains(path, "/boards/") && !strings.Contains(a.body, `"name":"I am `) {
			t.Errorf("%s has no names: %s", path, a.body)
		}
	}
}

// reads are the units that were read of the table.
func (w *town) reads() float64 {
	read, _ := w.table.Units()
	return read
}
