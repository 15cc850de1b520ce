package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"laurel/internal/testserver"
	"laurel/shared/app"
	"laurel/shared/board"
	"laurel/shared/events"
	"laurel/shared/records"
	"laurel/shared/table/dynamo"
)

// rulesWith is a rules file with an address of events.
func rulesWith(address string) string {
	return `{"boards":{"b":{"windows":["day"]}},"versions":[{"actions":{"visit":{"board":"b","points":1,"entry":"day",` +
		`"by":["user"]}}}],"events":[{"name":"badges","url":"` + address + `","types":["period.final"]}]}`
}

// The function sends what waits in DynamoDB, by its environment, to an address that is allowed.
func TestFunctionSends(t *testing.T) {
	t.Parallel()
	endpoint, name := testserver.Table(t)
	asked := 0
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	t.Cleanup(receiver.Close)
	store, err := dynamo.Open(t.Context(), dynamo.Options{Name: name, Endpoint: endpoint})
	if err != nil {
		t.Fatal(err)
	}
	of := records.New(store, "UTC", time.Now)
	if _, err := of.Head(t.Context()); err != nil {
		t.Fatal(err)
	}
	put := func(id string) {
		t.Helper()
		err := of.PutEvents(t.Context(), &records.Event{
			EventKey: records.EventKey{Address: "badges", At: board.MomentOf(time.Now()), ID: id}, Type: "period.final",
			Board: "b", Period: board.PeriodOf(board.Day, board.DateOf(2026, 11, 20)), Total: 1,
			Entries: []records.EventEntry{{Packed: board.Pack(1, 1)}}, Since: board.MomentOf(time.Now()),
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	put("evt_1")
	function := func(address, private string) *events.Sender {
		source := app.EventSource(app.NeedTable)
		source.Lookup = func(variable string) (string, bool) {
			value, set := map[string]string{
				"RULES": rulesWith(address), "TABLE_NAME": name, "DYNAMODB_ENDPOINT": endpoint,
				"EVENT_SECRETS": "badges=long-enough-1", "EVENTS_PRIVATE": private,
			}[variable]
			return value, set
		}
		sender, err := app.EventFunction(source)
		if err != nil {
			t.Fatal(err)
		}
		return sender
	}
	if got, err := handler(function(receiver.URL, "true"))(t.Context(), nil); err != nil || got.Sent != 1 || asked != 1 {
		t.Errorf("%+v, %v, %d requests", got, err, asked)
	}
	put("evt_2")
	private := strings.Replace(receiver.URL, "http:", "https:", 1)
	if got, err := handler(function(private, "false"))(t.Context(), nil); err != nil || got.Failed != 1 || asked != 1 {
		t.Errorf("into this machine: %+v, %v, %d requests", got, err, asked)
	}
}
