package events_test

import (
	"log/slog"
	"slices"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/events"
	"laurel/shared/hooks"
	"laurel/shared/ledger"
	"laurel/shared/night"
)

// Once the erasure of somebody is done, no item of the table has the id, and no event that is sent then or
// was written before names it; the place stays.
func TestErasedAreNotNamed(t *testing.T) {
	t.Parallel()
	const user = "somebody-to-be-erased"
	rules, err := activity.ParseRules([]byte(string(activity.Default().JSON()[:len(activity.Default().JSON())-1]) +
		`, "events": [{"name": "badges", "url": "https://f.example", "types": ["period.ended", "period.final"]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	f := harness.NewForum(t, harness.Setup{Ledger: ledger.New(rules, board.NewCalendar(time.UTC))})
	tick := func(days int) {
		t.Helper()
		f.Now = f.Now.AddDate(0, 0, days)
		if _, err := night.Tick(t.Context(), f.Nights()); err != nil {
			t.Fatal(err)
		}
	}
	tick(0)
	f.Record(activity.Activity{User: user, Action: "like", Target: "a1", At: board.MomentOf(f.Now)},
		activity.Activity{User: "ann", Action: "like", Target: "a1", At: board.MomentOf(f.Now) + 1})
	tick(1)
	for range 3 {
		tick(1)
	}
	tick(0)
	if _, err := f.People.EraseAsked(t.Context(), user, board.MomentOf(f.Now)); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		tick(0)
	}
	if told, err := f.People.Erasure(t.Context(), user); err != nil || !told.Done() {
		t.Fatal(told, err)
	}
	if found := f.Table.Grep(t, user); len(found) > 0 {
		t.Errorf("items have the id: %v", found)
	}
	of := newForum(t)
	r := of.receiver(nil)
	s := events.New(events.Options{
		Records: f.Records, Calendar: f.Calendar, Addresses: []activity.EventAddress{to("badges", r.URL)},
		Secrets: hooks.Secrets{"badges": {secret}}, Private: true, Real: time.Now, Log: slog.New(slog.DiscardHandler),
	})
	if got := of.run(s); got.Sent != 2 {
		t.Fatalf("%+v", got)
	}
	for _, id := range r.ids() {
		var named []string
		for _, e := range r.body(id).Data.Entries {
			if e.User.ID != nil {
				named = append(named, *e.User.ID)
			}
		}
		if !slices.Equal(named, []string{"ann"}) || r.body(id).Data.Total != 2 || len(r.body(id).Data.Entries) != 2 {
			t.Errorf("named are %v: %+v", named, r.body(id))
		}
	}
}
