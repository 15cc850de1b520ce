package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/app"
	"laurel/shared/archive"
	"laurel/shared/archive/embedded"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/nightly"
)

// A function whose environment is at fault says all of it and does not start.
func TestFaultyEnvironment(t *testing.T) {
	t.Setenv("REDIS_URL", "")
	t.Setenv("TABLE_NAME", "")
	t.Setenv("HOT_DAYS", "many")
	err := run(t.Context())
	if !errors.Is(err, app.ErrRedisMissing) || !errors.Is(err, app.ErrTableMissing) || !strings.Contains(err.Error(), "HOT_DAYS") {
		t.Errorf("error %v", err)
	}
}

// forum is a Redis with one like on the 20th, and an archive with nothing.
func forum(t *testing.T) nightly.Options {
	t.Helper()
	l := ledger.New(activity.Default(), board.NewCalendar(time.UTC))
	store := live.New(testserver.Redis(t), l, 1)
	items, err := embedded.New(time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = items.Close() })
	at := board.MomentOf(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	likes := []activity.Activity{{User: "ann", Action: "like", Target: "a1", At: at}}
	for _, r := range store.Record(t.Context(), likes, ledger.Arrival{Now: at}) {
		if r.Err != nil || r.Status != ledger.Counted {
			t.Fatal(r)
		}
	}
	return nightly.Options{
		Live: store, Archive: archive.New(items), Rules: l.Rules(), Calendar: l.Calendar(),
		HotDays: 3, HotMonths: 2, Units: items.Units,
	}
}

// The event of the 24th moves the 20th, and the answer says so; again it moves
// nothing.
func TestTheScheduleMovesWhatIsDue(t *testing.T) {
	t.Parallel()
	now := func() time.Time { return time.Date(2026, 11, 24, 1, 2, 0, 0, time.UTC) }
	handle := handler(forum(t), now)
	result, err := handle(t.Context(), []byte(`{"time":"2026-11-24T01:00:00Z"}`))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(result)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"today":"2026-11-24"`, `"moved":[{"board":"activity","window":"day","period":"2026-11-20","entries":1,"pages":1,`, `"left":[]`, `"failed":[]`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
	if again, err := handle(t.Context(), []byte(`{}`)); err != nil || len(again.Moved) != 0 {
		t.Errorf("again: %+v, %v", again, err)
	}
	if _, err := handle(t.Context(), []byte(`{"times":"2026-11-24T01:00:00Z"}`)); !errors.Is(err, errEvent) {
		t.Errorf("a misspelt event: %v", err)
	}
}

// Without time left nothing is begun, and what is left is named.
func TestItEndsBeforeTheDeadline(t *testing.T) {
	t.Parallel()
	now := func() time.Time { return time.Date(2026, 11, 24, 1, 2, 0, 0, time.UTC) }
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
	defer cancel()
	began := time.Now()
	result, err := handler(forum(t), now)(ctx, []byte(`{}`))
	if err != nil || len(result.Moved) != 0 || len(result.Left) != 1 || result.Left[0] != "activity day 2026-11-20" {
		t.Errorf("%+v, %v", result, err)
	}
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("it took %s", took)
	}
}
