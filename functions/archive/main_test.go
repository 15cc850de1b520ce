package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/app"
	"laurel/shared/nightly"
	"laurel/shared/redisstore"
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
func forum(t *testing.T) func(context.Context, json.RawMessage) (any, error) {
	t.Helper()
	f := harness.NewForum(t, harness.Setup{})
	harness.Record(t, f.Store, harness.Did(t, "ann like a1", harness.At(t, "2026-11-20T12:00")))
	return handler(f.App, func() time.Time { return harness.At(t, "2026-11-24T01:02").Time() })
}

// The event of the 24th moves the 20th, and the answer says so; again it moves
// nothing.
func TestTheScheduleMovesWhatIsDue(t *testing.T) {
	t.Parallel()
	handle := forum(t)
	result, err := handle(t.Context(), []byte(`{}`))
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
	again, err := handle(t.Context(), []byte(`{}`))
	if night, ok := again.(nightly.Result); err != nil || !ok || len(night.Moved) != 0 {
		t.Errorf("again: %+v, %v", again, err)
	}
	if _, err := handle(t.Context(), []byte(`{"time":"2026-11-24T01:00:00Z"}`)); !errors.Is(err, errEvent) {
		t.Errorf("an event with a time: %v", err)
	}
}

// A Redis that was emptied is filled again, and what is pending is recorded.
func TestTheScheduleFillsAnEmptiedRedis(t *testing.T) {
	t.Parallel()
	f := harness.NewForum(t, harness.Setup{}).Serve()
	handle := handler(f.App, func() time.Time { return f.Now })
	f.Did("ann like a1")
	f.Redis.FlushDB(t.Context())
	if answer := f.Get("/v1/boards/activity/day", ""); answer.Status != http.StatusServiceUnavailable {
		t.Errorf("emptied: %d", answer.Status)
	}
	const kept = `{"activities":[{"user":"bob","action":"like","target":"a1"}]}`
	f.Says(f.Post(f.Service(), kept), http.StatusAccepted, `{"pending":1}`)
	for _, want := range []string{`"rows":1,`, `{"admitted":0,`} {
		result, err := handle(t.Context(), []byte(`{"task":"recover"}`))
		text, _ := json.Marshal(result)
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s, %v; want %s", text, err, want)
		}
	}
	for _, user := range []string{"ann", "bob"} {
		if n := f.ScoreOn("2026-11-20", user); n != 2 {
			t.Errorf("%s has %d", user, n)
		}
	}
}

// What has arrived since the last replay is replayed, however many runs were missed: a
// failover may have lost its commits. What has just arrived is left to the next, as its
// request may still take it back.
func TestTheScheduleReplaysWhatItMissed(t *testing.T) {
	t.Parallel()
	f := harness.NewForum(t, harness.Setup{}).Serve()
	handle := handler(f.App, func() time.Time { return f.Now })
	runs := func(want string) {
		t.Helper()
		result, err := handle(t.Context(), []byte(`{"task":"recover"}`))
		text, _ := json.Marshal(result)
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %s, %v; want %s", f.Now, text, err, want)
		}
	}
	f.Did("ann like a1")
	f.Now = f.Now.Add(time.Minute)
	runs(`"replayed":{"rows":0,"changed":0,`)
	f.Now = f.Now.Add(time.Hour)
	runs(`"replayed":{"rows":1,"changed":0,`)
	pages := redisstore.PagesKey(0, "ann")
	before := f.Redis.Dump(t.Context(), pages).Val()
	f.Did("ann like a2")
	if err := f.Redis.RestoreReplace(t.Context(), pages, 0, before).Err(); err != nil {
		t.Fatal(err)
	}
	f.Now = f.Now.Add(30 * time.Minute)
	runs(`{"admitted":0,"voided":0}`)
	f.Now = f.Now.Add(5 * time.Hour)
	runs(`"replayed":{"rows":1,"changed":1,`)
	if n := f.ScoreOn("2026-11-20", "ann"); n != 4 {
		t.Errorf("ann has %d", n)
	}
}

// Two runs of the recovery do not work beside each other, and one that has no time left says
// so.
func TestOneRecoveryRunsAtATime(t *testing.T) {
	t.Parallel()
	f := harness.NewForum(t, harness.Setup{})
	_, release, err := f.Kept.State.Hold(t.Context(), "recovery")
	if err != nil {
		t.Fatal(err)
	}
	if r, err := f.Recover(t.Context(), f.Now); err != nil || !r.Held {
		t.Errorf("beside another: %+v, %v", r, err)
	}
	release()
	short, cancel := context.WithTimeout(t.Context(), 10*time.Second+time.Millisecond)
	defer cancel()
	time.Sleep(2 * time.Millisecond)
	if r, err := f.Recover(short, f.Now); !r.Left && !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("without time: %+v, %v", r, err)
	}
	if r, err := f.Recover(t.Context(), f.Now); err != nil || r.Held || r.Left {
		t.Errorf("with time: %+v, %v", r, err)
	}
}

// Without time left nothing is begun, and what is left is named.
func TestItEndsBeforeTheDeadline(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
	defer cancel()
	began := time.Now()
	answer, err := forum(t)(ctx, []byte(`{}`))
	result, _ := answer.(nightly.Result)
	const left = "lost writes, journal, proof, seals to expire, voids, activity day 2026-11-20, voids to drop, " +
		"voters to drop, articles to leave, articles to archive, erasures"
	if err != nil || len(result.Moved) != 0 || strings.Join(result.Left, ", ") != left {
		t.Errorf("%+v, %v", result, err)
	}
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("it took %s", took)
	}
}
