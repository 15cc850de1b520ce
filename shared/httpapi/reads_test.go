package httpapi_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/internal/testserver"
)

// Reads write nothing and leave the table alone while everybody's copy is there. When copies
// are missing a request reads the table once, all of them together, and sets them once.
func TestReadsWriteOnlyMissingCopies(t *testing.T) {
	t.Parallel()
	client, trips := testserver.CountedRedis(t)
	f := harness.NewForum(t, harness.Setup{Redis: client}).Serve()
	var did, profiles []string
	for i := range 40 {
		did = append(did, fmt.Sprintf("user-%d publish %d", i, i))
		profiles = append(profiles, fmt.Sprintf(`{"id":"user-%d","name":"User %d"}`, i, i))
	}
	f.Did(did...)
	f.Put("/v1/users", f.Service(), `{"users":[`+strings.Join(profiles, ",")+`]}`)
	const day = "/v1/boards/activity/day"
	paths := []string{day, day + "/users/user-7?around=0", day + "/users/user-20?around=15", day + "?user=user-39"}
	read := func() {
		for _, path := range paths {
			if a := f.Get(path, ""); a.Status != http.StatusOK || !strings.Contains(a.Body, `"name":"User `) {
				t.Errorf("%s: %d %s", path, a.Status, a.Body)
			}
		}
	}
	read()
	state := f.State()
	f.Table.Reads.Store(0)
	trips.Expect(t, "with all copies", int64(len(paths)), read)
	if n := f.Table.Reads.Load(); n != 0 || !maps.Equal(f.State(), state) {
		t.Errorf("with all copies: %d reads of the table, and Redis changed: %t", n, !maps.Equal(f.State(), state))
	}
	for _, path := range paths {
		for i := range 40 {
			client.HDel(t.Context(), "laurel:{0}:profiles", fmt.Sprint("user-", i))
		}
		f.Table.Reads.Store(0)
		trips.Expect(t, path+" without copies", 2, func() { f.Get(path, "") })
		trips.Expect(t, path+" again", 1, func() { f.Get(path, "") })
		if n := f.Table.Reads.Load(); n != 1 {
			t.Errorf("%s without copies: %d reads of the table", path, n)
		}
	}
	read()
	for key, value := range f.State() {
		if key != "laurel:{0}:profiles" && state[key] != value {
			t.Errorf("%s has changed", key)
		}
	}
}
