package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/api/httpapi"
	"laurel/shared/core/codec"
	"laurel/shared/core/metrics"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
	"laurel/shared/store/view"
	"laurel/shared/store/view/redisview"
)

// Each function serves its part, and both say how they are.
func TestParts(t *testing.T) {
	t.Parallel()
	f := open(t)
	for i, part := range []httpapi.Part{httpapi.Record, httpapi.Query} {
		f.ServeBy(httpapi.New(f.Requests(), part))
		got := []int{f.Post(f.User("ann"), list(like)).Status}
		for _, path := range []string{"/v1/health", "/v1/rules", "/openapi.json", "/embed/page.css", "/v1/users/nobody"} {
			got = append(got, f.Get(path, "").Status)
		}
		if want := [][]int{{200, 200, 404, 404, 404, 405}, {404, 200, 200, 200, 200, 404}}[i]; !slices.Equal(got, want) {
			t.Errorf("part %d: %d, want %d", i, got, want)
		}
	}
}

func TestErrorsTellOnlyTheirKind(t *testing.T) {
	t.Parallel()
	wrap := func(err error) error { return errors.Join(errors.New("the secret of the store"), err) }
	for name, c := range map[string]struct {
		err  error
		code httpapi.Code
	}{
		"an unknown error":       {wrap(nil), httpapi.CodeInternal},
		"an unreadable value":    {wrap(codec.ErrDamaged), httpapi.CodeInternal},
		"one beside a store":     {wrap(errors.Join(table.ErrUnavailable, codec.ErrDamaged)), httpapi.CodeInternal},
		"another zone":           {wrap(items.ErrZone), httpapi.CodeUnavailable},
		"a later format":         {wrap(items.ErrLaterFormat), httpapi.CodeUnavailable},
		"too many writers":       {wrap(table.ErrConflict), httpapi.CodeUnavailable},
		"an unavailable table":   {wrap(table.ErrUnavailable), httpapi.CodeUnavailable},
		"an unavailable view":    {wrap(view.ErrUnavailable), httpapi.CodeUnavailable},
		"boards that are filled": {wrap(view.ErrFilling), httpapi.CodeFilling},
		"a client that has gone": {wrap(errors.Join(table.ErrUnavailable, context.Canceled)), httpapi.CodeUnavailable},
	} {
		var log strings.Builder
		p := httpapi.ProblemOf(t.Context(), slog.New(slog.NewTextHandler(&log, nil)), c.err)
		if p.Code != c.code || strings.Contains(fmt.Sprint(p), "secret") ||
			(httpapi.HeaderOf(p).Get("Retry-After") == "") != (c.code == httpapi.CodeInternal) {
			t.Errorf("%s: %+v", name, p)
		}
		if strings.Count(log.String(), "the secret of the store") != 1 {
			t.Errorf("%s: logged %s", name, &log)
		}
	}
	f := open(t, func(o *httpapi.Options) { o.View = nil })
	a := f.Get(today, "")
	if p := a.Problem(t); p.Code != string(httpapi.CodeInternal) || strings.Contains(a.Body, "nil") ||
		!strings.Contains(f.Out.String(), "nil pointer") {
		t.Errorf("a panic: %s; logged %s", a.Body, f.Out)
	}
}

// Each request is a line: its operation, its round trips, the outcomes of its
// activities; and nobody's id.
func TestRequestsAreMeasured(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	redisview.TimeTrips(client, metrics.CountTrip)
	var out bytes.Buffer
	f := openWith(t, harness.Setup{Redis: client})
	f.Serve(func(o *httpapi.Options) {
		o.Metrics = metrics.New(&out, metrics.Options{Namespace: "Laurel", Now: o.Now})
	})
	f.Post(f.User("somebody"), list(like))
	f.Get(today+"?user=somebody", "")
	out.Reset() // the server has learnt the scripts

	f.Post(f.User("somebody"), list(like, `{"action":"like","target":"secret"}`, `{"action":"unlike","target":"a9"}`))
	f.Post(f.User("somebody"), `{`)
	f.Get(today+"?user=somebody", "")
	f.Get("/v1/users/somebody/standings", "")
	f.Get("/v1/boards/secret/day", "")
	f.Get("/nowhere/secret", "")
	f.Get("/embed/activity/day.txt?user=somebody", "")
	f.Do(http.MethodPost, "/v1/queue/activities", f.Service(), list(like))

	if text := out.String(); strings.Contains(text, "somebody") || strings.Contains(text, "secret") {
		t.Errorf("measured:\n%s", text)
	}
	var got []string
	for text := range strings.Lines(out.String()) {
		var line map[string]any
		harness.OK(t, json.Unmarshal([]byte(text), &line))
		delete(line, "_aws")
		got = append(got, fmt.Sprint(line))
	}
	want := []string{
		"map[ActivitiesCounted:1 ActivitiesDuplicate:1 ActivitiesNothingToRevoke:1 Errors:0 Latency:0 " +
			"Operation:report-activities RoundTrips:1]",
		"map[Errors:0 Latency:0 Operation:report-activities RoundTrips:0]",
		"map[Errors:0 Latency:0 Operation:read-board RoundTrips:1]",
		"map[Errors:0 Latency:0 Operation:read-standings RoundTrips:0]",
		"map[Errors:0 Latency:0 Operation:read-board RoundTrips:0]",
		"map[Errors:0 Latency:0 Operation:embed RoundTrips:1]",
		"map[Errors:1 Latency:0 Operation:queue-activities RoundTrips:0]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("measured (-want +got):\n%s", diff)
	}
}
