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
	"laurel/shared/records"
)

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
	for _, entry := range must(f.View.Recent(t.Context(), "hooks", "refused")) {
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
	if err := f.View.AddRecent(t.Context(), "hooks", []byte("of another version")); err != nil {
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
	httpapi.View
	err error
}

func (s forgetful) AddRecent(context.Context, string, []byte) error { return s.err }

func (s forgetful) Recent(context.Context, ...string) ([]string, error) { return nil, s.err }

// A webhook is answered as it is when its answer cannot be kept. Keeping it takes one round
// trip beyond that of showing.
func TestKeepingAnswersToWebhooksChangesNone(t *testing.T) {
	t.Parallel()
	client, trips := testserver.CountedRedis(t)
	f := hooked{harness.NewForum(t, harness.Setup{Redis: client, Ledger: hookRules(t, "")})}
	signed := func(o *httpapi.Options) { o.Hooks = hooks.Secrets{"discourse": {hookSecret}} }
	f.Serve(signed)
	f.discourse("post_created", discoursePost(8, 12, 80, 2)) // it gets its scripts, and the stamp
	for kept, want := range map[bool]int64{true: 2, false: 1} {
		f.Serve(signed, func(o *httpapi.Options) {
			if !kept {
				o.View = forgetful{o.View, errors.New("a full store")}
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

// What the head says of the view, of periods and of imports is told.
func TestStatusTellsWhatIsLeft(t *testing.T) {
	t.Parallel()
	f := open(t)
	if s := read[httpapi.Status](t, f.Get("/v1/status", f.Service())); s.View != nil || s.Left == nil || len(s.Left)+
		len(s.Imports) != 0 {
		t.Errorf("of a new forum: %+v", s)
	}
	_, err := f.Records.ChangeHead(t.Context(), func(h *records.Head) (err error) {
		now := board.MomentOf(f.Now)
		h.From = board.DateOf(2026, 10, 1).Month()
		for d := board.DateOf(2026, 10, 1); d < board.DateOf(2026, 11, 15) && err == nil; d++ {
			for _, e := range []board.PeriodEvent{board.EventClose, board.EventMake, board.EventRemove} {
				if err == nil {
					h.Life, err = h.Life.Apply(board.PeriodOf(board.Day, d), e, now-60_000)
				}
			}
		}
		if err == nil {
			h.Life, err = h.Life.Apply(harness.Period(t, "2026-11-15"), board.EventClose, now-1_000)
		}
		h.Life = h.Life.Hold("i", h.From+1)
		h.Imports = []records.Import{{ID: "i", Name: "a.csv", Since: now - 2_000, Months: []board.MonthOf{h.From + 1}}}
		h.Behind = &records.Behind{Since: now - 3_000, Reason: "a test", Number: 1}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	got := read[httpapi.Status](t, f.Get("/v1/status", f.Service()))
	want := httpapi.Status{
		View: &httpapi.ViewBehind{BehindSince: "2026-11-20T11:59:57.000Z", Reason: "a test"},
		Left: []httpapi.LeftPeriod{
			{Period: "2026-11-15", Reason: "waits", Since: "2026-11-20T11:59:59.000Z", Next: "2026-11-20T12:00:14.000Z"},
			{Period: "2026-11-16", Reason: "import", Detail: "a.csv", Since: "2026-11-20T11:59:58.000Z"},
		},
		Imports: []httpapi.Import{{Name: "a.csv", Since: "2026-11-20T11:59:58.000Z", Months: []string{"2026-11"}}},
	}
	if diff := cmp.Diff(want, httpapi.Status{View: got.View, Left: got.Left, Imports: got.Imports}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The night and the beginning are those of the head; before a night it is null.
func TestStatusTellsTheLastNight(t *testing.T) {
	t.Parallel()
	f := open(t)
	for _, want := range []string{"null", `"2026-11-24"`} {
		a := f.Get("/v1/status", f.Service())
		if a.Status != http.StatusOK || !strings.Contains(a.Body, `"lastNight":`+want) ||
			!strings.Contains(a.Body, `"timezone":"UTC"`) || !strings.Contains(a.Body, `"since":"2`) ||
			a.Header.Get("Cache-Control") != "private, no-store" {
			t.Errorf("%d %v %s, want the night %s", a.Status, a.Header, a.Body, want)
		}
		f.Night(4)
	}
	f.Table.Unavailable.Store(true)
	if a := f.Get("/v1/status", f.Service()); a.Status != http.StatusServiceUnavailable ||
		strings.Contains(a.Body, "secret") {
		t.Errorf("without the table: %d %s", a.Status, a.Body)
	}
}
