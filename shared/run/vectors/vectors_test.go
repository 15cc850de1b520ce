package vectors_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/api/auth"
	"laurel/shared/api/httpapi"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/signatures"
	"laurel/shared/forum/catchup"
	"laurel/shared/run/app"
	"laurel/shared/run/vectors"
	"laurel/shared/store/table/embedded"
	"laurel/shared/store/view"
	"laurel/shared/store/view/memory"
)

var usual = place{"UTC", "2026-11-20T12:00:00Z", ""}

func TestFilesAreThoseOfTheReference(t *testing.T) {
	t.Parallel()
	var names []string
	for _, s := range scenarios(t) {
		names = append(names, s.name)
		harness.Golden(t, folder(s.name+".json"), text(t, vectorOf(t, s)))
	}
	for _, file := range harness.Must(filepath.Glob(folder("*.json")))(t) {
		if name := strings.TrimSuffix(filepath.Base(file), ".json"); !slices.Contains(names, name) {
			t.Errorf("%s has no scenario", file)
		}
	}
}

// hookSecret is that of the webhook of plugins.
const hookSecret = "a-secret-of-the-webhook-of-plugins"

// asPlugins has activities and profiles arrive as plugins send them: by the signed webhook.
func asPlugins(next http.Handler, now func() time.Time) http.Handler {
	var sent atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if sends := r.Method + " " + r.URL.Path; sends == "POST /v1/activities" || sends == "PUT /v1/users" {
			body, _ := io.ReadAll(r.Body)
			id := fmt.Sprint("msg_", sent.Add(1))
			r = httptest.NewRequestWithContext(r.Context(), http.MethodPost, "/v1/hooks/standard", bytes.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			for name, value := range signatures.Sign(activity.StandardHooks, hookSecret, id, now(), body) {
				r.Header.Set(name, value)
			}
		}
		next.ServeHTTP(w, r)
	})
}

// serve starts an empty server with its boards in memory, on which time passes when the command waits. Activities
// arrive from the backend with its token, or signed, from a plugin.
func serve(t *testing.T, where place, signed bool) *vectors.Server {
	t.Helper()
	clock := harness.NewClock(harness.Must(time.Parse(time.RFC3339, where.now))(t))
	rules := activity.Default()
	if where.rules != "" {
		source := harness.Must(os.ReadFile(folder("rules/" + where.rules + ".json")))(t)
		rules = harness.Must(activity.ParseRules(source))(t)
	}
	c := &app.Config{
		Calendar: harness.Must(board.LoadCalendar(where.zone))(t), Rules: rules, Shards: 1, HotDays: 3, HotMonths: 2,
		LedgerMonths: 13, Tokens: app.Tokens{Audiences: []string{"laurel"}},
	}
	o := app.Defaults(c)
	o.Clock, o.Real, o.Wait = clock.Now, clock.Real, time.Nanosecond
	a := app.New(c, func(o view.Options) view.View { return memory.New(o) }, embedded.New(clock.Now), o)
	harness.Must(a.Catchup.Run(t.Context(), catchup.Request{}))(t)
	requests := a.Requests()
	requests.Hooks = signatures.Secrets{activity.StandardHooks: {hookSecret}}
	handler := harness.Callers(httpapi.New(requests, httpapi.Record, httpapi.Query))
	if signed {
		handler = asPlugins(handler, clock.Now)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return &vectors.Server{
		URL:   harness.Must(url.Parse(server.URL))(t),
		Token: func(time.Time) (string, error) { return auth.Caller{Service: true}.Text(), nil },
		Sleep: func(ctx context.Context, _ time.Duration) error {
			clock.Set(clock.Now().Add(time.Minute))
			clock.Pass(time.Minute)
			_, err := a.Tick(ctx)
			return err
		},
	}
}

// Plugins' reports make the same boards as the backend's.
func TestServersAnswerAsTheFilesSay(t *testing.T) {
	t.Parallel()
	servers := map[place][]string{}
	for _, s := range scenarios(t) {
		servers[s.place] = append(servers[s.place], s.name)
	}
	for where, names := range servers {
		for by, signed := range map[string]bool{"by tokens": false, "by the webhook": true} {
			t.Run(strings.ReplaceAll(where.zone, "/", "-")+" "+where.now+" "+by, func(t *testing.T) {
				t.Parallel()
				s := serve(t, where, signed)
				for _, name := range names {
					v := harness.Must(vectors.Read(folder(name + ".json")))(t)
					differences, err := s.Play(t.Context(), v)
					if err != nil {
						t.Errorf("%s: %v", name, err)
					}
					for _, line := range differences {
						t.Errorf("%s: %s", name, line)
					}
				}
			})
		}
	}
}

func TestServerOfAnotherKind(t *testing.T) {
	t.Parallel()
	v := harness.Must(vectors.Read(folder("undo.json")))(t)
	for _, c := range []struct {
		where place
		says  string
	}{
		{place{"Asia/Shanghai", usual.now, ""}, "its time zone is Asia/Shanghai, not UTC"},
		{place{"UTC", "2026-11-20T13:00:01Z", ""}, "its clock is at 2026-11-20T13:00:01Z, not within an hour after"},
		{place{"UTC", "2026-11-20T11:59:59Z", ""}, "its clock is at 2026-11-20T11:59:59Z"},
		{place{"UTC", usual.now, "windows"}, "its rules are not those of default"},
	} {
		_, err := serve(t, c.where, false).Play(t.Context(), v)
		if !errors.Is(err, vectors.ErrOther) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want %q", err, c.says)
		}
	}
}

func TestReportNamesDifferences(t *testing.T) {
	t.Parallel()
	s := serve(t, usual, false)
	v := harness.Must(vectors.Read(folder("undo.json")))(t)
	v.Steps[0].Statuses[0] = "duplicate"
	v.Boards[0].Entries[0].Score++
	r, err := s.PlayAll(t.Context(), []*vectors.Vector{v, harness.Must(vectors.Read(folder("apia.json")))(t)})
	harness.OK(t, err)
	for _, want := range []string{
		"undo: step 1: statuses counted ", ", want duplicate ",
		": place 1: undo.ann at rank 1 with 2, reached at 2026-11-20T08:01:00.000Z, want undo.ann at rank 1 with 3, ",
		"vectors: 0 equal, 1 different, 1 for another server\n",
		"  laurel dev --timezone Pacific/Apia --now 2011-12-31T06:00:00Z\n",
	} {
		if !strings.Contains(r.String(), want) {
			t.Errorf("no %q in\n%s", want, r)
		}
	}
	if _, err := s.Play(t.Context(), v); !errors.Is(err, vectors.ErrUsed) {
		t.Errorf("played twice: %v", err)
	}
}
