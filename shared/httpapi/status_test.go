package httpapi_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/board"
	"laurel/shared/hooks"
	"laurel/shared/httpapi"
)

// nightOf is a table that knows of one night.
type nightOf struct {
	day   board.Date
	since board.Moment
	err   error
}

func (n nightOf) LastNight(context.Context) (board.Date, board.Moment, error) {
	return n.day, n.since, n.err
}

// The status has the answers to webhooks with their reasons, and nothing of what they said.
func TestStatusTellsHowWebhooksWereAnswered(t *testing.T) {
	t.Parallel()
	f := openHooked(t, `"discourse":{"ignoreCategories":[9]}`)
	at := func(second int) string { return fmt.Sprintf("2026-11-20T12:00:%02d.000Z", second) }
	for _, send := range []func() harness.Answer{
		func() harness.Answer { return f.discourse("topic_created", discourseTopic(7, 12)) },
		func() harness.Answer { return f.discourse("ping", `{"ping":"OK"}`) },
		func() harness.Answer {
			return f.standard(`{"deletedUsers":["a-member"],"deletedArticles":["an-article"],"voids":[{"target":"a-target"}]}`)
		},
		func() harness.Answer { return f.standard(`{"users":[{"id":"a-member","name":""}],"more":7}`) },
		func() harness.Answer { return f.nodeBB("action:topic.post", `"topic":7`) },
		func() harness.Answer { return f.Do(http.MethodPost, "/v1/hooks/discourse", "", `{"user":"a-member"}`) },
	} {
		send()
		f.Now = f.Now.Add(time.Second)
	}
	status := read[httpapi.Status](t, f.Get("/v1/status", f.Service()))
	want := []httpapi.RecentHook{
		{At: at(5), Source: "discourse", Status: 401, Problem: "not signed: the signature's header is not sha256= and " +
			"hexadecimal digits"},
		{At: at(4), Source: "nodebb", Status: 422, Problem: "not a body of the source: params.topic is a number"},
		{At: at(3), Source: "standard", Status: 422, Problem: "validation failed; body.users[0].name must not be empty; " +
			"body.more unknown field"},
		{
			At: at(2), Source: "standard", Status: 200, Changed: 1,
			Ignored: []string{"no such article", "erasing by webhook is off: the rules' hooks have no erase"},
		},
		{At: at(1), Source: "discourse", Status: 200, Ignored: []string{`"ping" does not count`}},
		{At: at(0), Source: "discourse", Status: 200, Changed: 2, Receipts: map[string]int{"counted": 1}},
	}
	if diff := cmp.Diff(want, status.Hooks); diff != "" {
		t.Errorf("webhooks (-want +got):\n%s", diff)
	}
	for _, entry := range must(f.Store.Recent(t.Context(), "hooks", "refused")) {
		if strings.Contains(entry, "member") || strings.Contains(entry, "a-target") || strings.Contains(entry, "Topic") {
			t.Errorf("what a webhook said is kept: %s", entry)
		}
	}
}

func must[V any](v V, err error) V {
	if err != nil {
		panic(err)
	}
	return v
}

// Both lists are bounded, and who signs nothing pushes nobody out of the other. What another
// version has written is left out.
func TestStatusIsBounded(t *testing.T) {
	t.Parallel()
	f := openHooked(t, "")
	f.discourse("ping", `{"ping":"OK"}`)
	if err := f.Store.AddRecent(t.Context(), "hooks", []byte("of another version")); err != nil {
		t.Fatal(err)
	}
	for range 60 {
		f.Do(http.MethodPost, "/v1/hooks/nodebb", "", `{}`)
	}
	deep := make([]string, 50)
	for i := range deep {
		deep[i] = fmt.Sprintf(`{"id":"a","name":"%d"}`, i)
	}
	f.standard(`{"` + strings.Repeat("x", 10_000) + `":1,"users":[` + strings.Join(deep, ",") + `]}`)
	status := f.Get("/v1/status", f.Service())
	got := map[string]int{}
	for _, h := range read[httpapi.Status](t, status).Hooks {
		got[h.Source]++
	}
	if diff := cmp.Diff(map[string]int{"discourse": 1, "nodebb": 50, "standard": 1}, got); diff != "" {
		t.Errorf("webhooks (-want +got):\n%s", diff)
	}
	if len(status.Body) > 15_000 {
		t.Errorf("%d bytes: %s", len(status.Body), status.Body)
	}
}

// forgetful is a store that cannot keep what is recent.
type forgetful struct {
	httpapi.Store
	err error
}

func (s forgetful) AddRecent(context.Context, string, []byte) error { return s.err }

func (s forgetful) Recent(context.Context, ...string) ([]string, error) { return nil, s.err }

// A webhook is answered as it is when its answer cannot be kept. Keeping it takes one round
// trip beyond the two of recording.
func TestKeepingAnswersToWebhooksChangesNone(t *testing.T) {
	t.Parallel()
	client, trips := testserver.CountedRedis(t)
	f := hooked{harness.NewForum(t, harness.Setup{Redis: client, Ledger: hookRules(t, "")})}
	signed := func(o *httpapi.Options) { o.Hooks = hooks.Secrets{"discourse": {hookSecret}} }
	f.Serve(signed)
	f.discourse("post_created", discoursePost(8, 12, 80, 2)) // it gets its scripts, and the stamp
	for kept, want := range map[bool]int64{true: 3, false: 2} {
		f.Serve(signed, func(o *httpapi.Options) {
			o.People = nil // copies of profiles take trips of their own
			if !kept {
				o.Store = forgetful{o.Store, errors.New("a full store")}
			}
		})
		before := trips.Count()
		if got := f.did(f.discourse("post_created", discoursePost(8, 12, 81+int(want), 2))); got != "counted +3" {
			t.Errorf("kept %v: %s", kept, got)
		}
		if n := trips.Count() - before; n != want {
			t.Errorf("kept %v: %d round trips, want %d", kept, n, want)
		}
	}
	if !strings.Contains(f.Out.String(), "the answer to a webhook is not kept") {
		t.Error("nothing was logged")
	}
}

// The night is that of the table; without one, and without a night, it is null.
func TestStatusTellsTheLastNight(t *testing.T) {
	t.Parallel()
	f := harness.NewForum(t, harness.Setup{})
	since := board.MomentOf(harness.Noon)
	for name, c := range map[string]struct {
		nights httpapi.Nights
		want   string
	}{
		"no table": {nil, `"since":null,"lastNight":null`},
		"none yet": {nightOf{since: since}, `"since":"2026-11-20T12:00:00.000Z","lastNight":null`},
		"a night": {
			nightOf{board.DateOf(2026, 11, 19), since, nil},
			`"since":"2026-11-20T12:00:00.000Z","lastNight":"2026-11-19"`,
		},
	} {
		f.Serve(func(o *httpapi.Options) { o.Nights = c.nights })
		a := f.Get("/v1/status", f.Service())
		if a.Status != http.StatusOK || !strings.Contains(a.Body, c.want) || !strings.Contains(a.Body, `"timezone":"UTC"`) ||
			a.Header.Get("Cache-Control") != "private, no-store" {
			t.Errorf("%s: %d %v %s, want %s", name, a.Status, a.Header, a.Body, c.want)
		}
	}
	f.Serve(func(o *httpapi.Options) { o.Nights = nightOf{err: errors.New("the secret of the table")} })
	if a := f.Get("/v1/status", f.Service()); a.Status != http.StatusInternalServerError ||
		strings.Contains(a.Body, "secret") {
		t.Errorf("a broken table: %d %s", a.Status, a.Body)
	}
}
