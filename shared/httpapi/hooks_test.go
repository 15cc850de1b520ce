package httpapi_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/records"
)

// What became of an article may arrive in any order, and again: the last state it had stays.
func TestHooksOfAnArticleInAnyOrder(t *testing.T) {
	t.Parallel()
	state := func(minute int, title string, listed bool) string {
		return fmt.Sprintf(`{"articles":[{"id":"t1","title":%q,"author":{"id":"7"},"publishedAt":"2026-11-20T11:00:00Z",`+
			`"listed":%t,"changedAt":"2026-11-20T11:%02d:00Z"}]}`, title, listed, minute)
	}
	for _, last := range []bool{true, false} {
		states := []string{
			state(0, "A", true), state(10, "A", false), state(20, "B", true), state(30, "C", !last), state(40, "D", last),
		}
		for n := range 12 {
			f := hooked(t, "")
			rng := rand.New(rand.NewPCG(uint64(n), 1))
			order := append(rng.Perm(len(states)), rng.Perm(len(states))[:2]...)
			for _, i := range order {
				if a := f.hook("standard", states[i]); a.Status != http.StatusOK {
					t.Fatal(a.Status, a.Body)
				}
			}
			got := read[httpapi.Article](t, f.Get("/v1/articles/t1", ""))
			day := read[httpapi.Board](t, f.Get(today, ""))
			if got.Title != "D" || (got.Listed == nil) != last || (len(day.Entries) == 1) != last {
				t.Errorf("listed %t, order %v: %+v, %+v", last, order, got, day.Entries)
			}
		}
	}
}

// Both lists of webhooks are bounded, and who signs nothing pushes nobody out of the other. What
// another version has written is left out. No log has what a webhook said.
func TestStatusIsBounded(t *testing.T) {
	t.Parallel()
	f := hooked(t, "")
	f.hook("discourse ping", `{"ping":"OK"}`)
	harness.OK(t, f.View.AddRecent(t.Context(), "hooks", []byte("of another version")))
	for range 60 {
		f.Do(http.MethodPost, "/v1/hooks/nodebb", "", `{}`)
	}
	deep := make([]string, 50)
	for i := range deep {
		deep[i] = fmt.Sprintf(`{"id":"a-member","name":"%d"}`, i)
	}
	f.hook("standard", `{"`+strings.Repeat("x", 10_000)+`":1,"users":[`+strings.Join(deep, ",")+`]}`)
	status := f.Get("/v1/status", f.Service())
	got := map[string]int{}
	for _, h := range read[httpapi.Status](t, status).Hooks {
		got[h.Source]++
	}
	if diff := cmp.Diff(map[string]int{"discourse": 1, "nodebb": 50, "standard": 1}, got); diff != "" {
		t.Errorf("webhooks (-want +got):\n%s", diff)
	}
	if len(status.Body) > 15_000 || strings.Contains(f.Out.String()+status.Body, "a-member") {
		t.Errorf("%d bytes: %s; logged %s", len(status.Body), status.Body, f.Out)
	}
}

// What the head says of the view, of periods and of imports is told, and what waits for each address of
// events; nothing that anybody reads has the addresses.
func TestStatusTellsWhatIsLeft(t *testing.T) {
	t.Parallel()
	rules := activity.Default().
		WithEvents(activity.EventAddress{Name: "badges", URL: "https://f.example/?key=hidden", Types: activity.EventTypes()}).
		WithEvents(activity.EventAddress{Name: "mail", URL: "https://m.example/?key=hidden", Types: activity.EventTypes()})
	f := openWith(t, harness.Setup{Ledger: ledgerOf(rules)})
	now := board.MomentOf(f.Now)
	_, err := f.Records.ChangeHead(t.Context(), func(h *records.Head) (err error) {
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
	for _, id := range []string{"evt_1", "evt_2"} {
		err = errors.Join(err, f.Records.PutEvents(t.Context(), &records.Event{
			EventKey: records.EventKey{Address: "badges", At: now, ID: id}, Type: activity.EventPeriodFinal, Board: "activity",
			Period: harness.Period(t, "2026-11-20"), Total: 1, Since: now, Attempts: 3, Next: now + 1_000,
			Trouble: "the receiver answers 500",
		}))
	}
	harness.OK(t, err)
	got := read[httpapi.Status](t, f.Get("/v1/status", f.Service()))
	want := httpapi.Status{
		View: &httpapi.ViewBehind{BehindSince: "2026-11-20T11:59:57.000Z", Reason: "a test"},
		Left: []httpapi.LeftPeriod{
			{Period: "2026-11-15", Reason: "waits", Since: "2026-11-20T11:59:59.000Z", Next: "2026-11-20T12:00:14.000Z"},
			{Period: "2026-11-16", Reason: "import", Detail: "a.csv", Since: "2026-11-20T11:59:58.000Z"},
		},
		Imports: []httpapi.Import{{Name: "a.csv", Since: "2026-11-20T11:59:58.000Z", Months: []string{"2026-11"}}},
		Events: []httpapi.EventQueue{{
			Address: "badges", Waiting: 2, Since: "2026-11-20T12:00:00.000Z", Attempts: 3, Next: "2026-11-20T12:00:01.000Z",
			Problem: "the receiver answers 500",
		}, {Address: "mail"}},
	}
	some := httpapi.Status{View: got.View, Left: got.Left, Imports: got.Imports, Events: got.Events}
	if diff := cmp.Diff(want, some); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, path := range []string{"/v1/rules", "/v1/status", "/openapi.json"} {
		if strings.Contains(f.Get(path, f.Service()).Body, "key=hidden") {
			t.Errorf("%s has an address", path)
		}
	}
}
