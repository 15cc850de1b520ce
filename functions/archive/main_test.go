package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/app"
	"laurel/shared/nightly"
)

// A function whose environment is at fault says all of it and does not start.
func TestFaultyEnvironment(t *testing.T) {
	t.Setenv("REDIS_URL", "")
	t.Setenv("TABLE_NAME", "")
	t.Setenv("HOT_DAYS", "many")
	err := run(t.Context())
	if !errors.Is(err, app.ErrRedisMissing) || !errors.Is(err, app.ErrTableMissing) ||
		!strings.Contains(err.Error(), "HOT_DAYS") {
		t.Errorf("error %v", err)
	}
}

// forum is one with one like on the 20th, and an archive with nothing, and the handler of
// its function on the 24th.
func forum(t *testing.T) func(context.Context, json.RawMessage) (nightly.Result, error) {
	t.Helper()
	f := harness.NewForum(t, harness.Setup{})
	harness.Record(t, f.Store, harness.Did(t, "ann like a1", harness.At(t, "2026-11-20T12:00")))
	return handler(f.Nightly(time.Time{}), func() time.Time { return harness.At(t, "2026-11-24T01:02").Time() })
}

// The event of the 24th moves the 20th, and the answer says so; again it moves
// nothing.
func TestTheScheduleMovesWhatIsDue(t *testing.T) {
	t.Parallel()
	handle := forum(t)
	result, err := handle(t.Context(), []byte(`{"time":"2026-11-24T01:00:00Z"}`))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(result)
	if err != nil {
		t.Fatal(err)
	}
	const moved = `"moved":[{"board":"activity","window":"day","period":"2026-11-20","entries":1,"pages":1,`
	for _, want := range []string{`"today":"2026-11-24"`, moved, `"left":[]`, `"failed":[]`} {
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
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
	defer cancel()
	began := time.Now()
	result, err := forum(t)(ctx, []byte(`{}`))
	const left = "activity day 2026-11-20, voters to drop, articles to leave, articles to archive, erasures"
	if err != nil || len(result.Moved) != 0 || strings.Join(result.Left, ", ") != left {
		t.Errorf("%+v, %v", result, err)
	}
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("it took %s", took)
	}
}
