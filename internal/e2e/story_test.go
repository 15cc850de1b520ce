package e2e_test

import (
	"net/http"
	"testing"

	"laurel/internal/e2e"
	"laurel/internal/testserver"
	"laurel/shared/table/dynamo"
)

var (
	ann    = e2e.User("ann")
	nobody = e2e.Caller{}
)

// The first request of all may be one that reads: it begins the table, and boards wait for a tick.
func TestAReadBeginsANewTable(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	f.table.Endpoint, f.table.Name = testserver.Table(t)
	if _, err := dynamo.Open(t.Context(), f.table); err != nil { // makes it
		t.Fatal(err)
	}
	f.environment = append(f.environment, "TABLE_NAME="+f.table.Name)
	f.query = f.start(query)
	f.expect(nobody, "GET /v1/boards/activity/day", "", http.StatusServiceUnavailable, `"code":"filling"`)
	f.tick(f.start(archive))
	f.expect(nobody, "GET /v1/boards/activity/day", "", http.StatusOK, `"entries":[]`)
}
