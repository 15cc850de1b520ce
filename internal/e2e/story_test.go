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

// Activities are reported and boards are read; the nightly run moves yesterday, which
// is then read from the table.
func TestFromReportToArchive(t *testing.T) {
	t.Parallel()
	f := newForum(t, "HOT_DAYS=0")
	at, suffix, day := f.yesterday()
	f.report(ann, "counted 2, counted 3, duplicate 0", `{"action":"like","target":"a1"}`,
		`{"action":"comment","target":"a1","ref":"c1"}`, `{"action":"like","target":"a1"}`)
	f.report(e2e.Service, "counted 10, counted 2, counted 2", `{"user":"bob","action":"publish","target":"a1"`+suffix,
		`{"user":"ann","action":"like","target":"a2"`+suffix, `{"user":"cat","action":"like","target":"a2"`+suffix)
	f.report(e2e.Service, "revoked -2", `{"user":"cat","action":"unlike","target":"a2"`+suffix)
	f.board(day, "1 bob 10, 2 ann 2")
	f.expect(nobody, "GET /v1/boards/activity/"+day+"&user=ann", "", http.StatusOK,
		`"standing":{"user":{"id":"ann"},"rank":2,"score":2`)
	f.expect(ann, "GET /v1/users/ann/standings", "", http.StatusOK, `"user":{"id":"ann"}`, `"score":5`)
	f.audit()

	// By default yesterday stays for three days; this forum moves it tonight.
	f.night(f.start(archive, "HOT_DAYS=3"), `"left":[]`)
	f.board(day, "1 bob 10, 2 ann 2")
	moving := f.start(archive)
	f.night(moving, `"boards":[{"board":"activity","entries":2,`)
	f.noKeys(":day:" + at.Format("2006-01-02"))
	f.board(day, "1 bob 10, 2 ann 2 final")

	// What is final stays; a second run finds nothing; today goes on.
	f.report(e2e.Service, "too_late 0", `{"user":"ann","action":"like","target":"a3"`+suffix)
	f.night(moving, `"moved":[]`)
	f.board("day", "1 ann 5")
	f.audit()
}

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
