package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/metrics"
	"laurel/shared/redisstore"
)

// Each request is a line: its operation, its round trips, what became of its
// activities; and nobody's id.
func TestRequestsAreMeasured(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	redisstore.CountTrips(client, func(ctx context.Context) { metrics.From(ctx).Trip() })
	l := ledger.New(activity.Default(), board.NewCalendar(time.UTC))
	var out bytes.Buffer
	now := func() time.Time { return noon }
	f := openOptions(t, httpapi.Options{Store: live.New(client, l, 1), Ledger: l, Now: now, Metrics: metrics.New(&out, "Laurel", now)})
	f.post(f.user("somebody"), list(like))
	out.Reset() // the server has learnt the scripts

	f.post(f.user("somebody"), list(like, `{"action":"like","target":"secret"}`, `{"action":"unlike","target":"a9"}`))
	f.post(f.user("somebody"), `{`)
	f.get("/v1/boards/activity/day?user=somebody", "")
	f.get("/v1/users/somebody/standings", "")
	f.get("/v1/boards/secret/day", "")
	f.get("/nowhere/secret", "")
	f.do(http.MethodPost, "/v1/queue/activities", f.service(), list(likes))

	if text := out.String(); strings.Contains(text, "somebody") || strings.Contains(text, "secret") {
		t.Errorf("measured:\n%s", text)
	}
	var got []map[string]any
	for text := range strings.Lines(out.String()) {
		var line map[string]any
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatal(err)
		}
		delete(line, "_aws")
		got = append(got, line)
	}
	want := []map[string]any{
		{"Operation": "report-activities", "Latency": 0.0, "RoundTrips": 2.0, "Errors": 0.0, "ActivitiesDuplicate": 1.0, "ActivitiesCounted": 1.0, "ActivitiesNothingToRevoke": 1.0},
		{"Operation": "report-activities", "Latency": 0.0, "RoundTrips": 0.0, "Errors": 0.0},
		{"Operation": "read-board", "Latency": 0.0, "RoundTrips": 1.0, "Errors": 0.0},
		{"Operation": "read-standings", "Latency": 0.0, "RoundTrips": 0.0, "Errors": 0.0},
		{"Operation": "read-board", "Latency": 0.0, "RoundTrips": 0.0, "Errors": 0.0},
		{"Operation": "queue-activities", "Latency": 0.0, "RoundTrips": 0.0, "Errors": 1.0},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("measured (-want +got):\n%s", diff)
	}
}
