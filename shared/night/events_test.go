package night_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/final"
	"laurel/shared/night"
	"laurel/shared/view"
)

// withEvents are rules with addresses: all takes every event, badges those of final periods.
func withEvents(t *testing.T, rules *activity.Rules) *activity.Rules {
	t.Helper()
	source := strings.TrimSuffix(strings.TrimSpace(string(rules.JSON())), "}") + `, "events": [
		{"name": "all", "url": "https://f.example/all", "types": ["period.ended", "period.final"]},
		{"name": "badges", "url": "https://f.example/badges", "types": ["period.final"]}]}`
	return harness.Must(activity.ParseRules([]byte(source)))(t)
}

// events are those that wait for an address: what is told, with how many and whom; those of one moment by
// that text.
func (f *forum) events(address string) (all []string) {
	f.Helper()
	rows := harness.Must(f.App.Records.Events(f.Context(), address, 1_000))(f)
	from := 0 // of those of one moment
	for i, row := range rows {
		if row.Err != nil {
			f.Fatal(row.Err)
		}
		e := row.Value
		if i > 0 && rows[i-1].Value.At != e.At {
			from = len(all)
		}
		words := []string{fmt.Sprintf("%s %s %s %d:", strings.TrimPrefix(e.Type, "period."), e.Board, e.Period, e.Total)}
		var entries []final.Entry
		for _, entry := range e.Entries {
			entries = append(entries, final.Entry(entry))
		}
		all = append(all, strings.Join(append(words, f.named(entries)...), " "))
		slices.Sort(all[from:])
	}
	return all
}

// sent deletes all events of an address, as a sender does, and returns what they told.
func (f *forum) sent(address string) []string {
	f.Helper()
	all := f.events(address)
	harness.Must(f.App.Records.DropEvents(f.Context(), address))(f)
	return all
}

// at sets the forum's clock.
func (f *forum) at(text string) {
	f.Helper()
	at := harness.Must(time.Parse("2006-01-02 15:04", text))(f)
	f.Set(at)
}

func (f *forum) tells(address string, want ...string) {
	f.Helper()
	if diff := cmp.Diff(want, f.sent(address)); diff != "" {
		f.Errorf("events to %s (-want +got):\n%s", address, diff)
	}
}

// A period is told two minutes after its end, and again once it is final, with who is on its boards; each
// once, and to the addresses that take it. A forum that begins tells nothing of the past.
func TestEventsOfPeriods(t *testing.T) {
	t.Parallel()
	f := newForum(t, withEvents(t, activity.Default()))
	f.on("2026-11-19")
	f.did("old like a0")
	f.on("2026-11-20")
	f.tick() // it begins
	f.tells("all")
	f.did("ann like a1", "bob like a1", "bob like a2", "ann steps 100")
	f.at("2026-11-21 00:01")
	f.tick()
	f.tells("all")
	f.at("2026-11-21 00:02")
	for range 3 {
		f.tick()
	}
	f.tells("all", "ended activity 2026-11-20 2: bob 4 ann 2", "ended steps 2026-11-20 1: ann 3")
	f.tick()
	f.tells("all")
	f.tells("badges")
	f.on("2026-11-22") // the 19th is live still; nothing was done on the 21st
	f.nights()
	f.tells("all")
	f.on("2026-11-23")
	f.nights()
	f.tells("all", "final activity 2026-11-19 1: old 2")
	f.tells("badges", "final activity 2026-11-19 1: old 2")
	f.did("cid like a1")
	f.at("2026-11-24 00:03")
	f.nights()
	f.tells("badges", "final activity 2026-11-20 2: bob 4 ann 2", "final steps 2026-11-20 1: ann 3")
	f.tells("all", "ended activity 2026-11-23 1: cid 2", "final activity 2026-11-20 2: bob 4 ann 2",
		"final steps 2026-11-20 1: ann 3")
	f.nights()
	f.tells("all")
}

// What was due when a forum began is not told, be it final later.
func TestEventsOfNoPast(t *testing.T) {
	t.Parallel()
	plain := newForum(t, activity.Default())
	plain.did("ann like a1")
	plain.on("2026-11-24")
	f := newForumOn(t, withEvents(t, activity.Default()), plain.client)
	f.on("2026-11-20")
	f.did("ann like a1")
	f.on("2026-11-24")
	f.nights()
	f.is("2026-11-20", board.PeriodRemoved)
	f.tells("all")
	f.tells("badges")
}

// While boards cannot be read, or may lack something, a period that is over is not told; later it is.
func TestEndsAreToldOfWholeBoards(t *testing.T) {
	t.Parallel()
	f := newForum(t, withEvents(t, activity.Default()))
	f.tick()
	f.did("ann like a1", "eve like a1")
	f.at("2026-11-21 00:05")
	reached := f.Options.View
	f.Options.View = &failingView{reached, fmt.Errorf("%w: none", view.ErrUnavailable)}
	f.tick()
	f.tells("all")
	f.Options.View = reached
	harness.OK(t, f.client.FlushDB(t.Context()).Err())
	f.tick() // it is filled
	f.tells("all")
	f.tick()
	f.tells("all", "ended activity 2026-11-20 2: ann 2 eve 2")
}

// A period that is reopened and final again is another event; one that no board was on is none.
func TestReopenedIsToldAgain(t *testing.T) {
	t.Parallel()
	f := newForum(t, withEvents(t, activity.Default()))
	f.tick()
	f.did("ann like a1", "bob like a1")
	f.on("2026-11-24")
	f.nights()
	first, err := f.App.Records.Events(t.Context(), "badges", 9)
	if err != nil || len(first) != 1 {
		t.Fatal(first, err)
	}
	f.sent("badges")
	harness.Must(night.Reopen(t.Context(), f.Options, f.period("2026-11-20"), true))(t)
	f.ByHand = true
	f.nights()
	again, err := f.App.Records.Events(t.Context(), "badges", 9)
	if err != nil || len(again) != 1 || again[0].Value.ID == first[0].Value.ID {
		t.Fatal(again, err)
	}
}

// Events of an address that the rules do not have any more are deleted; who takes no ends is told nothing of
// the past later.
func TestAddressesComeAndGo(t *testing.T) {
	t.Parallel()
	f := newForum(t, withEvents(t, activity.Default()))
	f.tick()
	f.did("ann like a1")
	f.at("2026-11-21 00:05")
	f.tick()
	if got := f.events("all"); len(got) != 1 {
		t.Fatal(got)
	}
	o := f.Options
	o.Ledger = harness.UTC()
	harness.Must(night.Tick(t.Context(), o))(t)
	f.tells("all")
	text, _, err := f.App.Records.Cursor(t.Context(), "events")
	if err != nil || !strings.Contains(text, `"addresses":null`) {
		t.Error(text, err)
	}
}

// A final period stays in the view until its events are written.
func TestNothingIsRemovedUntold(t *testing.T) {
	t.Parallel()
	f := newForum(t, withEvents(t, activity.Default()))
	f.tick()
	f.did("ann like a1")
	f.on("2026-11-24")
	for f.head().Life.State(f.period("2026-11-20")) != board.PeriodFinal {
		f.tick()
	}
	text, revision, err := f.App.Records.Cursor(t.Context(), "events")
	harness.OK(t, err)
	if revision, err = f.App.Records.SetCursor(t.Context(), "events", "{", revision); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		f.Pass(time.Minute)
		if _, err := night.Tick(t.Context(), f.Options); err == nil {
			t.Error("what was told cannot be read, and nobody says so")
		}
	}
	f.is("2026-11-20", board.PeriodFinal)
	harness.Must(f.App.Records.SetCursor(t.Context(), "events", text, revision))(t)
	f.nights()
	f.is("2026-11-20", board.PeriodRemoved)
	f.tells("badges", "final activity 2026-11-20 1: ann 2")
}
