package httpapi_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
	"laurel/shared/records"
)

// The status tells what waits for each address of events; nothing that anybody reads has the addresses.
func TestStatusTellsWhichEventsWait(t *testing.T) {
	t.Parallel()
	rules := activity.Default().
		WithEvents(activity.EventAddress{Name: "badges", URL: "https://f.example/?key=hidden", Types: activity.EventTypes()}).
		WithEvents(activity.EventAddress{Name: "mail", URL: "https://m.example/?key=hidden", Types: activity.EventTypes()})
	f := harness.NewForum(t, harness.Setup{Ledger: ledger.New(rules, board.NewCalendar(time.UTC))}).Serve()
	at := board.MomentOf(f.Now)
	for _, id := range []string{"evt_1", "evt_2"} {
		err := f.Records.PutEvents(t.Context(), &records.Event{
			EventKey: records.EventKey{Address: "badges", At: at, ID: id}, Type: activity.EventPeriodFinal, Board: "activity",
			Period: board.PeriodOf(board.Day, board.DateOf(2026, 11, 20)), Total: 1, Since: at, Attempts: 3, Next: at + 1_000,
			Trouble: "the receiver answers 500",
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	got := read[httpapi.Status](t, f.Get("/v1/status", f.Service())).Events
	want := []httpapi.EventQueue{
		{
			Address: "badges", Waiting: 2, Since: "2026-11-20T12:00:00.000Z", Attempts: 3, Next: "2026-11-20T12:00:01.000Z",
			Problem: "the receiver answers 500",
		},
		{Address: "mail"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, path := range []string{"/v1/rules", "/v1/status", "/openapi.json"} {
		if strings.Contains(f.Get(path, f.Service()).Body, "key=hidden") {
			t.Errorf("%s has an address", path)
		}
	}
}
