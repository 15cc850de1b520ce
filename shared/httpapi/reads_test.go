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

// Reads of live boards write nothing, and leave the table alone: names come from the view.
func TestReadsOfLiveBoardsWriteNothing(t *testing.T) {
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
	trips.Expect(t, "reads", int64(len(paths)), read)
	if n := f.Table.Reads.Load(); n != 0 || !maps.Equal(f.State(), state) {
		t.Errorf("%d reads of the table, and Redis changed: %t", n, !maps.Equal(f.State(), state))
	}
}
